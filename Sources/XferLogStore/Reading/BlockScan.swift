import CXferPlatform
package import XferEvents
import XferThreads

/// A scan that reads blocks of sealed segments in any order, on all processors, and decodes only what its receivers need.
///
/// A thread scans one segment at a time, because the events of a segment share tables that only one thread may use.
package final class BlockScan {
  private let threads: Int
  private let makeReceiver: () -> (any ScanReceiver)?
  private let isCancelled: @Sendable () -> Bool
  /// The receivers, one for each thread that was used.
  package private(set) var receivers: [any ScanReceiver] = []

  /// - Parameters:
  ///   - threads: The maximum number of threads.
  ///   - isCancelled: Returns whether to stop. The blocks that were not scanned by then are read like others.
  ///   - receivers: Makes the receiver of one thread.
  package init(
    threads: Int = Int(xp_processor_count()), isCancelled: @escaping @Sendable () -> Bool,
    receivers: @escaping () -> (any ScanReceiver)?
  ) {
    (self.threads, self.isCancelled, makeReceiver) = (max(1, threads), isCancelled, receivers)
  }

  /// Scans segments, the largest first.
  func run(_ jobs: [ScanJob]) {
    let queue = ScanQueue(jobs.sorted { ($1.blocks.count, $0.number) < ($0.blocks.count, $1.number) }, isCancelled)
    let count = min(threads, jobs.count)
    guard count > 0 else { return }
    receivers = (0..<count).compactMap { _ in makeReceiver() }
    guard let first = receivers.first else { return }
    let helpers = receivers.dropFirst().map { ScanThread($0, queue) }
    for helper in helpers { helper.start() }
    queue.work(for: first)
    queue.finish()
  }
}

/// The blocks of one segment that are scanned.
final class ScanJob {
  /// The part of a block that was scanned.
  enum Outcome {
    /// Nothing: the block is damaged, or has records that only a reader of its lane understands.
    case unread
    /// Only some columns.
    case partly
    case whole
  }

  struct Block {
    let entry: SealIndex.Entry
    /// The lane, and the index of the block's chunk in the lane.
    let lane: Int
    let place: Int
    var outcome = Outcome.unread
  }

  let segment: SegmentReader
  let number: Int
  private(set) var blocks: [Block] = []

  init(_ segment: SegmentReader, number: Int) { (self.segment, self.number) = (segment, number) }

  func add(_ entry: SealIndex.Entry, lane: Int, place: Int) {
    blocks.append(Block(entry: entry, lane: lane, place: place))
  }

  func run(for receiver: any ScanReceiver, isCancelled: () -> Bool) {
    let scan = SegmentScan(segment, receiver)
    for place in blocks.indices {
      if isCancelled() { return }
      blocks[place].outcome = scan.scan(blocks[place].entry)
    }
  }
}

/// The segments that are still to be scanned.
///
/// `@unchecked Sendable`: a job is taken out of the queue under a lock, and then belongs to the thread that has taken it until that
/// thread has finished.
private final class ScanQueue: @unchecked Sendable {
  private struct State {
    var jobs: ArraySlice<ScanJob>
    var running = 0
  }

  private let state: Monitor<State>
  private let isCancelled: @Sendable () -> Bool

  init(_ jobs: [ScanJob], _ isCancelled: @escaping @Sendable () -> Bool) {
    state = Monitor(State(jobs: jobs[...]))
    self.isCancelled = isCancelled
  }

  /// Notes a thread that is going to work.
  func begin() { state.change { $0.running += 1 } }

  /// Notes that a thread has ended its work.
  func end() { state.change { $0.running -= 1 } }

  func work(for receiver: any ScanReceiver) {
    while let job = state.withLock({ $0.jobs.popFirst() }) { job.run(for: receiver, isCancelled: isCancelled) }
  }

  /// Waits until no thread works any more.
  func finish() { _ = state.wait(atMost: -1) { $0.running == 0 ? true : nil } }
}

/// `@unchecked Sendable`: only the started thread uses the receiver until it has ended.
private final class ScanThread: @unchecked Sendable {
  private let receiver: any ScanReceiver
  private let queue: ScanQueue

  init(_ receiver: any ScanReceiver, _ queue: ScanQueue) { (self.receiver, self.queue) = (receiver, queue) }

  /// Starts the thread. If the system has no more threads, the other ones do the work.
  func start() {
    queue.begin()
    if !BackgroundThread.start({ self.run() }) { queue.end() }
  }

  private func run() {
    queue.work(for: receiver)
    queue.end()
  }
}
