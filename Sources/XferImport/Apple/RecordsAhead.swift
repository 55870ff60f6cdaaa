import XferThreads

/// Reads chunks of records on a thread of its own, so that reading overlaps with the use of earlier records.
final class RecordsAhead {
  private let chunks = Monitor(Chunks())
  /// The chunks that were taken from the thread and not yet handed out, the next one last.
  @exclusivity(unchecked) private var taken: [RecordChunk] = []

  fileprivate struct Chunks {
    var read: [RecordChunk] = []
    /// Whether the `RecordsAhead` was deallocated, so that no more chunks are needed.
    var isAbandoned = false
    var hasEnded = false

    /// The number of chunks that are read ahead. The entries of a few would not last for one batch of events, so that the threads would
    /// wait for each other.
    static let limit = 8
  }

  /// Starts reading.
  ///
  /// - Parameter reading: used by the thread only, until the last chunk was taken.
  /// - Returns: `nil` if the system has no more threads.
  init?(_ reading: RecordReading) {
    let thread = ChunkThread(reading, chunks)
    guard BackgroundThread.start({ thread.run() }) else { return nil }
  }

  deinit {
    chunks.change { $0.isAbandoned = true }
    _ = chunks.wait(atMost: -1) { $0.hasEnded ? true : nil }
  }

  /// Returns the next chunk. Must not be called after the last one.
  func next() -> RecordChunk {
    if taken.isEmpty {
      _ = chunks.wait(atMost: -1) { $0.read.isEmpty ? nil : true }
      // The thread may wait for room.
      chunks.change { swap(&taken, &$0.read) }
      taken.reverse()
    }
    return taken.popLast() ?? RecordChunk()
  }
}

/// `@unchecked Sendable`: once the thread runs, it alone uses the reading.
private final class ChunkThread: @unchecked Sendable {
  private let reading: RecordReading
  private let chunks: Monitor<RecordsAhead.Chunks>

  init(_ reading: RecordReading, _ chunks: Monitor<RecordsAhead.Chunks>) { (self.reading, self.chunks) = (reading, chunks) }

  func run() {
    var isLast = false
    while !isLast, hasRoom() {
      let chunk = reading.next()
      isLast = chunk.end != nil
      chunks.change { $0.read.append(chunk) }
    }
    chunks.change { $0.hasEnded = true }
  }

  /// Waits until another chunk may be read.
  ///
  /// - Returns: `false` if no more chunks are needed.
  private func hasRoom() -> Bool {
    chunks.wait(atMost: -1) { $0.isAbandoned ? false : $0.read.count < RecordsAhead.Chunks.limit ? true : nil } ?? false
  }
}
