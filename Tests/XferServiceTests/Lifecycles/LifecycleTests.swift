import Foundation
import LogTestSupport
import Testing

/// Tests of complete lifecycles with real processes, each with at most one defect. The replay of the log must report exactly
/// this defect.
@Suite(.serialized, .timeLimit(.minutes(isCampaign ? 60 : 5))) struct LifecycleTests {
  /// The seeds of the lifecycles. A campaign runs 100 per defect and 100 without one.
  private static let seeds = LogTestSupport.seeds(13, campaign: 1300)

  @Test func `The replay reports each defect, nothing else, and every lost completion`() async throws {
    var count = LifecycleCount()
    try await withThrowingTaskGroup(of: (Lifecycle, Result<LifecycleJudgement, any Error>).self) { group in
      var rest = Self.seeds[...]
      // Runs three lifecycles at once, because they mostly wait.
      for _ in 0..<3 { Self.add(&rest, to: &group) }
      for try await (lifecycle, result) in group {
        count.take(lifecycle, result)
        Self.add(&rest, to: &group)
      }
    }
    count.report()
    #expect(count.problems == [])
  }

  private static func add(
    _ rest: inout ArraySlice<UInt64>,
    to group: inout ThrowingTaskGroup<(Lifecycle, Result<LifecycleJudgement, any Error>), any Error>
  ) {
    guard let seed = rest.popFirst() else { return }
    let lifecycle = Lifecycle(seed: seed)
    group.addTask {
      do {
        return (lifecycle, .success(try await run(lifecycle)))
      } catch {
        return (lifecycle, .failure(error))
      }
    }
  }

  private static func run(_ lifecycle: Lifecycle) async throws -> LifecycleJudgement {
    try await Device.run(lifecycle.tasks.flatMap(\.routes)) { device in
      let course = try LifecycleCourse(lifecycle, on: device)
      defer { course.end() }
      do {
        let truth = try await course.run()
        let judgement = LifecycleJudgement(lifecycle, truth, try device.replay())
        if !judgement.problems.isEmpty { keep(device, lifecycle) }
        return judgement
      } catch {
        keep(device, lifecycle)
        throw LifecycleCourse.Stuck(description: "\(error); the app said \(device.said)")
      }
    }
  }

  /// Copies the files of a failed lifecycle to the directory in the environment variable `XFERLOG_KEEP`.
  private static func keep(_ device: Device, _ lifecycle: Lifecycle) {
    guard let directory = testVariable("XFERLOG_KEEP") else { return }
    let place = "\(directory)/\(lifecycle.seed)"
    try? FileManager.default.removeItem(atPath: place)
    try? FileManager.default.copyItem(atPath: device.directory.path, toPath: place)
  }
}
