import CXferPlatform
import XferEvents
import XferLogStore
import XferReading
import XferReport
import XferServing

/// Makes a new report after each change of the log: at most one a second, and only while somebody watches.
struct ReportMaker {
  let report: LiveReport
  let wakeUp: WakeUp
  /// Makes a report of the log as it is now.
  let make: () throws -> ReportRun.Made

  /// Whether the log has changed since the last report was begun.
  private var isStale = true
  /// The monotonic time before which no report is begun.
  private var nextBegin: Int64 = 0
  private var watch: InputWatch

  private static let leastPause: Int64 = 1_000_000_000
  /// How often the inputs are examined that cannot be followed, in milliseconds.
  private static let inputPause: Int32 = 200
  /// The maximum sleep while nobody watches, in milliseconds.
  private static let idlePause: Int32 = 500

  init(report: LiveReport, wakeUp: WakeUp, watch: InputWatch, make: @escaping () throws -> ReportRun.Made) {
    (self.report, self.wakeUp, self.watch, self.make) = (report, wakeUp, watch, make)
  }

  /// Works until a signal ends the program.
  ///
  /// - Parameter logs: the logs of this package among the inputs; `nil` if there are none.
  mutating func run(following logs: (any FollowableSource)?) throws {
    guard let logs else {
      while true {
        try look()
        wakeUp.sleep(milliseconds: Self.inputPause)
        try Interruption.check()
      }
    }
    // Standard output may be closed after the address has been read.
    var follower = LogFollower(logs, output: -1)
    for path in follower.awaited { StandardError.remark("waiting for \(path)") }
    // The closures share this copy.
    var maker = self
    try follower.follow(
      until: nil,
      onChange: { change in
        StandardError.remark(change.message)
        maker.isStale = true
      },
      { source in
        let isNew = try Self.drain(source)
        if isNew { maker.isStale = true }
        try maker.look()
        return isNew ? .new : .nothing
      })
  }

  /// Reads what is new. The report reads the whole log itself, because its rules need all events.
  private static func drain(_ source: any EventSource) throws -> Bool {
    var batch = EventBatch()
    var isNew = false
    while source.fill(&batch) {
      isNew = true
      batch.removeAll()
      try Interruption.check()
    }
    return isNew
  }

  private mutating func look() throws {
    if watch.hasChanged() { isStale = true }
    guard report.isWatched else {
      wakeUp.sleep(milliseconds: Self.idlePause)
      return try Interruption.check()
    }
    let begin = xp_clock_monotonic()
    guard isStale, begin >= nextBegin else { return }
    isStale = false
    do {
      let made = try make()
      var page = TextBuffer(capacity: 1 << 18)
      ReportPage.appendServed(made.document, in: &page)
      report.publish(page: Array(page.bytes), data: made.data)
    } catch let error as Interrupted {
      throw error
    } catch {
      report.publish(problem: Self.sentence(error))
      isStale = true
    }
    // The reports of a large log take at most half of the time.
    let end = xp_clock_monotonic()
    nextBegin = begin + max(Self.leastPause, 2 * (end - begin))
  }

  private static func sentence(_ error: any Error) -> String {
    let message: UserMessage = (error as? CommandExit)?.reason ?? "\(error)"
    return message.description.split(separator: "\n").joined(separator: " ")
  }
}
