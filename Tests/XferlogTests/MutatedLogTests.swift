import Foundation
import LogTestSupport
import Testing
import XferEvents

/// All commands on logs with wrong contents and correct checksums.
@Suite(.timeLimit(.minutes(isCampaign ? 60 : 5))) struct MutatedLogTests {
  private static let commands = [
    ["show"], ["show", "-o", "ndjson", "--findings"], ["tail", "-n", "all"], ["replay"], ["replay", "-o", "json"],
    ["stats", "-o", "csv"], ["replay", "--at", "#150", "-o", "json"], ["replay", "--at", "#150"],
    ["replay", "--step", "--keys", "nnnnnnnnnnnnfffGpp?"],
  ]

  /// Returns a log with an event of every kind, with extreme values among its fields.
  private static func log(in directory: TemporaryDirectory) throws -> SegmentDraft {
    let log = try RecordedLog(in: directory, name: "pristine.xlog")
    for kind in EventKind.allCases {
      var chooser = FieldChooser(.random, seed: UInt64(kind.rawValue))
      log.emit(at: Int64(kind.rawValue), EventSamples.event(kind, &chooser))
    }
    log.close()
    let path = "\(log.path)/000001.seg"
    return SegmentDraft(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
  }

  @Test func `Every command ends normally on wrong contents with correct checksums`() throws {
    let directory = TemporaryDirectory()
    let pristine = try Self.log(in: directory)
    var runs = 0
    let seeds = seeds(12, campaign: 500)
    for seed in seeds {
      var draft = pristine
      var mutation = SegmentMutation(seed: seed)
      mutation.change(&draft)
      let path = try directory.write(draft.bytes(), to: "000001.seg")
      for command in Self.commands {
        let run = try ToolRun.xferlog(command + [path])
        runs += 1
        #expect(run.status < 128, "seed \(seed), \(command): \(run.status) \(run.standardError)")
      }
      let index = directory.path("index")
      let made = try ToolRun.xferlog("index", "--allow-empty", "--to", index, path)
      runs += 1
      #expect(made.status < 128, "seed \(seed), index: \(made.status) \(made.standardError)")
      try? FileManager.default.removeItem(atPath: index)
    }
    print("mutated logs: \(seeds.count) files, \(runs) runs of xferlog")
  }
}
