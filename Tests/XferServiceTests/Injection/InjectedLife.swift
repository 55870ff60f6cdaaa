import LogTestSupport

/// A random plan of an app, its device and its server, with injected causes, derived from a seed.
struct InjectedLife {
  let seed: UInt64
  /// Tasks that end in the app's first launch, or, for causes that show later, after the clock has advanced.
  private(set) var pieces: [InjectedPiece] = []
  private(set) var course: InjectedCourse?
  /// How the first launch ends if the plan has no course.
  private(set) var ending = ""

  static let immediate = InjectedCause.allCases.filter { cause in
    !later.contains(cause) && !InjectedCourse.wakes.contains(cause) && !InjectedCourse.events.contains(cause)
  }
  static let later: [InjectedCause] = [
    .neverResumed, .challengeUnanswered, .redirectUnanswered, .delayUnanswered, .bodyStopped, .temporaryFileKept, .recordDeleted,
    .addressExpired, .networkNotAllowed, .noRoute, .connectionsHeld, .discretionaryOnBattery, .timeoutsHidden,
  ]

  /// - Parameter only: The only cause, for tests of one cause. `nil` draws the causes.
  init(seed: UInt64, only: InjectedCause? = nil) {
    self.seed = seed
    var maker = PieceMaker(random: SeededRandom(seed: seed &* 0x9E37 &+ 41))
    // Each cause has its turn, so that all occur equally often. A quarter of the plans has no cause at all.
    let isCaused = only != nil || seed % 4 != 3
    let turns = only.map { [$0] } ?? Self.turns(seed)
    // A launch for the events of one session must not create another.
    let backgrounds =
      turns.contains(where: InjectedCourse.wakes.contains) ? [.background] : [InjectedSession.background, .otherBackground]
    for cause in turns {
      maker.session = maker.choose([.work] + backgrounds)
      let piece =
        maker.ofApp(cause, isCaused: isCaused) ?? maker.ofServer(cause, isCaused: isCaused)
        ?? maker.later(cause, isCaused: isCaused)
      if let piece {
        pieces.append(piece)
      } else if course == nil {
        course = InjectedCourse(cause, isCaused: isCaused, &maker)
      }
    }
    for _ in 0..<maker.number(3...6) {
      maker.session = maker.choose([.work] + backgrounds)
      pieces.append(maker.correct())
    }
    pieces.shuffle(using: &maker.random)
    if course == nil {
      ending = maker.choose(["", "force-quit: reader", "kill: reader\n    because: memoryPressure", "device: restart"])
    }
  }

  /// Three causes that show at once, one that shows later, and a course.
  private static func turns(_ seed: UInt64) -> [InjectedCause] {
    let turn = Int(seed / 4 * 3 + seed % 4)
    let courses = InjectedCourse.wakes + InjectedCourse.events
    let immediate = (0..<3).map { Self.immediate[(turn * 3 + $0) % Self.immediate.count] }
    let course = turn % 5 == 0 ? nil : courses[turn % courses.count]
    let isAlone = course.map(InjectedCourse.needingFreshState.contains) ?? false
    return immediate + (isAlone ? [] : [later[turn % later.count]]) + (course.map { [$0] } ?? [])
  }

  /// All pieces, with that of the course.
  var allPieces: [InjectedPiece] { pieces + (course.map { [$0.piece] } ?? []) }

  /// Whether a process is killed.
  var isKilled: Bool {
    ([ending] + (course?.steps ?? [])).contains { ["kill", "restart", "force-quit"].contains(where: $0.contains) }
      || course.map { [.crashedInCallback, .crashInEachWake].contains($0.kind) } ?? false
  }

  var causes: [InjectedCause] { allPieces.compactMap(\.cause) }
  var tasks: [String] { allPieces.flatMap(\.tasks) }
}

extension InjectedLife: CustomStringConvertible {
  var description: String {
    "seed \(seed): \(causes.isEmpty ? "no cause" : causes.map(\.rawValue).joined(separator: ", "))"
  }
}
