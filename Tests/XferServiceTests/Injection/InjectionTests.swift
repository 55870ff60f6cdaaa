import Foundation
import LogTestSupport
import Testing

/// Tests with real processes whose faults an injector chose. The replay must name each fault that the injector's journal lists, and
/// nothing else.
@Suite(.serialized, .timeLimit(.minutes(isCampaign ? 60 : 5))) struct InjectionTests {
  /// A campaign has about 1,500 lifecycles with a cause, and more without.
  private static let seeds = LogTestSupport.seeds(4, campaign: 480)

  @Test func `The replay names each injected cause, and nothing in a correct lifecycle`() async throws {
    var count = InjectionCount()
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: (InjectedLife, Result<InjectionJudgement, any Error>).self) { group in
      var rest = Self.seeds[...]
      // Runs four at once, because they mostly wait.
      for _ in 0..<4 { Self.add(&rest, to: &group) }
      for try await (life, result) in group {
        count.take(life, result)
        Self.add(&rest, to: &group)
      }
    }
    count.report()
    print("in \(ContinuousClock.now - start)")
    #expect(count.problems == [])
  }

  @Test func `At least 40 causes are injected, each as often as the others`() {
    var counts: [InjectedCause: Int] = [:]
    for seed in 0..<480 as Range<UInt64> { for cause in InjectedLife(seed: seed).causes { counts[cause, default: 0] += 1 } }
    #expect(counts.count == InjectedCause.allCases.count && counts.count >= 40)
    #expect(counts.values.allSatisfy { $0 >= 6 }, "\(counts)")
  }

  private static func add(
    _ rest: inout ArraySlice<UInt64>,
    to group: inout ThrowingTaskGroup<(InjectedLife, Result<InjectionJudgement, any Error>), any Error>
  ) {
    guard let seed = rest.popFirst() else { return }
    group.addTask {
      let life = InjectedLife(seed: seed)
      do {
        return (life, .success(try await judge(life)))
      } catch {
        return (life, .failure(error))
      }
    }
  }

  /// A scenario that could not be played to its end.
  private struct Stuck: Error, CustomStringConvertible {
    let description: String
  }

  private static func judge(_ life: InjectedLife) async throws -> InjectionJudgement {
    // A thread of its own, because the few threads of the concurrency pool would all wait for processes.
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try judgeNow(life) }) }
    }
  }

  private static func judgeNow(_ life: InjectedLife) throws -> InjectionJudgement {
    let directory = TemporaryDirectory()
    let file = try directory.write(Array(life.yaml.utf8), to: "life.yaml")
    // The path of the daemon's socket must be short.
    let folder = directory.path("run")
    let run = try ToolRun("xfer", ["scenario", "run", "--keep", folder, file], environment: ["SWIFT_BACKTRACE": "enable=no"])
    guard run.status == 0 else {
      keep(folder, life)
      throw Stuck(description: "\(run.text) \(run.standardError)")
    }
    let log = "\(folder)/log.xlog"
    let replay = try ReplayResult(ToolRun("xferlog", ["replay", "-o", "json", log]))
    let judgement = InjectionJudgement(life, InjectionJournal(life, folder: folder), replay, names: try names(of: log))
    if !judgement.isRight { keep(folder, life) }
    return judgement
  }

  /// Returns the names that the app gave to its tasks, by uid.
  private static func names(of log: String) throws -> [String: String] {
    struct Line: Decodable {
      let event: String
      let task: Task?
      let fields: Fields

      struct Task: Decodable { let uid: String }
      struct Fields: Decodable { let label: String? }
    }
    var names: [String: String] = [:]
    for line in try ToolRun("xferlog", ["show", "-o", "ndjson", log]).lines where line.contains("\"task.created\"") {
      let created = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
      if let uid = created.task?.uid, let label = created.fields.label { names[uid] = label }
    }
    return names
  }

  /// Copies the files of a failed run to the directory in the environment variable `XFERLOG_KEEP`.
  private static func keep(_ folder: String, _ life: InjectedLife) {
    guard let directory = testVariable("XFERLOG_KEEP") else { return }
    let place = "\(directory)/\(life.seed)"
    try? FileManager.default.removeItem(atPath: place)
    try? FileManager.default.copyItem(atPath: folder, toPath: place)
  }
}
