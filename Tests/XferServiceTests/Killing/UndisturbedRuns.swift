import LogTestSupport
import Testing

/// Traces of runs without kills, made once. They list the system calls and events at which a process can be killed.
struct UndisturbedRuns {
  private let runs: [BackgroundWork: Run]

  private struct Run {
    /// The system calls from the process start and from the start of its work.
    var starting: [Victim: KillSites] = [:]
    var working: [Victim: KillSites] = [:]
    /// The number of events in each lane of the log.
    var lanes: [Victim: [(lane: Int, count: Int)]] = [:]
  }

  private static let made = Task { try await Self() }

  static var all: Self {
    get async throws { try await made.value }
  }

  private init() async throws {
    var runs: [BackgroundWork: Run] = [:]
    for work in BackgroundWork.allCases {
      var run = Run()
      for fromStart in [true, false] {
        let directory = TemporaryDirectory()
        var survival = Survival(work: work)
        survival.recordsFromStart = fromStart
        survival.records = (directory.path("daemon"), directory.path("app"))
        let aftermath = try await survival.run()
        #expect(aftermath.violations == [])
        for victim in Victim.allCases {
          let sites = KillSites(SystemCallTrace(path: directory.path(victim.rawValue)))
          try #require(!sites.kinds.isEmpty, "\(work), \(victim), fromStart \(fromStart): no system calls were recorded")
          if fromStart { run.starting[victim] = sites } else { run.working[victim] = sites }
          let launch = aftermath.events.first { $0.role == victim.rawValue }?.launch
          let events = aftermath.events.filter { $0.launch == launch }
          run.lanes[victim] = Dictionary(grouping: events, by: \.lane)
            .map { lane, events in (lane, events.map(\.sequence).max()! + 1) }.sorted { $0.0 < $1.0 }
        }
      }
      runs[work] = run
    }
    self.runs = runs
  }

  func working(_ victim: Victim, _ work: BackgroundWork) -> KillSites { runs[work]!.working[victim]! }
  func starting(_ victim: Victim, _ work: BackgroundWork) -> KillSites { runs[work]!.starting[victim]! }

  func event(_ victim: Victim, _ work: BackgroundWork, _ random: inout SeededRandom) -> Death {
    let (lane, count) = runs[work]!.lanes[victim]!.randomElement(using: &random)!
    let moment = Bool.random(using: &random) ? "before" : "after-commit"
    return .atEvent("\(lane):\(Int.random(in: 0..<count, using: &random)):\(moment)")
  }
}
