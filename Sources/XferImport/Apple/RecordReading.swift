/// Reads the lines of one input, joins them to records, and finds out what the messages mean.
final class RecordReading {
  private let source: LineSource
  @exclusivity(unchecked) private var assembler: RecordAssembler
  @exclusivity(unchecked) private var index = LineIndex()
  private let maker: ChunkMaker
  private let chunkSize: Int

  /// The number of parts after which a chunk ends. A record of a short line needs a hundred times as much memory as the line.
  private static let partLimit = 512

  /// - Parameters:
  ///   - isQuick: whether usual lines are read in the quick way, which tests compare with the general one.
  ///   - collectsUnmatched: whether messages of known processes that have no known shape are collected.
  ///   - chunk: the number of bytes of lines after which a chunk ends.
  init(
    _ source: LineSource, input: Int, options: ImportOptions, table: ShapeTable, isQuick: Bool, collectsUnmatched: Bool,
    chunk: Int
  ) {
    (self.source, chunkSize) = (source, chunk)
    let maker = ChunkMaker(input: input, options: options, table: table, collectsUnmatched: collectsUnmatched)
    assembler = RecordAssembler { part in maker.add(part) }
    if isQuick, !collectsUnmatched {
      assembler.recognise = { message, process in maker.recognise(message, from: process) }
      assembler.takeKnown = { members, time, message, line in maker.add(members, time, message, line) }
    }
    (assembler.linesStay, assembler.isQuick) = (true, isQuick)
    self.maker = maker
    source.willMove = { [unowned self] in assembler.keepText() }
  }

  /// Reads the next chunk. It has an end if it is the last one.
  func next() -> RecordChunk {
    var size = 0
    while size < chunkSize, maker.chunk.parts.count < Self.partLimit {
      if let line = source.next(ofLength: { assembler.match($0) }) {
        size += note(line)
        assembler.takeMatch(line)
        continue
      }
      guard let line = source.next() else {
        assembler.finish()
        addUsual()
        return maker.take(
          end: RecordChunk.End(
            lineCount: source.lineCount, cutLines: source.cutLines, hasTrailer: assembler.hasTrailer,
            misses: assembler.declaredCount.map { $0 > assembler.countSinceBanner } ?? false, unmatched: maker.unmatched))
      }
      size += note(line)
      assembler.take(line)
    }
    addUsual()
    return maker.take(end: nil)
  }

  /// Notes where a line begins. Returns the number of its bytes with its end.
  private func note(_ line: TextLine) -> Int {
    if let offset = index.note(line) { maker.add(offset: offset) }
    return line.bytes.count + 1
  }

  private func addUsual() {
    maker.add(usual: assembler.usualCount)
    assembler.usualCount = 0
  }
}
