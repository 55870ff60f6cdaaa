import Foundation
import LogTestSupport
import Testing

/// Tests that logs of different installations are read as if each were read alone, and that copies of a log count once.
@Suite(.timeLimit(.minutes(10))) struct SeveralLogsTests {
  /// Two recordings of the same samples. Each recording has a state directory of its own and thus is an installation of its own, with the
  /// same session identifiers, task numbers and program names.
  private static func recordings(_ names: [String], in directory: TemporaryDirectory) throws -> (
    first: [String], second: [String]
  ) {
    let others = TemporaryDirectory()
    for target in [directory, others] {
      let run = try Sample.record(names, to: target)
      try #require(run.status == 0, "\(run.standardError)")
    }
    try FileManager.default.moveItem(atPath: others.path, toPath: directory.path("second"))
    return (names.map { directory.path("\($0)/log.xlog") }, names.map { directory.path("second/\($0)/log.xlog") })
  }

  /// The samples that real processes write. The others have a made-up device, whose key never changes.
  private static let live = Sample.all.map(\.name).filter { $0 != "missed-completion-handler" }

  @Test func `Logs of two installations read together have the findings, tasks and processes of each`() throws {
    let directory = TemporaryDirectory()
    let (first, second) = try Self.recordings(Self.live, in: directory)
    let alone = try (first + second).map { try Replayed.together([$0]).results }
    for place in first.indices {
      // With the second recording of the same sample, and with that of another one.
      for other in [place, (place + 1) % first.count] {
        let both = try Replayed.together([first[place], second[other]])
        #expect(both.results == alone[place] + alone[first.count + other], "\(Self.live[place]) and \(Self.live[other])")
        #expect(both.remarks == [])
      }
    }
  }

  /// Apps and daemons of two installations, with the same session identifiers, task numbers and program names. Taken for those of one
  /// installation, the second run's tasks would reuse numbers of the first run's, and its sessions would be in use twice.
  @Test(arguments: ["07-never-end", "12-number-alone", "15-force-quit"])
  func `Apps and daemons of two installations have the findings of each`(_ scenario: String) throws {
    let directory = TemporaryDirectory()
    let logs = try ["first", "second"].map { run in
      let kept = directory.path(run)
      let path = "\(Sample.root)/Samples/Kettle/Scenarios/\(scenario).yaml"
      let log = "\(kept)/log.xlog"
      let ran = try ToolRun("xfer", ["scenario", "run", "--keep", kept, path])
      try #require(FileManager.default.fileExists(atPath: log), "\(ran.text)\(ran.standardError)")
      return log
    }
    let alone = try logs.map { try Replayed.together([$0]).results }
    #expect(try Replayed.together(logs).results == alone[0] + alone[1])
    #expect(try Replayed.together(logs.reversed()).results == alone[0] + alone[1])
  }

  /// The stored samples name no installation. All of them were written in one boot of one machine.
  @Test func `Each pair of stored samples has the findings of both`() throws {
    let alone = try Sample.all.map { try Replayed.together([$0.log]).results }
    for (place, sample) in Sample.all.enumerated() {
      for other in Sample.all.indices.dropFirst(place + 1) where isCampaign || (place + other) % 4 == 0 {
        let both = try Replayed.together([sample.log, Sample.all[other].log])
        #expect(both.results == alone[place] + alone[other], "\(sample.name) and \(Sample.all[other].name)")
      }
    }
  }

  // MARK: Copies

  /// A way in which a log is read twice.
  enum Doubling: String, CaseIterable, Sendable {
    case copy, salvaged, cutCopy, copyOfOneSegment, copyWithinTheLog, directoryOfLogs, sameLogTwice, overlapping

    /// Returns the inputs that contain a log twice, and a part of the name that is left out.
    func inputs(_ log: String, in directory: String) throws -> (inputs: [String], leftOut: String) {
      let files = try LogFiles(log)
      let copy = "\(directory)/log copy.xlog"
      let last = files.segments.keys.max()!
      switch self {
      case .copy: try files.write(to: copy)
      case .salvaged:
        let run = try ToolRun("xferlog", ["salvage", log, "--output", copy])
        try #require(run.status == 0, "\(run.standardError)")
      case .cutCopy:
        var cut = files
        cut.segments[last]!.removeLast(cut.segments[last]!.count / 2)
        try cut.write(to: copy)
      case .copyOfOneSegment:
        var one = files
        one.segments = one.segments.filter { $0.key == last }
        try one.write(to: copy)
        return ([log, "\(copy)/\(last)"], "log copy.xlog/\(last)")
      case .copyWithinTheLog:
        var both = files
        for (name, bytes) in files.segments { both.segments["1" + name.dropFirst()] = bytes }
        try both.write(to: copy)
        return ([copy], "100001.seg")
      case .directoryOfLogs:
        try files.write(to: copy)
        try files.write(to: "\(directory)/log.xlog")
        return ([directory], "log.xlog")
      case .sameLogTwice: return ([log, "\(log)/../log.xlog"], "log.xlog")
      case .overlapping:
        // One part ends in the middle of the last segment, and the other one begins with that segment.
        var (begin, end) = (files, files)
        begin.segments[last]!.removeLast(files.segments[last]!.count / 3)
        end.segments = files.segments.filter { $0.key == last }
        try begin.write(to: copy)
        try end.write(to: "\(directory)/end.xlog")
        return ([copy, "\(directory)/end.xlog"], "log copy.xlog")
      }
      return ([log, copy], "log copy.xlog")
    }
  }

  @Test(arguments: Doubling.allCases)
  func `A log read together with a copy has the same findings, and the copy is named`(_ doubling: Doubling) throws {
    for sample in Sample.all {
      let directory = TemporaryDirectory()
      let log = directory.path("original/log.xlog")
      try LogFiles(sample.log).write(to: log)
      let alone = try Replayed.together([log]).results
      let (inputs, leftOut) = try doubling.inputs(log, in: directory.path("copies"))
      let both = try Replayed.together(inputs)
      #expect(both.results == alone, "\(sample.name)")
      #expect(both.remarks.count == 1 && both.remarks[0].contains(leftOut), "\(sample.name): \(both.remarks)")
    }
  }

  @Test func `Damaged copies complete each other`() throws {
    let directory = TemporaryDirectory()
    let sample = Sample.all.first { $0.name == "hundred-tasks-five-at-a-time" }!
    let files = try LogFiles(sample.log)
    let name = files.segments.keys.max()!
    let chunks = SegmentParts(files.segments[name]!).chunks
    try #require(chunks.count > 4)
    // The first chunks have the definitions of names, without which no record can be read.
    for (place, chunk) in [(0, chunks[3]), (1, chunks[4])] {
      var damaged = files
      for byte in chunk { damaged.segments[name]![byte] = 0 }
      try damaged.write(to: directory.path("\(place).xlog"))
      #expect(try !Replayed.together([directory.path("\(place).xlog")]).results.isComplete)
    }
    let both = try Replayed.together([directory.path("0.xlog"), directory.path("1.xlog")])
    let alone = try Replayed.together([sample.log]).results
    #expect(both.results.hasSameHistory(as: alone))
  }

  @Test func `The more complete copy is read, whichever comes first`() throws {
    let directory = TemporaryDirectory()
    let sample = Sample.all.first { $0.name == "clean-run" }!
    let whole = directory.path("whole.xlog")
    try LogFiles(sample.log).write(to: whole)
    var cut = try LogFiles(sample.log)
    let name = cut.segments.keys.max()!
    cut.segments[name]!.removeLast(cut.segments[name]!.count / 2)
    try cut.write(to: directory.path("cut.xlog"))
    let alone = try Replayed.together([whole]).results
    #expect(try !Replayed.together([directory.path("cut.xlog")]).results.isComplete)
    for inputs in [[whole, directory.path("cut.xlog")], [directory.path("cut.xlog"), whole]] {
      let both = try Replayed.together(inputs)
      #expect(both.results == alone)
      #expect(both.remarks.count == 1 && both.remarks[0].contains("left out: \(directory.path("cut.xlog"))"), "\(both.remarks)")
    }
  }
}
