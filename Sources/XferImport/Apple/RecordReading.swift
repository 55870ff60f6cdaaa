/// Reads the lines of one input, joins them to records, and finds out what the messages mean.
final class RecordReading {
  private let source: LineSource
  @exclusivity(unchecked) private var assembler: RecordAssembler
  @exclusivity(unchecked) private var index = LineIndex()
  private let sink: Sink
  private let chunkSize: Int

  /// The receiver of the assembler's parts.
  private final class Sink {
    @exclusivity(unchecked) var chunk = RecordChunk()
    @exclusivity(unchecked) var emitters = EmitterTable()
  }

  /// The number of parts after which a chunk ends. A record of a short line needs a hundred times as much memory as the line.
  private static let partLimit = 512

  /// - Parameters:
  ///   - table: the shapes by which messages are recognised; `nil` if all records are handed out as they are.
  ///   - isQuick: whether usual lines are read in the quick way, which tests compare with the general one.
  ///   - chunk: the number of bytes of lines after which a chunk ends.
  init(_ source: LineSource, table: ShapeTable?, isQuick: Bool, chunk: Int) {
    (self.source, chunkSize) = (source, chunk)
    let sink = Sink()
    assembler = RecordAssembler { part in sink.chunk.add(part) }
    if isQuick, let table {
      assembler.recognise = { message, process in
        table.recognise(message, from: process.flatMap { sink.emitters.emitter(of: $0) })
      }
    }
    (assembler.linesStay, assembler.isQuick) = (true, isQuick)
    self.sink = sink
    source.willMove = { [unowned self] in assembler.keepText() }
  }

  /// Reads the next chunk. It has an end if it is the last one.
  func next() -> RecordChunk {
    var size = 0
    while size < chunkSize, sink.chunk.parts.count < Self.partLimit {
      guard let line = source.next() else {
        assembler.finish()
        sink.chunk.end = RecordChunk.End(
          lineCount: source.lineCount, cutLines: source.cutLines, hasTrailer: assembler.hasTrailer,
          misses: assembler.declaredCount.map { $0 > assembler.countSinceBanner } ?? false)
        break
      }
      size += line.bytes.count + 1
      if let offset = index.note(line) { sink.chunk.offsets.append(offset) }
      assembler.take(line)
    }
    defer { sink.chunk = RecordChunk() }
    return sink.chunk
  }
}

/// The emitters of the processes that were seen.
private struct EmitterTable {
  private struct Process {
    var name: [UInt8] = []
    var emitter: AppleShape.Emitter?
  }

  private var known: [Process] = Array(repeating: Process(), count: 64)

  mutating func emitter(of name: UnsafeRawBufferPointer) -> AppleShape.Emitter? {
    guard let first = name.first, let last = name.last else { return nil }
    let place = (Int(first) &+ 7 &* Int(last) &+ 13 &* name.count) & 63
    let isKnown = known[place].name.withUnsafeBytes { $0.count == name.count && name.has($0, at: 0) }
    if !isKnown { known[place] = Process(name: Array(name), emitter: AppleShape.Emitter(process: name.text)) }
    return known[place].emitter
  }
}
