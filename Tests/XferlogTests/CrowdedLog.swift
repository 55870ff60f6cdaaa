import LogTestSupport
import XferEvents

/// A log of many downloads whose figures are all known, because they are chosen before the log is written.
struct CrowdedLog {
  enum Ending: CaseIterable { case succeeded, notFound, reset, cancelled, lost }

  /// One task: its host, the duration of each stage in milliseconds, and its ending.
  struct Plan {
    let task: TaskIdentity
    let host: String
    let ending: Ending
    let start: Int64
    let queue: Int64
    let connect: Int64
    let firstByte: Int64
    let body: Int64
    let delivery: Int64
    let size: Int64
    let isReused: Bool

    var attemptStarted: Int64 { start + queue }
    var connected: Int64 { attemptStarted + connect }
    var responded: Int64 { connected + firstByte }
    var wireEnd: Int64 { responded + body }
    var delivered: Int64 { wireEnd + delivery }
    var completed: Int64 { delivered + 1 }
    var total: Int64 { completed - start }

    var received: Int64 {
      switch ending {
      case .reset: size / 2
      case .cancelled: size / 3
      default: size
      }
    }
    var sent: Int64 { ending == .succeeded ? 11 : 0 }
    var isDelivered: Bool { ending != .lost }
  }

  let plans: [Plan]
  let path: String

  static let hosts = ["cdn.example.com", "a.example.com", "img.example.org", "=1+1.example.net"]

  init(in directory: TemporaryDirectory, name: String = "crowd.xlog", tasks: Int, seed: UInt64) throws {
    plans = Self.plans(tasks, seed: seed)
    let log = try RecordedLog(in: directory, name: name, seed: seed &+ 7)
    let session = SessionCreated(session: "img", instance: CorrelationID(9), sessionKind: .default)
    log.emit(at: 0, session)
    for step in plans.enumerated().flatMap({ Self.steps($1, number: $0) }).sorted(by: { $0.time < $1.time }) {
      step.emit(log, step.time)
    }
    log.close()
    path = log.path
  }

  private static func plans(_ count: Int, seed: UInt64) -> [Plan] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { place in
      Plan(
        task: TaskIdentity(uid: TaskUID(using: &random), session: "img", number: UInt32(place + 1)),
        // One host has most of the tasks.
        host: hosts[Bool.random(using: &random) ? 0 : Int.random(in: 0..<hosts.count, using: &random)],
        ending: place < Ending.allCases.count
          ? Ending.allCases[place]
          : Int.random(in: 0..<10, using: &random) < 6 ? .succeeded : .allCases.randomElement(using: &random)!,
        start: .random(in: 1...30_000, using: &random), queue: .random(in: 0...400, using: &random),
        connect: .random(in: 0...90, using: &random), firstByte: .random(in: 1...200, using: &random),
        body: .random(in: 0...9_000, using: &random), delivery: .random(in: 1...40, using: &random),
        size: .random(in: 0...5_000_000, using: &random), isReused: .random(using: &random))
    }
  }

  // MARK: Events

  private struct Step {
    let time: Int64
    let emit: (RecordedLog, Int64) -> Void

    init(_ time: Int64, _ event: some TransferEvent) {
      self.time = time
      emit = { log, time in log.emit(at: time, event) }
    }
  }

  private static func steps(_ plan: Plan, number: Int) -> [Step] {
    let task = plan.task
    let status = plan.ending == .notFound ? 404 : 200
    return [
      Step(
        plan.start,
        TaskCreated(
          task: task, type: .download, completion: .delegate, method: "GET", scheme: "https", host: plan.host, path: "/\(number)")
      ),
      Step(plan.start, TaskResumed(task: task, by: .app)),
      Step(plan.attemptStarted, AttemptStarted(task: task, attempt: 1, host: plan.host)),
      Step(
        plan.connected,
        AttemptConnectionAcquired(
          task: task, attempt: 1, transaction: 1, connection: CorrelationID(UInt64(number)), reused: plan.isReused,
          host: plan.host)),
      Step(plan.connected, AttemptRequestSent(task: task, attempt: 1, method: "GET")),
      Step(plan.responded, AttemptResponseReceived(task: task, attempt: 1, status: status, expected: plan.size)),
      Step(plan.wireEnd, AttemptBytesReceived(task: task, attempt: 1, received: plan.received, expected: plan.size)),
    ] + end(plan, status) + (plan.isDelivered ? delivery(plan, status, number) : [])
  }

  private static func end(_ plan: Plan, _ status: Int) -> [Step] {
    switch plan.ending {
    case .succeeded, .notFound, .lost:
      [
        Step(plan.wireEnd, AttemptEnded(task: plan.task, attempt: 1, end: .finished, received: plan.received)),
        Step(plan.wireEnd, TaskTransferred(task: plan.task, received: plan.received, sent: plan.sent, status: status)),
      ]
    case .reset:
      [
        Step(
          plan.wireEnd,
          AttemptEnded(task: plan.task, attempt: 1, end: .transport, domain: .curl, error: 56, received: plan.received))
      ]
    case .cancelled:
      [
        Step(plan.wireEnd, TaskCancelRequested(task: plan.task, by: .app)),
        Step(plan.wireEnd, AttemptEnded(task: plan.task, attempt: 1, end: .cancelled, received: plan.received)),
      ]
    }
  }

  private static func delivery(_ plan: Plan, _ status: Int, _ number: Int) -> [Step] {
    let (task, id) = (plan.task, DeliveryID(UInt64(number) + 1))
    let completion: TaskCompleted =
      switch plan.ending {
      case .reset:
        TaskCompleted(task: task, delivery: id, received: plan.received, domain: .curl, error: 56, errorName: "receiveError")
      case .cancelled:
        TaskCompleted(task: task, delivery: id, received: plan.received, domain: .url, error: -999, errorName: "cancelled")
      default: TaskCompleted(task: task, delivery: id, received: plan.received, sent: plan.sent, status: status)
      }
    return [
      Step(plan.wireEnd, DeliverySent(task: task, delivery: id, callback: .didComplete)),
      Step(plan.wireEnd, DeliveryReceived(task: task, delivery: id, callback: .didComplete)),
      Step(plan.delivered, DeliveryEntered(task: task, delivery: id, callback: .didComplete)),
      Step(plan.completed, DeliveryLeft(task: task, delivery: id, callback: .didComplete)),
      Step(plan.completed, completion),
      Step(plan.completed, TaskAcknowledged(task: task, delivery: id)),
    ]
  }

  // MARK: Expected figures

  /// Returns a percentile by nearest rank, in nanoseconds: the first value that `percent` per cent of the values do not exceed.
  static func percentile(_ percent: Int, _ milliseconds: [Int64]) -> Int64? {
    milliseconds.sorted().enumerated().first { 100 * ($0.offset + 1) >= percent * milliseconds.count }
      .map { $0.element * 1_000_000 }
  }

  func count(_ endings: Ending...) -> Int { plans.count { endings.contains($0.ending) } }
}
