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
    for cause in turns {
      maker.session = maker.number(0...2) == 0 ? .work : .background
      let piece =
        maker.ofApp(cause, isCaused: isCaused) ?? maker.ofServer(cause, isCaused: isCaused)
        ?? maker.later(cause, isCaused: isCaused)
      if let piece {
        pieces.append(piece)
      } else if course == nil {
        course = InjectedCourse(cause, isCaused: isCaused, &maker)
      }
    }
    for _ in 0..<maker.number(4...6) {
      maker.session = maker.number(0...2) == 0 ? .work : .background
      pieces.append(maker.correct())
    }
    pieces.shuffle(using: &maker.random)
    if course == nil { ending = maker.choose(["", "force-quit: reader", "kill: reader\n    because: memoryPressure", "device: restart"]) }
  }

  /// Four causes that show at once, and one of the others.
  private static func turns(_ seed: UInt64) -> [InjectedCause] {
    let turn = Int(seed / 4 * 3 + seed % 4)
    let others = later + InjectedCourse.wakes + InjectedCourse.events
    let immediate = (0..<4).map { Self.immediate[(turn * 4 + $0) % Self.immediate.count] }
    return immediate + [others[turn % others.count]]
  }

  /// All pieces, with that of the course.
  var allPieces: [InjectedPiece] { pieces + (course.map { [$0.piece] } ?? []) }

  var causes: [InjectedCause] { allPieces.compactMap(\.cause) }
  var tasks: [String] { allPieces.flatMap(\.tasks) }
}

extension InjectedLife: CustomStringConvertible {
  var description: String {
    "seed \(seed): \(causes.isEmpty ? "no cause" : causes.map(\.rawValue).joined(separator: ", "))"
  }
}
