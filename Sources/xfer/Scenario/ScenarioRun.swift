import Foundation
import XferEngine
import XferEvents
import XferScript

/// Runs a scenario with real processes.
struct ScenarioRun {
  let scenario: Scenario
  let sandbox: Sandbox
  let server: ScriptedServer
  private let feed: EventFeed
  /// The paths of launched programs, keyed by their names in the scenario.
  private var apps: [String: String] = [:]

  init(_ scenario: Scenario, _ sandbox: Sandbox, _ server: ScriptedServer) throws {
    (self.scenario, self.sandbox, self.server) = (scenario, sandbox, server)
    feed = try EventFeed(xferlog: sandbox.program("xferlog"), log: sandbox.log)
  }

  /// Runs all steps and compares the results with the expectation.
  ///
  /// - Returns: The differences. Empty when every expectation is met.
  mutating func play() throws(CommandExit) -> [String] {
    defer { feed.stop() }
    do {
      for file in scenario.files { try write(file) }
      for actor in scenario.actors { try sandbox.install(actor) }
    } catch {
      throw CommandExit(Execution.wrongUsage, "a file of the scenario cannot be written: \(error.localizedDescription)")
    }
    _ = try sandbox.device.ask(.conditions)
    var problems: [String] = []
    for step in scenario.steps {
      do throws(CommandExit) {
        try take(step.action)
      } catch {
        problems.append("\(step.place): \(error.reason ?? "the step failed")")
        break
      }
    }
    sandbox.close(running)
    problems += try ScenarioOutcome(sandbox, server, apps).differences(from: scenario.expectation)
    return problems
  }

  private func write(_ file: Scenario.File) throws {
    try Data(file.content.bytes(in: 0..<file.content.count)).write(to: URL(fileURLWithPath: "\(sandbox.files)/\(file.name)"))
  }

  private var running: [Int32] {
    guard case .apps(let apps)? = try? sandbox.device.ask(.apps) else { return [] }
    return apps.flatMap { $0.processes.map(\.pid) }
  }

  // MARK: Steps

  private mutating func take(_ action: Scenario.Action) throws(CommandExit) {
    let control = AppControl(link: sandbox.device)
    switch action {
    case .launch(let launch): try start(launch, control)
    case .run(let words, let exit): try run(words, exit: exit)
    case .wait(let wait): try self.wait(wait)
    case .kill(let app, let because):
      guard let reason = ExitReason.allCases.first(where: { $0.name == because }) else {
        throw CommandExit(
          1, "`\(because)` is not an exit reason; expected one of \(ExitReason.allCases.map(\.name).joined(separator: ", "))")
      }
      try control.kill(path(app), because: reason)
    case .order(let order, let app): try control.order(AppOrder(rawValue: order.rawValue)!, path(app))
    case .forceQuit(let app): try control.forceQuit(path(app))
    case .trigger(let app, let kind, let name):
      guard let kind = LaunchTrigger.Kind(rawValue: kind) else { throw CommandExit(1, "`\(kind)` is not a kind of trigger") }
      try control.fire(kind, name, path(app))
    case .conditions(let change):
      guard case .conditions(var conditions) = try sandbox.device.ask(.conditions) else { return }
      conditions.apply(change)
      _ = try sandbox.device.ask(.setConditions(conditions))
    case .daemon(.start): _ = try sandbox.device.ask(.conditions)
    case .daemon(.stop): sandbox.device.endDaemon(SIGTERM)
    case .daemon(.kill): sandbox.device.endDaemon(SIGKILL)
    case .device(.restart): try sandbox.device.restart()
    case .file(let change): try self.change(change)
    case .pause(let time): Thread.sleep(forTimeInterval: time / .seconds(1))
    }
  }

  private func path(_ app: String) throws(CommandExit) -> String {
    guard let path = apps[app] else { throw CommandExit(1, "no app named \(app) was launched before this step") }
    return path
  }

  private mutating func start(_ launch: Scenario.Launch, _ control: AppControl) throws(CommandExit) {
    let isActor = scenario.actors.contains { $0.name == launch.words[0] }
    let program = try isActor ? sandbox.program(of: launch.words[0]) : sandbox.program(launch.words[0])
    apps[launch.name] = program
    let given = launch.words.dropFirst().map(filled)
    _ = try control.launch(
      program, isActor ? sandbox.arguments(of: launch.words[0], server: server.url("")) + given : given,
      environment: sandbox.environment.merging(launch.environment.mapValues(filled)) { _, given in given },
      isBackground: launch.isBackground)
  }

  private func run(_ words: [String], exit: Int) throws(CommandExit) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try sandbox.program(words[0]))
    process.arguments = words.dropFirst().map(filled)
    process.environment = sandbox.environment
    process.standardOutput = FileHandle.standardError
    process.standardInput = FileHandle.nullDevice
    do { try process.run() } catch { throw CommandExit(1, "\(words[0]) could not be started: \(error.localizedDescription)") }
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == exit else {
      throw CommandExit(1, "\(words.joined(separator: " ")) exited with \(process.terminationStatus), expected \(exit)")
    }
  }

  /// Returns a word with `$SERVER`, `$FILES` and `$DIR` replaced by the values of this run.
  private func filled(_ word: String) -> String {
    word.replacingOccurrences(of: "$SERVER", with: server.url("")).replacingOccurrences(of: "$FILES", with: sandbox.files)
      .replacingOccurrences(of: "$DIR", with: sandbox.directory)
  }

  // MARK: Files

  private func change(_ change: Scenario.FileChange) throws(CommandExit) {
    let files = FileManager.default
    do {
      switch change {
      case .write(let name, let content): try Data(content.bytes(in: 0..<content.count)).write(to: url(name))
      case .writeText(let name, let text): try Data(filled(text).utf8).write(to: url(name))
      case .append(let name, let text):
        let handle = try FileHandle(forWritingTo: url(name))
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(filled(text).utf8))
      case .delete(let name): try files.removeItem(at: url(name))
      case .rename(let name, let other): try files.moveItem(at: url(name), to: url(other))
      case .setMode(let name, let mode): try files.setAttributes([.posixPermissions: mode], ofItemAtPath: url(name).path)
      }
    } catch {
      throw CommandExit(1, "the file cannot be changed: \(error.localizedDescription)")
    }
  }

  private func url(_ name: String) -> URL {
    let name = filled(name)
    return URL(fileURLWithPath: name.hasPrefix("/") ? name : "\(sandbox.files)/\(name)")
  }

  private func wait(_ wait: Scenario.Wait) throws(CommandExit) {
    let limit = Int(clamping: Int64(wait.limit / .milliseconds(1)))
    let deadline = DispatchTime.now() + .milliseconds(limit)
    let (what, found): (String, Int)
    switch wait.subject {
    case .event(let pattern): (what, found) = (pattern.event, feed.wait(for: wait.count, until: deadline) { $0.matches(pattern) })
    case .exit(let app):
      let path = try path(app)
      what = "the end of \(app)"
      found = feed.wait(for: wait.count, until: deadline) { $0.ending != nil && $0["by"] == "daemon" && $0["executable"] == path }
    case .file(let name):
      what = "the file \(name)"
      found = waitForFile("\(sandbox.files)/\(name)", until: deadline) ? wait.count : 0
    }
    if found < wait.count {
      throw CommandExit(
        1, "timed out after \(wait.limit) waiting for \(what)\(wait.count > 1 ? " (seen \(found) of \(wait.count) times)" : "")")
    }
  }

  private func waitForFile(_ path: String, until deadline: DispatchTime) -> Bool {
    while !FileManager.default.fileExists(atPath: path) {
      if DispatchTime.now() > deadline { return false }
      poll(nil, 0, 10)
    }
    return true
  }
}
