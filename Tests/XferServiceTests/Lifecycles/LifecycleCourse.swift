import Foundation
import LogTestSupport
import XferScript

/// The execution of a lifecycle with a scripted server, a real daemon and real app processes.
final class LifecycleCourse {
  let lifecycle: Lifecycle
  let device: Device
  private var plan: AppPlan
  /// The app processes that the test started.
  var lives: [Running] = []
  var daemons: [Running] = []
  var killed: Set<pid_t> = []
  /// The names of tasks that ended while no app process was running.
  var endedUnseen: Set<String> = []
  private var sessionsOfEnded: [String] { Set(lifecycle.tasks.filter { endedUnseen.contains($0.name) }.map(\.session)).sorted() }

  /// An error thrown when a step fails or times out.
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

  /// The path of the app's program. A separate copy is used when the program must be removed.
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
      if ContinuousClock.now > deadline { throw Stuck(description: "timed out waiting for \(what)") }
      try await Task.sleep(for: pause)
    }
  }

  /// Runs the `xfer` tool to simulate device conditions.
  func play(_ words: String...) throws {
    let run = try device.xfer(words)
    if run.status != 0 { throw Stuck(description: "xfer \(words.joined(separator: " ")): \(run.standardError)") }
  }

  // MARK: First launch

  /// Ends the first process before any result can arrive, by stopping the daemon meanwhile.
  private func endBeforeAnything(_ first: Running) async throws {
    guard let daemon = device.daemon else { throw Stuck(description: "no daemon is running") }
    Foundation.kill(daemon, SIGSTOP)
    defer { Foundation.kill(daemon, SIGCONT) }
    device.touch(device.path("go"))
    try await wait("the tasks") { story.has("resumed") }
    if lifecycle.firstLife == .killed { kill(first) }
    try await wait("the first process to exit") { first.status != nil }
    endedUnseen = Set(lifecycle.tasks.map(\.name))
    if lifecycle.cause == .wakeNeverHappens { unlink(program) }
    if lifecycle.isReopened { try start("open") }
  }

  // MARK: Completion

  /// Returns whether the defect prevents the app from receiving a task's completion.
  private func isNeverTold(_ task: LifecycleTask) -> Bool {
    switch lifecycle.cause {
    case .wakeNeverHappens: !lifecycle.isMended && endedUnseen.contains(task.name)
    case .sessionNotRecreated, .wrongIdentifier:
      task.session == lifecycle.flawed && !lifecycle.isMended && endedUnseen.contains(task.name)
    case .daemonLosesTasks: task.isHeld && lifecycle.firstLife.isGone
    default: false
    }
  }

  /// Waits until launches have failed for longer than the maximum launch delay.
  func waitInVain() async throws {
    try await wait("the launches to fail", pause: .milliseconds(50)) {
      // With two wakes, the launch for one wake holds back the other.
      let hasFailed = try device.events("wake.held").contains { $0["holdWake"] == "launchFailed" }
      return try hasFailed && Set(device.events("wake.wanted").compactMap { $0["session"] }).isSuperset(of: sessionsOfEnded)
    }
    try play("conditions", "--clock", "+70m")
    guard lifecycle.isMended else { return }
    // The user reinstalls the app.
    try FileManager.default.copyItem(atPath: "\(ToolRun.directory)/lifecycle-probe", toPath: program)
    // Uses `xfer app launch`, so that the process follows the device's clock, which is ahead.
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
        // Prevents another launch by ending the daemon and removing its program.
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
