import Foundation
import LogTestSupport
import XferScript

/// Goes through a lifecycle with a real server, a real daemon and real lives of an app.
final class LifecycleCourse {
  let lifecycle: Lifecycle
  let device: Device
  private var plan: AppPlan
  /// The lives that were started here.
  var lives: [Running] = []
  var daemons: [Running] = []
  var killed: Set<pid_t> = []
  /// Tasks that ended when no life was there.
  var endedUnseen: Set<String> = []
  private var sessionsOfEnded: [String] { Set(lifecycle.tasks.filter { endedUnseen.contains($0.name) }.map(\.session)).sorted() }

  /// It took so long that something must wait for what never comes.
  struct Stuck: Error, CustomStringConvertible {
    let description: String
  }

  init(_ lifecycle: Lifecycle, on device: Device) throws {
    (self.lifecycle, self.device) = (lifecycle, device)
    plan = AppPlan(
      files: device.path("files"), said: device.path("said"), signals: device.directory.path, sessions: lifecycle.sessions,
      tasks: [])
    plan.tasks = try lifecycle.tasks.map { task in
      var planned = AppPlan.PlannedTask(
        name: task.name, session: task.session, url: device.url("/\(task.name)"), resourceTimeout: task.resourceTimeout)
      if task.isUpload { planned.source = try device.directory.write(task.bytes, to: "\(task.name).source") }
      planned.isTemporary = task.isTemporary
      return planned
    }
    (plan.flaw, plan.flawed, plan.isSessionThere) = (lifecycle.flaw, lifecycle.flawed, lifecycle.isSessionThere)
    plan.leavesAtOnce = lifecycle.firstLife == .leaves
    try plan.write(to: planPath)
    if lifecycle.cause == .wakeNeverHappens {
      try FileManager.default.copyItem(atPath: "\(ToolRun.directory)/lifecycle-probe", toPath: program)
    }
  }

  /// One of this lifecycle's own where it is to go.
  var program: String {
    lifecycle.cause == .wakeNeverHappens ? device.path("lifecycle-probe") : "\(ToolRun.directory)/lifecycle-probe"
  }
  private var planPath: String { device.path("plan.json") }
  var story: AppStory { AppStory(device.said) }

  func run() async throws -> LifecycleTruth {
    daemons.append(try await device.startListeningDaemon())
    let first = try start("begin")
    try await wait("the sessions") { story.has("opened") }
    if lifecycle.firstLife == .leaves || lifecycle.firstLife == .killed {
      try await endBeforeAnything(first)
    } else {
      device.touch(device.path("go"))
    }
    if lifecycle.tasks.contains(where: \.isHeld) { try await goOnMidway(first) }
    try await finish()
    device.stopDaemon()
    let files = lifecycle.tasks.compactMap { task in device.file(task.name).map { (task.name, $0) } }
    return LifecycleTruth(
      story: story, requests: device.server.requests, files: Dictionary(uniqueKeysWithValues: files),
      neverTold: Set(lifecycle.tasks.filter(isNeverTold).map(\.name)), wasKilled: !killed.isEmpty,
      sessionsOfEnded: sessionsOfEnded)
  }

  func end() { device.endProcesses() }

  @discardableResult func start(_ word: String) throws -> Running {
    let life = try Running(program, [word, planPath], device.environment)
    lives.append(life)
    return life
  }

  func kill(_ life: Running) {
    killed.insert(life.pid)
    life.kill()
  }

  func wait(_ what: String, pause: Duration = .milliseconds(3), until condition: () throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try !condition() {
      if ContinuousClock.now > deadline { throw Stuck(description: "waited for \(what)") }
      try await Task.sleep(for: pause)
    }
  }

  /// As whoever plays the device.
  func play(_ words: String...) throws {
    let run = try device.xfer(words)
    if run.status != 0 { throw Stuck(description: "xfer \(words.joined(separator: " ")): \(run.standardError)") }
  }

  // MARK: The first life

  /// Nothing can come before its end: its daemon is stopped.
  private func endBeforeAnything(_ first: Running) async throws {
    guard let daemon = device.daemon else { throw Stuck(description: "there is no daemon") }
    Foundation.kill(daemon, SIGSTOP)
    defer { Foundation.kill(daemon, SIGCONT) }
    device.touch(device.path("go"))
    try await wait("the tasks") { story.has("resumed") }
    if lifecycle.firstLife == .killed { kill(first) }
    try await wait("the first life's end") { first.status != nil }
    endedUnseen = Set(lifecycle.tasks.map(\.name))
    if lifecycle.cause == .wakeNeverHappens { unlink(program) }
    if lifecycle.isReopened { try start("open") }
  }

  // MARK: The end

  /// Whether a task's completion is never told, because of the cause.
  private func isNeverTold(_ task: LifecycleTask) -> Bool {
    switch lifecycle.cause {
    case .wakeNeverHappens: !lifecycle.isMended && endedUnseen.contains(task.name)
    case .sessionNotRecreated, .wrongIdentifier:
      task.session == lifecycle.flawed && !lifecycle.isMended && endedUnseen.contains(task.name)
    case .daemonLosesTasks: task.isHeld && lifecycle.firstLife.isGone
    default: false
    }
  }

  /// Nobody can be launched for what has ended, for longer than an app may have to wait.
  func waitInVain() async throws {
    try await wait("the launches to fail", pause: .milliseconds(50)) {
      // Of two wakes the launch for the one holds the other back.
      let hasFailed = try device.events("wake.held").contains { $0["holdWake"] == "launchFailed" }
      return try hasFailed && Set(device.events("wake.wanted").compactMap { $0["session"] }).isSuperset(of: sessionsOfEnded)
    }
    try play("conditions", "--clock", "+70m")
    guard lifecycle.isMended else { return }
    // The user finds out, and gets another copy.
    try FileManager.default.copyItem(atPath: "\(ToolRun.directory)/lifecycle-probe", toPath: program)
    // By the device's clock, which is ahead.
    try play("app", "launch", program, "open", planPath)
  }

  private func finish() async throws {
    if lifecycle.cause == .wakeNeverHappens { try await waitInVain() }
    let leavesSomething = [.makesNoSession, .makesAnother].contains(lifecycle.flaw)
    if leavesSomething {
      try await wait("the app to have nothing left to do") { story.has("idle") }
      if lifecycle.isMended {
        plan.flaw = nil
        try plan.write(to: planPath)
      } else {
        // Nobody is launched once more: there is no daemon, and none can be started.
        unlink(device.daemonProgram)
        device.stopDaemon()
      }
      device.touch(device.path("end"))
    }
    try await wait("the end") {
      let story = story
      return lifecycle.tasks.allSatisfy { isNeverTold($0) || !story.told($0.name).isEmpty }
        && story.lives.allSatisfy { $0.isOver || killed.contains($0.pid) } && lives.allSatisfy { $0.status != nil }
    }
  }
}
