import LogTestSupport
import XferScript

/// All that happens to an app and its transfers, drawn from a seed.
struct Lifecycle {
  let seed: UInt64
  /// `nil` for one with which all is well.
  let cause: Cause?
  let sessions: [String]
  var tasks: [LifecycleTask] = []
  var flaw: AppPlan.Flaw?
  /// The session, or the name of the task, that the cause is about.
  var flawed = ""
  var isSessionThere = false
  var firstLife = FirstLife.stays
  /// What happens while tasks are held.
  var trouble: Trouble?
  /// Whether the user opens the app again, before the daemon has anything to launch it for.
  var isReopened = false
  /// Whether the app's next life is a program without the flaw.
  var isMended = false
  var quit = Quit.inFront

  /// How the life that makes the tasks ends.
  enum FirstLife: String, CaseIterable {
    /// When all tasks are over.
    case stays
    /// By itself, before anything was carried.
    case leaves
    /// By SIGKILL, before anything was carried.
    case killed
    /// By SIGKILL, while tasks are held.
    case killedMidway

    var isGone: Bool { self != .stays }
  }

  enum Trouble: String, CaseIterable {
    case networkDrops, daemonRestarts
    /// By SIGKILL, which is found beside the cause.
    case daemonIsKilled
  }

  /// Where the app is when its user sweeps it away.
  enum Quit: String, CaseIterable {
    case inFront, inBackground, suspended
  }

  init(seed: UInt64) {
    var random = SeededRandom(seed: seed &* 0x9E37 &+ 77)
    self.seed = seed
    // Each thirteenth has none.
    let turn = Int(seed % 13)
    cause = turn < Cause.allCases.count ? Cause.allCases[turn] : nil
    sessions = Bool.random(using: &random) ? ["a"] : ["a", "b"]
    drawTasks(&random)
    drawCourse(&random)
    drawCause(&random)
    // A connection that is held has to be let go.
    if firstLife == .killedMidway, trouble == nil { trouble = .networkDrops }
    if trouble != nil || cause == .forceQuit { hold(&random) }
  }

  /// The tasks that the cause is about.
  var flawedTasks: [LifecycleTask] {
    switch cause {
    case .forceQuit, .daemonLosesTasks: tasks.filter(\.isHeld)
    default: tasks.filter { $0.name == flawed }
    }
  }

  // MARK: What is drawn

  private mutating func drawTasks(_ random: inout SeededRandom) {
    let count = Int.random(in: 1...4, using: &random)
    for number in 0..<max(count, sessions.count) {
      // Each session has one at least.
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
      // Without the network it would fail for that.
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

  /// Wakes are for lives that were not there when the tasks ended.
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

  /// A task that the cause is about is not held.
  private mutating func hold(_ random: inout SeededRandom) {
    // A wake is for a session of which something was still to come.
    let places = tasks.indices.filter { place in
      sessions.contains(flawed) ? tasks[place].session == flawed : tasks[place].name != flawed
    }
    guard !places.isEmpty else {
      // Nothing to hold: then nothing happens midway.
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
    var words = ["seed \(seed), \(cause?.rawValue ?? "nothing wrong"):", "first life \(firstLife.rawValue)"]
    if let flaw { words.append("\(flaw.rawValue) \(flawed)\(isSessionThere ? " with its session there" : "")") }
    if let trouble { words.append(trouble.rawValue) }
    if isReopened { words.append("reopened by the user") }
    if isMended { words.append("mended later") }
    if cause == .forceQuit { words.append("swept away \(quit.rawValue)") }
    return words.joined(separator: ", ") + "; tasks: " + tasks.map(\.description).joined(separator: "; ")
  }
}
