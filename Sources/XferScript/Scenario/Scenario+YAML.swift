#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Scenario {
  /// Reads a scenario from a file.
  package init(contentsOf path: String) throws(ScriptError) {
    try self.init(ScriptNode(contentsOf: path))
  }

  /// Reads a scenario from its text. Errors name `file` as the source.
  ///
  /// Only `scenario` and `steps` are required. In program arguments, `$SERVER` stands for the server's address, `$FILES` for
  /// the folder of files, and `$DIR` for a folder that belongs to the run:
  /// ```yaml
  /// scenario: A killed app finds its file after a relaunch
  /// server: { seed: 7 }                       # as in a script of `xfer serve`
  /// routes:
  ///   - { path: /pot, respond: { body: { size: 50000, seed: 1 } } }
  /// files:
  ///   letter.txt: { size: 10kB, seed: 2 }
  /// actors:                                   # scripted apps, each a program of its own
  ///   reader: { app: Reader, launch: [{ session: com.example.reader }] }
  /// steps:
  ///   - launch: [kettle, fetch, --into, $FILES, $SERVER/pot]
  ///     as: kettle                            # defaults to the program's name
  ///     background: false
  ///     environment: { NAME: value }
  ///   - wait: { event: attempt.bytesReceived, with: { session: com.example.kettle }, count: 2, within: 10s }
  ///   - wait: { exit: kettle, count: 2 }      # or file: NAME
  ///   - kill: kettle                          # SIGKILL; because: memoryPressure, or another reason of process.exitObserved
  ///   - background: kettle                    # or foreground, suspend, resume, force-quit
  ///   - trigger: { app: kettle, kind: region, name: home }
  ///   - conditions: { network: down, power: battery, background-refresh: false, locked: true, disk: 10MB, clock: +10m }
  ///   - daemon: kill                          # or stop, start
  ///   - device: restart
  ///   - file: { write: letter.txt, size: 10kB, seed: 1 }   # or append, delete, rename, mode
  ///   - pause: 500ms
  ///   - run: [program, argument]
  ///     exit: 0
  /// expect:
  ///   findings: [crash-mid-transfer]          # rules of the root findings; [] for none
  ///   includes: [lost-completion]             # rules of any findings
  ///   excludes: [log-gap]
  ///   certainty: { crash-mid-transfer: certain }
  ///   variant: { session-leak: never let go }
  ///   verdict: findings
  ///   ends: { kettle: [signal 9, exitCall 0] }
  ///   tasks: { succeeded: 1 }
  ///   files: { pot: { size: 50000, seed: 1 } }
  ///   no-files: [other]
  ///   requests: 2
  ///   events: [{ event: attempt.responseReceived, with: { expected: null } }]
  ///   no-events: [{ event: wake.launched }]
  /// ```
  package init(yaml: String, file: String = "scenario") throws(ScriptError) {
    try self.init(ScriptNode(yaml: yaml, file: file))
  }

  init(_ node: ScriptNode) throws(ScriptError) {
    let fields = try node.fields(["scenario", "server", "routes", "files", "actors", "steps", "expect", "twin"])
    title = try fields.required("scenario", "Describe the scenario in one line: `scenario: …`.").text()
    server = try ServerScript(server: fields["server"], routes: fields["routes"])
    files = try fields["files"].map { node throws(ScriptError) in try File.list(node) } ?? []
    actors = try fields["actors"].map { node throws(ScriptError) in try Actor.list(node) } ?? []
    steps = []
    for step in try fields.required("steps", "List the steps: `steps: [{ launch: [program] }]`.").list() {
      steps.append(Step(action: try Action(step), place: step.place))
    }
    expectation = try fields["expect"].map { node throws(ScriptError) in try Expectation(node) } ?? Expectation()
  }
}

extension Scenario.File {
  static func list(_ node: ScriptNode) throws(ScriptError) -> [Self] {
    var files: [Self] = []
    for (name, value) in try node.entries() {
      let fields = try value.fields(["size", "seed"])
      files.append(
        Self(
          name: name,
          content: GeneratedBytes(
            seed: try fields["seed"]?.seed() ?? 0,
            count: try fields.required("size", "Write `{ size: 10kB, seed: 1 }`.").size())))
    }
    return files
  }
}

extension Scenario.Action {
  private static let verbs = [
    "launch", "run", "wait", "kill", "foreground", "background", "suspend", "resume", "force-quit", "trigger", "conditions",
    "daemon", "device", "file", "pause",
  ]

  fileprivate init(_ node: ScriptNode) throws(ScriptError) {
    let fields = try node.fields(Self.verbs + ["as", "environment", "exit", "because"])
    let advice = "Write one of: \(Self.verbs.joined(separator: ", "))."
    // `background` names a separate step, and is also an option of a launch.
    let verbs = fields["launch"] == nil ? Self.verbs : Self.verbs.filter { $0 != "background" }
    guard let (verb, value) = try fields.only(verbs, advice) else { throw node.failure("the step has no known action", advice) }
    let belonging = ["launch": ["as", "environment"], "run": ["exit"], "kill": ["because"]][verb] ?? []
    for key in ["as", "environment", "exit", "because"] where !belonging.contains(key) {
      if let stray = fields[key] { throw stray.failure("`\(key)` is not an option of `\(verb)`", "Remove `\(key)`.") }
    }
    switch verb {
    case "launch": self = .launch(try Scenario.Launch(value, fields))
    case "run": self = .run(try value.words(), exit: try fields["exit"]?.integer() ?? 0)
    case "wait": self = .wait(try Scenario.Wait(value))
    case "kill": self = .kill(app: try value.text(), because: try fields["because"]?.text() ?? "signal")
    case "force-quit": self = .forceQuit(app: try value.text())
    case "trigger":
      let fields = try value.fields(["app", "kind", "name"])
      self = .trigger(
        app: try fields.required("app", "Name the app.").text(),
        kind: try fields.required("kind", "Write significantLocation, region, push, timer, appRefresh or processing.").text(),
        name: try fields["name"]?.text())
    case "conditions": self = .conditions(try ConditionChange(value))
    case "daemon": self = .daemon(try value.choice(Scenario.DaemonOrder.self))
    case "device": self = .device(try value.choice(Scenario.DeviceOrder.self))
    case "file": self = .file(try Scenario.FileChange(value))
    case "pause": self = .pause(try value.duration())
    default: self = .order(Scenario.Order(rawValue: verb)!, app: try value.text())
    }
  }
}

extension Scenario.FileChange {
  fileprivate init(_ node: ScriptNode) throws(ScriptError) {
    let fields = try node.fields(["write", "append", "delete", "rename", "mode", "size", "seed", "text", "to"])
    let verbs = ["write", "append", "delete", "rename", "mode"]
    let advice = "Write one of: \(verbs.joined(separator: ", "))."
    guard let (verb, value) = try fields.only(verbs, advice) else {
      throw node.failure("the step does not say what to do", advice)
    }
    let name = try value.text()
    switch verb {
    case "write":
      if let text = fields["text"] {
        self = .writeText(name, try text.text())
      } else {
        let size = try fields.required("size", "Write `size: 10kB` or `text: …`.").size()
        self = .write(name, GeneratedBytes(seed: try fields["seed"]?.seed() ?? 0, count: size))
      }
    case "append": self = .append(name, try fields.required("text", "Write the text to append.").text())
    case "rename": self = .rename(name, to: try fields.required("to", "Write the new name.").text())
    case "mode":
      let mode = try fields.required("to", "Write the permissions in octal digits, such as 000.")
      guard let number = Int(try mode.text(), radix: 8), 0...0o7777 ~= number else {
        throw mode.failure("`\(try mode.text())` is no file mode", "Write octal digits, such as 600.")
      }
      self = .setMode(name, number)
    default: self = .delete(name)
    }
  }
}

extension Scenario.Launch {
  fileprivate init(_ node: ScriptNode, _ fields: ScriptFields) throws(ScriptError) {
    words = try node.words()
    name = try fields["as"]?.text() ?? words[0].split(separator: "/").last.map(String.init) ?? words[0]
    isBackground = try fields["background"]?.flag() ?? false
    for (name, value) in try fields["environment"]?.entries() ?? [] { environment[name] = try value.text() }
  }
}

extension Scenario.Wait {
  fileprivate init(_ node: ScriptNode) throws(ScriptError) {
    let fields = try node.fields(["event", "with", "exit", "file", "count", "within"])
    let advice = "Write `event: NAME`, `exit: APP` or `file: NAME`."
    guard let (key, value) = try fields.only(["event", "exit", "file"], advice) else {
      throw node.failure("the wait does not say what to wait for", advice)
    }
    switch key {
    case "event": subject = .event(try Scenario.EventPattern(value, fields["with"]))
    case "exit": subject = .exit(app: try value.text())
    default: subject = .file(try value.text())
    }
    count = try fields["count"]?.integer() ?? count
    limit = try fields["within"]?.duration() ?? limit
  }
}

extension Scenario.EventPattern {
  fileprivate init(_ event: ScriptNode, _ with: ScriptNode?) throws(ScriptError) {
    self.event = try event.text()
    for (name, value) in try with?.entries() ?? [] { fields[name] = .some(value.isNull ? nil : try value.text()) }
  }

  fileprivate static func list(_ node: ScriptNode?) throws(ScriptError) -> [Self] {
    var patterns: [Self] = []
    for member in node?.list() ?? [] {
      let fields = try member.fields(["event", "with"])
      patterns.append(try Self(fields.required("event", "Write `{ event: NAME }`."), fields["with"]))
    }
    return patterns
  }
}

extension Scenario.Expectation {
  init(_ node: ScriptNode) throws(ScriptError) {
    let fields = try node.fields([
      "findings", "includes", "excludes", "certainty", "variant", "verdict", "ends", "tasks", "files", "no-files", "requests",
      "events", "no-events",
    ])
    findings = try fields["findings"]?.texts().sorted()
    included = try fields["includes"]?.texts() ?? []
    excluded = try fields["excludes"]?.texts() ?? []
    for (rule, words) in try fields["certainty"]?.entries() ?? [] { certainties[rule] = try words.texts() }
    for (rule, words) in try fields["variant"]?.entries() ?? [] { variants[rule] = try words.texts() }
    verdict = try fields["verdict"]?.text()
    for (app, lives) in try fields["ends"]?.entries() ?? [] { ends[app] = try lives.texts() }
    if let node = fields["tasks"] {
      var counts: [String: Int] = [:]
      for (outcome, count) in try node.entries() { counts[outcome] = try count.integer() }
      tasks = counts
    }
    files = try fields["files"].map { node throws(ScriptError) in try Scenario.File.list(node) } ?? []
    absentFiles = try fields["no-files"]?.texts() ?? []
    requests = try fields["requests"]?.integer()
    events = try Scenario.EventPattern.list(fields["events"])
    absentEvents = try Scenario.EventPattern.list(fields["no-events"])
  }
}
