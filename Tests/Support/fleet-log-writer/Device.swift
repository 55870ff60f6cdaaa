import LogTestSupport
import XferEvents
import XferLogStore

/// A device with one app, whose last task may be lost or stalled because the app is killed.
struct Device {
  let name: String
  let version: String
  let system: String
  let boot: BootID
  private let engine: EngineThread
  private let number: UInt64
  private var random: SeededRandom

  private enum Outcome: String {
    case ok, lost, stalled
  }

  init(number: UInt64, seed: UInt64, engine: EngineThread) {
    self.number = number
    self.engine = engine
    random = SeededRandom(seed: seed &* 1_000_003 &+ number)
    let digits = String(number)
    name = "d" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    version = (Array(repeating: "4.1.0", count: 6) + Array(repeating: "4.2.0", count: 3) + ["4.2.1"]).randomElement(
      using: &random)!
    system = (Array(repeating: "iOS 18.1", count: 5) + Array(repeating: "iOS 18.2", count: 4) + ["iOS 17.7"])
      .randomElement(using: &random)!
    boot = BootID(high: random.next(), low: random.next())
  }

  /// Writes the device's log.
  ///
  /// - Returns: the lines of the truth.
  mutating func write(in directory: String, tasks mean: Int) throws -> String {
    let path = "\(directory)/\(name).xlog"
    let start = Int64.random(in: 1_000_000_000_000..<100_000_000_000_000, using: &random)
    // 2026-11-20T14:02:07Z and the day after it.
    let wall = 1_795_183_327_000_000_000 + Int64.random(in: 0..<86_400_000_000_000, using: &random)
    let clock = DeviceClock(start: start, offset: wall - start, random: SeededRandom(seed: random.next()))
    let count = max(2, mean * 3 / 4 + Int.random(in: 0...max(1, mean / 2), using: &random))
    // Version 4.2.1 has a fault that older versions lack.
    let fate = Double.random(in: 0..<1, using: &random)
    let isLost = fate < (version == "4.2.1" ? 0.35 : 0.15)
    let last: Outcome = isLost ? .lost : fate > 0.7 ? .stalled : .ok
    var truth = ""
    do {
      let launch = try begin(in: path, 0, clock)
      for task in 1...count {
        let outcome = task == count ? last : .ok
        download(UInt32(task), outcome, launch)
        truth += "\(name),tiles,\(task),\(outcome)\n"
      }
      if last == .ok { launch.close() }
      // Otherwise the app is killed here.
    }
    if last != .ok {
      // Its next life notices, and has no tasks.
      clock.advance(bySeconds: 30)
      try begin(in: path, 1, clock).close()
    }
    for sealing in LogSealer(directory: path).seal() { _ = try sealing.result.get() }
    return truth
  }

  private mutating func begin(in path: String, _ number: Int32, _ clock: DeviceClock) throws -> Launch {
    let launch = try Launch(
      directory: path, number: number, device: self, clock: clock, words: SeededRandom(seed: random.next()))
    launch.emit(
      SessionCreated(
        session: "tiles", instance: CorrelationID(random.next()), sessionKind: .default, queue: "main", connectionsPerHost: 6,
        requestTimeout: .seconds(20), resourceTimeout: .seconds(600)))
    return launch
  }

  private mutating func download(_ number: UInt32, _ outcome: Outcome, _ launch: Launch) {
    let task = TaskIdentity(uid: TaskUID(high: random.next(), low: random.next()), session: "tiles", number: number)
    let host = ["cdn.example.com", "api.example.com", "media.example.org"].randomElement(using: &random)!
    let size = Int64.random(in: 1_000..<4_000_000, using: &random)
    let delivery = DeliveryID(random.next())
    let connection = CorrelationID(random.next())
    let firstByte = Int64.random(in: 1_000_000..<100_000_000, using: &random)
    launch.emit(
      TaskCreated(
        task: task, type: .data, completion: .delegate, method: "GET", scheme: "https", host: host, port: 443,
        path: "/tiles/\(random.next()).png", requestTimeout: .seconds(20)))
    launch.emit(TaskResumed(task: task, by: .app))
    engine.run {
      launch.emit(AttemptStarted(task: task, attempt: 1, scheme: "https", host: host, port: 443, offset: 0))
      launch.emit(
        AttemptConnectionAcquired(
          task: task, attempt: 1, transaction: 1, connection: connection, reused: false, protocol: "h2", host: host,
          remotePort: 443))
      launch.emit(
        AttemptRequestSent(
          task: task, attempt: 1, transaction: 1, method: "GET", requestBytes: 120, headers: "host,accept", authorized: false,
          offset: 0, ifRange: false))
      launch.emit(
        AttemptResponseReceived(
          task: task, attempt: 1, transaction: 1, status: 200, expected: size, contentType: "image/png", chunked: false,
          protocol: "h2", firstByteTime: .nanoseconds(firstByte), headers: "content-type,content-length", host: host))
      launch.emit(AttemptBytesReceived(task: task, attempt: 1, received: size / 2, expected: size))
      if outcome == .stalled { return }
      launch.emit(AttemptBytesReceived(task: task, attempt: 1, received: size, expected: size))
      launch.emit(AttemptEnded(task: task, attempt: 1, end: .finished, received: size, sent: 0))
      launch.emit(TaskTransferred(task: task, received: size, sent: 0, status: 200))
      if outcome == .lost { return }
      launch.emit(DeliverySent(task: task, delivery: delivery, callback: .didComplete))
    }
    if outcome != .ok { return }
    launch.emit(DeliveryReceived(task: task, delivery: delivery, callback: .didComplete))
    launch.emit(DeliveryEntered(task: task, delivery: delivery, callback: .didComplete, queue: "main", onMainThread: true))
    launch.emit(DeliveryLeft(task: task, delivery: delivery, callback: .didComplete))
    launch.emit(TaskCompleted(task: task, delivery: delivery, received: size, sent: 0, status: 200))
    launch.emit(TaskAcknowledged(task: task, delivery: delivery))
  }
}
