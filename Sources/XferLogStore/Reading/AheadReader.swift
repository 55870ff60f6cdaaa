import CXferPlatform
package import XferEvents

/// Reads a log on a thread of its own, so that decompressing, merging and putting in order go on while what was read is used.
///
/// Batches go from thread to thread whole, behind a lock: while one has a batch the other does not. What both look at at the same time
/// are the sources' symbols, which do not change any more: that is why only a log that nobody writes to is read so.
package final class AheadReader: EventBatches {
  private let reader: LogReader
  private let batches = Monitor(Batches())
  /// Whether all that the lanes hold was taken, and the thread is gone.
  private var isOver = false

  fileprivate struct Batches {
    var full: [EventBatch] = []
    var empty = [EventBatch](repeating: EventBatch(), count: 4)
    var isOver = false
    /// Nobody will take more.
    var isAbandoned = false
  }

  /// - Parameter arrange: called with each batch, on the other thread, and never again once `fill` has said that there is no more.
  /// - Returns: `nil` when the log may still be written to, or is not read to its end, or there is no thread to be had, or no processor
  ///   for it.
  package init?(_ reader: LogReader, arrange: @escaping EventBatch.Arranging) {
    guard xp_processor_count() > 1, reader.settle() else { return nil }
    self.reader = reader
    guard AheadThread(reader, batches, arrange).start() else { return nil }
  }

  deinit {
    batches.change { $0.isAbandoned = true }
    if !isOver { _ = batches.wait(atMost: -1) { $0.isOver ? true : nil } }
  }

  /// As `LogReader.fill`, into a batch that is empty.
  package func fill(_ batch: inout EventBatch) -> Bool {
    if !isOver {
      if var next = take() {
        swap(&batch, &next)
        batches.change { [next] in $0.empty.append(next) }
        return true
      }
      isOver = true
    }
    // What is wrong with segments as a whole is told at the end.
    return reader.fill(&batch)
  }

  private func take() -> EventBatch? {
    let taken = batches.wait(atMost: -1) { state -> EventBatch?? in
      if !state.full.isEmpty { return state.full.removeFirst() }
      return state.isOver ? .some(nil) : nil
    }
    return taken ?? nil
  }
}

/// `@unchecked Sendable`: from its start until it says that it is over, the reader and what arranges are the thread's alone.
private final class AheadThread: @unchecked Sendable {
  private let reader: LogReader
  private let batches: Monitor<AheadReader.Batches>
  private let arrange: EventBatch.Arranging

  init(_ reader: LogReader, _ batches: Monitor<AheadReader.Batches>, _ arrange: @escaping EventBatch.Arranging) {
    (self.reader, self.batches, self.arrange) = (reader, batches, arrange)
  }

  func start() -> Bool {
    let pointer = Unmanaged.passRetained(self)
    if xp_thread_start(runAheadThread, pointer.toOpaque()) { return true }
    pointer.release()
    return false
  }

  func run() {
    while var batch = batches.wait(atMost: -1, { $0.isAbandoned ? .some(nil) : $0.empty.popLast().map { .some($0) } }) ?? nil {
      guard reader.fillFromLanes(&batch) else { break }
      arrange(&batch, reader.fillFromLanes)
      batches.change { $0.full.append(batch) }
    }
    batches.change { $0.isOver = true }
  }
}

private func runAheadThread(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let pointer { Unmanaged<AheadThread>.fromOpaque(pointer).takeRetainedValue().run() }
  return nil
}
