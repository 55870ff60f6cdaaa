import CXferPlatform
package import XferEvents
import XferThreads

/// Reads a log on a background thread, so that decompression, merging and ordering overlap with the use of earlier events.
///
/// Batches are handed over whole under a lock, so only one thread accesses a batch at a time. Both threads read the
/// sources' symbols concurrently. The symbols must not change during this time, so the reader supports only logs that are
/// no longer being written.
package final class AheadReader: EventBatches {
  /// The size in bytes of the smallest log for which a thread saves more time than it takes to start. A sealed log of this size has about
  /// 10,000 events.
  package static let smallestLog = 128 << 10

  private let reader: LogReader
  private let batches = Monitor(Batches())
  /// Whether the background thread has delivered its last batch and ended.
  private var hasEnded = false

  fileprivate struct Batches {
    var full: [EventBatch] = []
    var empty = [EventBatch](repeating: EventBatch(), count: 4)
    var hasEnded = false
    /// Whether the `AheadReader` was deallocated, so that no more batches are needed.
    var isAbandoned = false
  }

  /// Starts reading.
  ///
  /// - Parameter arrange: Called with each batch on the background thread, and never after `fill` has returned `false`.
  /// - Returns: `nil` if the log may still be written, is read only up to its first damage, or if no thread or second
  ///   processor is available.
  package init?(_ reader: LogReader, arrange: @escaping EventBatch.Arranging) {
    guard xp_processor_count() > 1, reader.readDefinitionsFirst() else { return nil }
    self.reader = reader
    guard AheadThread(reader, batches, arrange).start() else { return nil }
  }

  deinit {
    batches.change { $0.isAbandoned = true }
    if !hasEnded { _ = batches.wait(atMost: -1) { $0.hasEnded ? true : nil } }
  }

  /// Replaces an empty batch with the next events; see `LogReader.fill`.
  package func fill(_ batch: inout EventBatch) -> Bool {
    if !hasEnded {
      if var next = take() {
        swap(&batch, &next)
        batches.change { [next] in $0.empty.append(next) }
        return true
      }
      hasEnded = true
    }
    // The thread has delivered all events of the lanes. What remains is damage that no lane could report.
    return reader.fill(&batch)
  }

  private func take() -> EventBatch? {
    let taken = batches.wait(atMost: -1) { state -> EventBatch?? in
      if !state.full.isEmpty { return state.full.removeFirst() }
      return state.hasEnded ? .some(nil) : nil
    }
    return taken ?? nil
  }
}

/// `@unchecked Sendable`: while the thread runs, it alone uses the reader and the closure.
private final class AheadThread: @unchecked Sendable {
  private let reader: LogReader
  private let batches: Monitor<AheadReader.Batches>
  private let arrange: EventBatch.Arranging

  init(_ reader: LogReader, _ batches: Monitor<AheadReader.Batches>, _ arrange: @escaping EventBatch.Arranging) {
    (self.reader, self.batches, self.arrange) = (reader, batches, arrange)
  }

  func start() -> Bool { BackgroundThread.start { self.run() } }

  private func run() {
    while var batch = batches.wait(atMost: -1, { $0.isAbandoned ? .some(nil) : $0.empty.popLast().map { .some($0) } }) ?? nil {
      guard reader.fillFromLanes(&batch) else { break }
      arrange(&batch, reader.fillFromLanes)
      batches.change { $0.full.append(batch) }
    }
    batches.change { $0.hasEnded = true }
  }
}
