import LogTestSupport
import XferScript

/// A random plan of everything that happens to an app and its transfers, derived from a seed.
struct Lifecycle {
  let seed: UInt64
  /// The defect. `nil` for a lifecycle without one.
  let cause: Cause?
  let sessions: [String]
  var tasks: [LifecycleTask] = []
  var flaw: AppPlan.Flaw?
  /// The session identifier or task name that the defect concerns.
  var flawed = ""
  var isSessionThere = false
  var firstLife = FirstLife.stays
  /// What happens while the server holds back responses.
  var trouble: Trouble?
  /// Whether the user opens the app before the daemon would launch it.
  var isReopened = false
  /// Whether a later launch of the app runs without the defect.
  var isMended = false
  var quit = Quit.inFront

  /// How the app process that creates the tasks ends.
  enum FirstLife: String, CaseIterable {
    /// The process exits after all tasks have ended.
    case stays
    /// The process exits before any task is started.
    case leaves
    /// The process is killed before any task is started.
    case killed
    /// The process is killed while the server holds back responses.
    case killedMidway

    var isGone: Bool { self != .stays }
  }

  enum Trouble: String, CaseIterable {
    case networkDrops, daemonRestarts
    /// The daemon is killed, which must be reported in addition to the defect.
    case daemonIsKilled
  }

  /// The state of the app when the user force-quits it.
  enum Quit: String, CaseIterable {
    case inFront, inBackground, suspended
  }

  init(seed: UInt64) {
    var random = SeededRandom(seed: seed &* 0x9E37 &+ 77)
    self.seed = seed
    // One of 13 lifecycles has no defect.
    let turn = Int(seed % 13)
    cause = turn < Cause.allCases.count ? Cause.allCases[turn] : nil
    sessions = Bool.random(using: &random) ? ["a"] : ["a", "b"]
    drawTasks(&random)
    drawCourse(&random)
    drawCause(&random)
    // A held connection must be ended by something.
    if firstLife == .killedMidway, trouble == nil { trouble = .networkDrops }
    if trouble != nil || cause == .forceQuit { hold(&random) }
  }

  /// The tasks that the defect concerns.
  var flawedTasks: [LifecycleTask] {
    switch cause {
    case .forceQuit, .daemonLosesTasks: tasks.filter(\.isHeld)
    default: tasks.filter { $0.name == flawed }
    }
  }

  // MARK: Random choices

  private mutating func drawTasks(_ random: inout SeededRandom) {
    let count = Int.random(in: 1...4, using: &random)
    for number in 0..<max(count, sessions.count) {
      // Each session gets at least one task.
      let session = number < sessions.count ? sessions[number] : sessions.randomElement(using: &random)!
      let isUpload = Int.random(in: 0..<3, using: &random) == 0
      let size = 1 << Int.random(in: 8...18, using: &random) + Int.random(in: 1...200, using: &random)
      var task = LifecycleTask(
        name: "t\(number)", session: session, isUpload: isUpload, size: size, manner: Self.manner(size, isUpload, &random))
      task.isTemporary = isUpload && Bool.random(using: &random)
      tasks.append(task)
    }
  }

  private static func manner(_ size: Int, _ isUpload: Bool, _ random: inout SeededRandom) -> LifecycleTask.Manner {
    let common: [LifecycleTask.Manner] = [
      .plain, .late(milliseconds: Int.random(in: 1...200, using: &random)), .redirected, .breaks(.reset), .breaks(.close),
      .refused([404, 410, 403, 500, 503].randomElement(using: &random)!),
    ]
    if isUpload { return common.randomElement(using: &random)! }
    let more: [LifecycleTask.Manner] = [
      .plain, .chunked(Int.random(in: 64...8192, using: &random)), .unknownLength,
      .pieces(max(size / 20, 64)), .slow(rate: size * 5),
    ]
    return (common + more).randomElement(using: &random)!
  }

  private mutating func drawCourse(_ random: inout SeededRandom) {
    firstLife = FirstLife.allCases.randomElement(using: &random)!
    if Int.random(in: 0..<3, using: &random) == 0 { trouble = Trouble.allCases.randomElement(using: &random)! }
    isReopened = firstLife.isGone && Int.random(in: 0..<3, using: &random) == 0
  }

  private mutating func drawCause(_ random: inout SeededRandom) {
    guard let cause else { return }
    func draw<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random)! }
    switch cause {
    case .handlerNeverCalled: blameWake([.forgetsHandler, .keepsHandler], &random)
    case .handlerTooEarly:
      blameWake([.callsHandlerAtOnce, .callsHandlerInCompletion], &random)
      isSessionThere = Bool.random(using: &random)
    case .sessionNotRecreated:
      blameWake([.makesNoSession], &random)
      isMended = Bool.random(using: &random)
    case .wrongIdentifier:
      blameWake([.makesAnother], &random)
      isMended = Bool.random(using: &random)
    case .wakeNeverHappens:
      (firstLife, isReopened) = (draw([.leaves, .killed, .killedMidway]), false)
      isMended = Bool.random(using: &random)
    case .fileNotMoved: blameDownload([.movesLater, .neverMoves], .plain, &random)
    case .destinationRefuses: blameDownload([.movesToMissing, .movesOntoDirectory], .plain, &random)
    case .errorTakenForSuccess:
      blameDownload([.takesErrorForSuccess], .refused(draw([400, 404, 410, 416, 429, 500, 502, 503])), &random)
    case .sourceDeleted:
      let place = Int.random(in: tasks.indices, using: &random)
      (tasks[place].isUpload, tasks[place].isTemporary) = (true, false)
      tasks[place].manner = .breaks(.reset)
      (flaw, flawed) = (.deletesSource, tasks[place].name)
    case .timeIsOver:
      let place = Int.random(in: tasks.indices, using: &random)
      tasks[place].manner = .silent
      tasks[place].resourceTimeout = draw([0.3, 0.7, 1])
      // A lost network would fail the transfer for another reason.
      if trouble == .networkDrops || firstLife == .killedMidway { trouble = .daemonRestarts }
      flawed = tasks[place].name
    case .forceQuit:
      (firstLife, trouble, isReopened) = (.stays, nil, true)
      quit = draw(Quit.allCases)
    case .daemonLosesTasks:
      firstLife = draw([.stays, .killedMidway])
      (trouble, isReopened) = (.daemonRestarts, true)
    }
  }

  /// Assigns a defect to a wake. The first process must exit early, because wakes happen only when the app is not running.
  private mutating func blameWake(_ flaws: [AppPlan.Flaw], _ random: inout SeededRandom) {
    (flaw, flawed) = (flaws.randomElement(using: &random)!, sessions.randomElement(using: &random)!)
    if !firstLife.isGone { firstLife = [.leaves, .killed].randomElement(using: &random)! }
    isReopened = false
  }

  private mutating func blameDownload(
    _ flaws: [AppPlan.Flaw], _ manner: LifecycleTask.Manner, _ random: inout SeededRandom
  ) {
    let place = Int.random(in: tasks.indices, using: &random)
    (tasks[place].isUpload, tasks[place].isTemporary, tasks[place].manner) = (false, false, manner)
    (flaw, flawed) = (flaws.randomElement(using: &random)!, tasks[place].name)
  }

  /// Selects the tasks whose responses the server holds back.
  private mutating func hold(_ random: inout SeededRandom) {
    // For a wake defect, only tasks of its session are held. Otherwise, the defective task is not held.
    let places = tasks.indices.filter { place in
      sessions.contains(flawed) ? tasks[place].session == flawed : tasks[place].name != flawed
    }
    guard !places.isEmpty else {
      // Without a held task, nothing can happen during a transfer.
      trouble = nil
      if firstLife == .killedMidway { firstLife = .killed }
      return
    }
    let count = Int.random(in: 1...places.count, using: &random)
    for place in places.shuffled(using: &random).prefix(count) { (tasks[place].isHeld, tasks[place].manner) = (true, .plain) }
  }
}

extension Lifecycle: CustomStringConvertible {
  var description: String {
    var words = ["seed \(seed), \(cause?.rawValue ?? "no defect"):", "first launch \(firstLife.rawValue)"]
    if let flaw { words.append("\(flaw.rawValue) \(flawed)\(isSessionThere ? " with its session there" : "")") }
    if let trouble { words.append(trouble.rawValue) }
    if isReopened { words.append("reopened by the user") }
    if isMended { words.append("fixed later") }
    if cause == .forceQuit { words.append("force-quit \(quit.rawValue)") }
    return words.joined(separator: ", ") + "; tasks: " + tasks.map(\.description).joined(separator: "; ")
  }
}
