import Foundation
import HTTPTypes
import LogTestSupport
import Testing
import XferEngine
import XferEvents

@testable import XferService

/// Tests of the daemon's decisions without running a daemon.
struct ServiceCoreTests {
  /// A core together with its stored state, which is all that survives a kill.
  private struct Daemon {
    var core: ServiceCore
    var stored: [String: Data] = [:]
    var now: Int64 = 0
    var sent: [(LinkID, DaemonMessage)] = []
    var launches = 0
    var said: [any TransferEvent] = []
    /// The tasks that the engine is transferring.
    var engine: Set<TaskUID> = []
    var signals: [(Int32, Int32)] = []

    init(generation: UInt64 = 1) { core = ServiceCore(generation: generation) }

    mutating func take(_ input: ServiceCore.Input) throws {
      var inputs = [input]
      while !inputs.isEmpty {
        for effect in core.take(inputs.removeFirst(), now: now) {
          switch effect {
          case .storeTask(let uid): stored["task \(uid)"] = try core.tasks[uid].map { try Self.encode($0) }
          case .storeSession(let key): stored["session \(key)"] = try core.sessions[key].map { try JSONEncoder().encode($0) }
          case .storeApp(let name): stored["app \(name)"] = try core.apps[name].map { try JSONEncoder().encode($0) }
          case .carry(let uid): engine.insert(uid)
          case .suspend(let uid): engine.remove(uid)
          case .signal(let pid, let signal): signals.append((pid, signal))
          case .send(let link, let message): sent.append((link, message))
          case .deliver(let link, let delivery, _): sent.append((link, .deliver(delivery)))
          case .verify(let uid): inputs.append(.verified(uid, core.tasks[uid]?.bodies.map(\.record) ?? []))
          case .emit(let event): said.append(event)
          case .launch(let order):
            launches += 1
            inputs.append(.launched(order, pid: Int32(1000 + launches)))
          default: break
          }
        }
      }
    }

    /// Returns the state without the parts that need not be stored: the progress of a transfer, which the engine knows, and
    /// whether a callback was sent, because it is then sent again.
    private static func encode(_ task: CarriedTask) throws -> Data {
      var task = task
      (task.received, task.sent) = (0, 0)
      for place in task.pending.indices { task.pending[place].wasSent = false }
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return try encoder.encode(task)
    }

    var tasks: [String: Data] {
      get throws {
        try Dictionary(uniqueKeysWithValues: core.tasks.all.map { ("task \($0.new.uid)", try Self.encode($0)) })
      }
    }
  }

  private static let app = "/usr/bin/app"
  private static let registration = AppMessage.register(
    Program(executable: app, arguments: [], environment: [:]), isSuspendable: true)
  private static let file = ProgramFile(device: 1, inode: 2)

  private static func session(_ identifier: String) -> OpenedSession {
    var configuration = TransferSession.Configuration.background(withIdentifier: identifier)
    configuration.timeoutIntervalForRequest = .seconds(1)
    return OpenedSession(identifier: identifier, instance: 1, settings: BackgroundSettings(configuration))
  }

  private static func task(_ number: UInt32, in session: String) -> NewTask {
    NewTask(
      uid: "\(TaskUID(high: 7, low: UInt64(number)))", session: session, number: number, kind: .download,
      request: HTTPRequest(method: .get, urlText: "http://example.com/\(number)"))
  }

  private static func description(of number: UInt32, in session: String, _ text: String) -> TaskDescription {
    var task = task(number, in: session)
    task.description = text
    return TaskDescription(task)
  }

  private static func conditions(using random: inout SeededRandom) -> DeviceConditions {
    var conditions = DeviceConditions()
    conditions.network = [nil, .satisfied, .unsatisfied, .cellular].randomElement(using: &random)!
    conditions.isCharging = .random(using: &random)
    conditions.allowsBackgroundRefresh = .random(using: &random)
    conditions.isLocked = .random(using: &random)
    conditions.freeDisk = [nil, 0, 1 << 30].randomElement(using: &random)!
    return conditions
  }

  private static let outcome = TransferredOutcome(error: nil, response: nil, received: 10, sent: 0, resumeData: nil)

  @Test(arguments: seeds(40, campaign: 4000))
  func `The stored state matches the core's state for any sequence of inputs`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var daemon = Daemon()
    var links: [LinkID] = []
    let identifiers = ["a", "b"]
    for step in 0..<120 {
      daemon.now += .random(in: 0...2_000_000_000, using: &random)
      let link = links.randomElement(using: &random)
      let uid = TaskUID(high: 7, low: .random(in: 1...6, using: &random))
      let number = UInt32(uid.low)
      let identifier = identifiers[Int(number) % 2]
      let input: ServiceCore.Input? =
        switch Int.random(in: 0..<19, using: &random) {
        case 0: .linked(LinkID(UInt64(step)), app: Self.app, pid: .random(in: 1000...1004, using: &random), launch: nil)
        case 1:
          link.map {
            ServiceCore.Input.received($0, Self.registration, file: Self.file)
          }
        case 2:
          link.map {
            ServiceCore.Input.received($0, .openSession(Self.session(identifiers.randomElement(using: &random)!)), file: nil)
          }
        case 3, 4: link.map { ServiceCore.Input.received($0, .createTask(Self.task(number, in: identifier)), file: nil) }
        case 5: link.map { ServiceCore.Input.received($0, .resume("\(uid)"), file: nil) }
        case 6: link.map { ServiceCore.Input.received($0, .cancel("\(uid)", forResumeData: false), file: nil) }
        case 7:
          daemon.core.tasks[uid]?.pending.randomElement(using: &random).flatMap { pending in
            link.map { ServiceCore.Input.received($0, .acknowledge(pending.id), file: nil) }
          }
        case 8: link.map { ServiceCore.Input.unlinked($0) }
        case 9: .fetched(uid, BodyRecord(path: "/spool/\(number)", inode: 5, size: 10, digest: nil), Self.response)
        case 10: .ended(uid, Self.outcome)
        case 11: .resumable(uid, Data([1]))
        case 12: .childEnded(.random(in: 1000...1004, using: &random), code: 0, signal: nil)
        case 13: link.map { .received($0, .command(.setConditions(Self.conditions(using: &random))), file: nil) }
        case 14: link.map { .received($0, .report(.entered(.allCases.randomElement(using: &random)!)), file: nil) }
        case 15: link.map { .received($0, .command(.forceQuit(app: Self.app)), file: nil) }
        case 16:
          link.map {
            .received(
              $0, .command(.order(.allCases.randomElement(using: &random)!, process: .random(in: 1000...1004, using: &random))),
              file: nil)
          }
        case 17:
          link.map {
            .received($0, .describe(Self.description(of: number, in: identifier, "\(step)")), file: nil)
          }
        default:
          Bool.random(using: &random)
            ? .timePassed : link.map { ServiceCore.Input.received($0, .handlerCalled(1 << 32 + 1), file: nil) }
        }
      guard let input else { continue }
      if case .linked(let id, _, _, _) = input { links.append(id) }
      if case .unlinked(let id) = input { links.removeAll { $0 == id } }
      try daemon.take(input)
      let stored = daemon.stored.filter { $0.key.hasPrefix("task ") }
      #expect(try daemon.tasks == stored, "seed \(seed), step \(step): \(input)")
      // Each running task is either being transferred or held for one reason.
      for task in daemon.core.tasks.all {
        let uid = try #require(TaskUID(task.new.uid))
        let (isGoing, hold) = (daemon.core.going.contains(uid), daemon.core.holds[uid])
        #expect((task.standing == .running) == (isGoing || hold != nil), "seed \(seed), step \(step): \(input)")
        #expect(!isGoing || hold == nil, "seed \(seed), step \(step): \(input)")
        if isGoing { #expect(daemon.engine.contains(uid), "seed \(seed), step \(step): \(input)") }
      }
      for key in daemon.core.sessions.keys {
        let tasks = daemon.core.tasks.tasks(of: key)
        #expect(daemon.core.tasks.pending(of: key) == tasks.reduce(0) { $0 + $1.pending.count }, "seed \(seed), step \(step)")
        #expect(
          daemon.core.tasks.running(of: key) == tasks.filter { $0.standing == .running }.count, "seed \(seed), step \(step)")
      }
    }
  }

  private static let response = TransferredResponse(
    TransferResponse(
      urlText: "http://example.com/", httpResponse: .init(status: .ok), networkProtocolName: "http/1.1", expectedContentLength: 10
    ))

  @Test func `After a daemon restart, a running app has time to reconnect before another process of it is launched`() throws {
    for connects in [true, false] {
      var before = Daemon()
      let link = LinkID(1)
      try before.take(.linked(link, app: Self.app, pid: 5, launch: nil))
      try before.take(.received(link, Self.registration, file: Self.file))
      try before.take(.received(link, .openSession(Self.session("a")), file: nil))
      try before.take(.received(link, .createTask(Self.task(1, in: "a")), file: nil))
      try before.take(.received(link, .resume("\(TaskUID(high: 7, low: 1))"), file: nil))
      var daemon = Daemon(generation: 2)
      (daemon.core.tasks, daemon.core.sessions, daemon.core.apps) = (before.core.tasks, before.core.sessions, before.core.apps)
      try daemon.take(.started)
      try daemon.take(.ended(TaskUID(high: 7, low: 1), Self.outcome))
      #expect(daemon.launches == 0)
      if connects {
        try daemon.take(.linked(link, app: Self.app, pid: 5, launch: nil))
        try daemon.take(.received(link, .openSession(Self.session("a")), file: nil))
      }
      daemon.now = ServiceCore.grace
      try daemon.take(.timePassed)
      #expect(daemon.launches == (connects ? 0 : 1))
    }
  }

  @Test func `An app that is not running is launched once, when all tasks of its session have ended`() throws {
    var daemon = Daemon()
    let link = LinkID(1)
    try daemon.take(.linked(link, app: Self.app, pid: 5, launch: nil))
    try daemon.take(.received(link, Self.registration, file: Self.file))
    try daemon.take(.received(link, .openSession(Self.session("a")), file: nil))
    for number: UInt32 in 1...2 {
      try daemon.take(.received(link, .createTask(Self.task(number, in: "a")), file: nil))
      try daemon.take(.received(link, .resume("\(TaskUID(high: 7, low: UInt64(number)))"), file: nil))
    }
    try daemon.take(.unlinked(link))
    try daemon.take(.ended(TaskUID(high: 7, low: 1), Self.outcome))
    #expect(daemon.launches == 0)
    try daemon.take(.ended(TaskUID(high: 7, low: 2), Self.outcome))
    #expect(daemon.launches == 1)
    let second = LinkID(2)
    try daemon.take(.linked(second, app: Self.app, pid: 1001, launch: nil))
    try daemon.take(.received(second, Self.registration, file: Self.file))
    try daemon.take(.received(second, .openSession(Self.session("a")), file: nil))
    let wakes = daemon.sent.filter { if case .notice(.wake) = $0.1 { true } else { false } }
    #expect(wakes.map(\.0) == [second])
    let deliveries = daemon.sent.compactMap { if case .deliver(let delivery) = $0.1 { delivery.id } else { nil } }
    #expect(deliveries.count == 2)
    for id in deliveries { try daemon.take(.received(second, .acknowledge(id), file: nil)) }
    let finished = daemon.sent.compactMap { if case .eventsFinished(_, let handler) = $0.1 { handler } else { nil } }
    #expect(finished == [1 << 32 + 1])
    #expect(daemon.core.tasks.all.isEmpty)
  }

  @Test func `The events of a session are finished after the end of a task whose challenge the app declined`() throws {
    var daemon = Daemon()
    let (uid, first, second) = (TaskUID(high: 7, low: 1), LinkID(1), LinkID(2))
    try daemon.take(.linked(first, app: Self.app, pid: 5, launch: nil))
    try daemon.take(.received(first, Self.registration, file: Self.file))
    try daemon.take(.received(first, .openSession(Self.session("a")), file: nil))
    try daemon.take(.received(first, .createTask(Self.task(1, in: "a")), file: nil))
    try daemon.take(.received(first, .resume("\(uid)"), file: nil))
    try daemon.take(.unlinked(first))
    let challenge = """
      {"id": 3, "session": "a", "task": "\(uid)", "number": 1, "scheme": "http", "host": "example.com", "port": 80, "isProxy": false,
      "method": "basic", "failures": 0}
      """
    try daemon.take(.asked(JSONDecoder().decode(BackgroundChallenge.self, from: Data(challenge.utf8))))
    #expect(daemon.launches == 1)
    try daemon.take(.linked(second, app: Self.app, pid: 1001, launch: nil))
    try daemon.take(.received(second, Self.registration, file: Self.file))
    try daemon.take(.received(second, .openSession(Self.session("a")), file: nil))
    try daemon.take(.received(second, .challengeAnswered(.init(id: 3, .cancelAuthenticationChallenge, nil)), file: nil))
    func finished() -> Int { daemon.sent.count { if case .eventsFinished = $0.1 { true } else { false } } }
    #expect(finished() == 0)
    try daemon.take(.ended(uid, Self.outcome))
    let deliveries = daemon.sent.compactMap { if case .deliver(let delivery) = $0.1 { delivery.id } else { nil } }
    #expect(deliveries.count == 1 && finished() == 0)
    for id in deliveries { try daemon.take(.received(second, .acknowledge(id), file: nil)) }
    #expect(finished() == 1)
  }

  @Test func `A process that waited for a session learns that its events are finished`() throws {
    var daemon = Daemon()
    let (old, new) = (LinkID(1), LinkID(2))
    try daemon.take(.linked(old, app: Self.app, pid: 5, launch: nil))
    try daemon.take(.received(old, Self.registration, file: Self.file))
    try daemon.take(.received(old, .openSession(Self.session("a")), file: nil))
    try daemon.take(.received(old, .createTask(Self.task(1, in: "a")), file: nil))
    try daemon.take(.received(old, .resume("\(TaskUID(high: 7, low: 1))"), file: nil))
    try daemon.take(.ended(TaskUID(high: 7, low: 1), Self.outcome))
    // The new process asks while the old one, which has not acknowledged the completion, is still leaving.
    try daemon.take(.linked(new, app: Self.app, pid: 6, launch: nil))
    try daemon.take(.received(new, .openSession(Self.session("a")), file: nil))
    try daemon.take(.unlinked(old))
    let deliveries = daemon.sent.compactMap { if $0.0 == new, case .deliver(let delivery) = $0.1 { delivery.id } else { nil } }
    #expect(!deliveries.isEmpty)
    for id in deliveries { try daemon.take(.received(new, .acknowledge(id), file: nil)) }
    let finished = daemon.sent.filter { if case .eventsFinished = $0.1 { true } else { false } }
    #expect(finished.map(\.0) == [new])
  }

  @Test func `A process is told which other process has the session that it asked for`() throws {
    var daemon = Daemon()
    let (first, second) = (LinkID(1), LinkID(2))
    let launch = LaunchID("00000000-0000-0000-0000-000000000005")
    try daemon.take(.linked(first, app: Self.app, pid: 5, launch: launch))
    try daemon.take(.received(first, .openSession(Self.session("a")), file: nil))
    try daemon.take(.linked(second, app: Self.app, pid: 6, launch: nil))
    try daemon.take(.received(second, .openSession(Self.session("a")), file: nil))
    daemon.now = 3_000_000_000
    try daemon.take(.timePassed)
    let refusals = daemon.sent.compactMap { link, message -> String? in
      guard link == second, case .sessionRefused("a", _, let holder) = message else { return nil }
      return holder
    }
    #expect(launch != nil && refusals == [launch.map { "\($0)" }])
  }

  @Test func `A later launch gets the description that the app set last`() throws {
    var daemon = Daemon()
    let app = LinkID(1)
    try daemon.take(.linked(app, app: Self.app, pid: 5, launch: nil))
    try daemon.take(.received(app, .openSession(Self.session("a")), file: nil))
    try daemon.take(.received(app, .createTask(Self.task(1, in: "a")), file: nil))
    try daemon.take(.received(app, .describe(Self.description(of: 1, in: "a", "film 7")), file: nil))
    try daemon.take(.unlinked(app))
    try daemon.take(.linked(LinkID(2), app: Self.app, pid: 6, launch: nil))
    try daemon.take(.received(LinkID(2), .openSession(Self.session("a")), file: nil))
    guard case .sessionOpened(let inventory)? = daemon.sent.last?.1 else { throw CancellationError() }
    #expect(inventory.tasks.map(\.task.description) == ["film 7"])
    #expect(try daemon.tasks == daemon.stored.filter { $0.key.hasPrefix("task ") })
  }

  @Test func `The delay between launches grows until the user opens the app`() {
    var limiter = WakeLimiter()
    var now: Int64 = 0
    var delays: [Int64] = []
    for _ in 0..<6 {
      let delay = limiter.delay(now: now)
      delays.append(delay / 1_000_000_000)
      now += delay
      limiter.noteLaunch(now: now)
      limiter.noteProgress()
    }
    #expect(delays == [0, 1, 2, 4, 8, 16])
    limiter.reset()
    #expect(limiter.delay(now: now) == 0)
    for _ in 0..<WakeLimiter.storm { limiter.noteLaunch(now: now) }
    #expect(limiter.isStorming)
  }

  @Test func `An app cannot acknowledge callbacks or control tasks of another app`() throws {
    var daemon = Daemon()
    try daemon.take(.linked(LinkID(1), app: Self.app, pid: 5, launch: nil))
    try daemon.take(.received(LinkID(1), .openSession(Self.session("a")), file: nil))
    try daemon.take(.received(LinkID(1), .createTask(Self.task(1, in: "a")), file: nil))
    try daemon.take(.linked(LinkID(2), app: "/usr/bin/other", pid: 6, launch: nil))
    let uid = TaskUID(high: 7, low: 1)
    for message: AppMessage in [.resume("\(uid)"), .cancel("\(uid)", forResumeData: false), .suspend("\(uid)")] {
      try daemon.take(.received(LinkID(2), message, file: nil))
      #expect(daemon.core.tasks[uid]?.standing == .suspended)
    }
    try daemon.take(.received(LinkID(2), .describe(Self.description(of: 1, in: "a", "taken")), file: nil))
    #expect(daemon.core.tasks[uid]?.new.description == nil)
    try daemon.take(.received(LinkID(1), .resume("\(uid)"), file: nil))
    try daemon.take(.ended(uid, Self.outcome))
    let id = try #require(daemon.core.tasks[uid]?.pending.first?.id)
    try daemon.take(.received(LinkID(2), .acknowledge(id), file: nil))
    #expect(daemon.core.tasks[uid]?.pending.count == 1)
    // Another app does not see the task even if it opens a session with the same identifier.
    try daemon.take(.received(LinkID(2), .openSession(Self.session("a")), file: nil))
    guard case .sessionOpened(let inventory)? = daemon.sent.last?.1 else { throw CancellationError() }
    #expect(inventory.tasks.isEmpty)
  }
}
