import XferYAML

extension ActorScript {
  package init(contentsOf path: String) throws(ScriptError) { try self.init(ScriptNode(contentsOf: path)) }

  package init(yaml: String, file: String = "actor") throws(ScriptError) { try self.init(ScriptNode(yaml: yaml, file: file)) }

  init(_ node: ScriptNode) throws(ScriptError) {
    let fields = try node.fields([
      "app", "launch", "on", "files", "suspendable", "registers", "extension", "calls-on-main", "privacy", "container",
    ])
    title = try fields.required("app", "Name the app: `app: Reader`.").text()
    (always, launches, reactions, files) = ([], [:], [:], [])
    if let launch = fields["launch"] { try read(launch) }
    if let on = fields["on"] {
      for (name, steps) in try on.entries() {
        guard let callback = Callback(rawValue: name) else { throw on.unknown(name, among: Callback.allCases.map(\.rawValue)) }
        reactions[callback] = try ActorStep.list(steps, budget: ActorStep.repetitionLimit)
      }
    }
    if let node = fields["files"] { files = try Scenario.File.list(node) }
    isSuspendable = try fields["suspendable"]?.flag() ?? isSuspendable
    registers = try fields["registers"]?.flag() ?? registers
    isExtension = try fields["extension"]?.flag() ?? isExtension
    callsOnMain = try fields["calls-on-main"]?.flag() ?? callsOnMain
    privacy = try fields["privacy"]?.choice(Privacy.self) ?? privacy
    container = try fields["container"]?.text()
  }

  private mutating func read(_ launch: ScriptNode) throws(ScriptError) {
    guard case .mapping = launch.node.content else {
      always = try ActorStep.list(launch, budget: ActorStep.repetitionLimit)
      return
    }
    let fields = try launch.fields(["always"] + Launch.allCases.map(\.rawValue))
    if let node = fields["always"] { always = try ActorStep.list(node, budget: ActorStep.repetitionLimit) }
    for reason in Launch.allCases {
      if let node = fields[reason.rawValue] {
        launches[reason] = try ActorStep.list(node, budget: ActorStep.repetitionLimit)
      }
    }
  }
}

extension ActorStep {
  /// The largest number of times that a step may run, including the repetitions of the steps that it belongs to.
  static let repetitionLimit = 100_000
  private static let modifiers = ["when", "after", "on", "times", "every", "otherwise"]

  static func list(_ node: ScriptNode, budget: Int) throws(ScriptError) -> [ActorStep] {
    if node.isNull { return [] }
    var steps: [ActorStep] = []
    for member in node.list() { steps.append(try ActorStep(member, budget: budget)) }
    return steps
  }

  init(_ node: ScriptNode, budget: Int) throws(ScriptError) {
    let verbs = ActorShape.verbs.keys.sorted()
    (place, line) = (node.place, node.node.place.line)
    otherwise = []
    if let word = node.node.scalar {
      guard let shape = ActorShape.verbs[word] else { throw node.unknownAction(word, among: verbs) }
      guard shape.isOptional else {
        throw node.failure("`\(word)` has no value", "Write for example `\(shape.example)`.")
      }
      (verb, arguments) = (word, ActorArguments())
      return
    }
    let fields = try node.fields(
      verbs + Self.modifiers, listing: "an action, or one of: \(Self.modifiers.joined(separator: ", "))")
    guard let (verb, value) = try fields.only(verbs, "Write one action per step.") else {
      throw node.failure("the step has no action", "Write one of: \(verbs.joined(separator: ", ")).")
    }
    guard let shape = ActorShape.verbs[verb] else { throw node.unknownAction(verb, among: verbs) }
    self.verb = verb
    if let node = fields["times"] {
      times = try node.integer()
      guard 1...budget ~= times else {
        throw node.failure("the step would run \(times) times", "Write a number from 1 to \(budget).")
      }
    }
    arguments = try shape.arguments(value, budget: budget / times)
    condition = try fields["when"].map { node throws(ScriptError) in try ActorCondition(node) }
    delay = try fields["after"]?.duration()
    queue = try fields["on"]?.choice(Queue.self)
    interval = try fields["every"]?.duration()
    if let node = fields["otherwise"] { otherwise = try Self.list(node, budget: budget / times) }
  }
}

extension ActorCondition {
  init(_ node: ScriptNode) throws(ScriptError) {
    let fields = try node.fields([
      "task", "session", "url", "status", "error", "resumable", "file", "nth", "launch", "woken", "background", "received",
      "delegate",
      "trigger", "available", "exists", "missing", "once",
    ])
    task = try fields["task"]?.text()
    session = try fields["session"]?.text()
    url = try fields["url"]?.text()
    if let node = fields["status"] {
      let text = try node.text()
      guard ["ok", "bad"].contains(text) || Int(text) != nil else {
        throw node.failure("`\(text)` is not a status", "Write a number, `ok` or `bad`.")
      }
      status = text
    }
    error = try fields["error"]?.text()
    hasResumeData = try fields["resumable"]?.flag()
    hasFile = try fields["file"]?.flag()
    nth = try fields["nth"]?.integer()
    launch = try fields["launch"]?.integer()
    isWoken = try fields["woken"]?.flag()
    isBackground = try fields["background"]?.flag()
    received = try fields["received"]?.size()
    delegate = try fields["delegate"]?.text()
    trigger = try fields["trigger"]?.text()
    isAvailable = try fields["available"]?.flag()
    existing = try fields["exists"]?.text()
    missing = try fields["missing"]?.text()
    once = try fields["once"]?.flag() ?? false
  }
}

extension ScriptNode {
  /// Returns the error for an unknown key of this mapping, at the key's place.
  fileprivate func unknown(_ name: String, among known: [String]) -> ScriptError {
    guard case .mapping(let pairs) = node.content, let key = pairs.first(where: { $0.key.scalar == name })?.key else {
      return unknownAction(name, among: known)
    }
    let guess = ScriptError.suggestion(for: name, among: known).map { "Did you mean `\($0)`? " } ?? ""
    return ScriptNode(node: key, key: self.key).failure(
      "unknown key `\(name)`", guess + "Known keys: \(known.joined(separator: ", ")).", .unknownKey)
  }

  fileprivate func unknownAction(_ word: String, among known: [String]) -> ScriptError {
    let guess = ScriptError.suggestion(for: word, among: known).map { "Did you mean `\($0)`? " } ?? ""
    return failure("unknown action `\(word)`", guess + "Write one of: \(known.joined(separator: ", ")).", .unknownKey)
  }
}
