import Foundation
import LogTestSupport
import Testing

/// Tests that each recorded sample yields exactly the findings of its injected fault.
struct SampleTests {
  @Test(arguments: Sample.all)
  func `A sample yields exactly the findings of its injected fault`(_ sample: Sample) throws {
    let expected = try Expectation(yaml: sample.path("expected.yaml"))
    #expect(try Replayed(log: sample.log).differences(from: expected) == [])
  }

  @Test
  func `A newly recorded sample yields the same findings`() throws {
    let directory = TemporaryDirectory()
    let run = try Sample.record([], to: directory)
    #expect(run.status == 0, "\(run.standardError)")
    #expect(run.lines.count == Sample.all.count, "the recorder lists exactly the stored samples: \(run.lines)")
    for sample in Sample.all {
      let expected = try Expectation(yaml: sample.path("expected.yaml"))
      let again = try Replayed(log: directory.path("\(sample.name)/log.xlog"))
      #expect(again.differences(from: expected) == [], "\(sample.name)")
    }
  }

  @Test(arguments: Sample.all)
  func `A sample's README shows the output of the replay`(_ sample: Sample) throws {
    let description = try String(contentsOfFile: sample.path("README.md"), encoding: .utf8)
    let printed = try ToolRun("xferlog", ["replay", sample.log]).lines
    let findings = printed.indices.filter {
      // Unlike a line about a task, the first line of a finding has no colon.
      printed[$0].hasSuffix(")") && !printed[$0].hasPrefix(" ") && printed[$0].contains(" (") && !printed[$0].contains(":")
    }
    let shown = findings.flatMap { [printed[$0], printed[$0 + 1]] }
    for line in shown.isEmpty ? printed.suffix(1) : shown[...] { #expect(description.contains(line + "\n"), "\(line)") }
  }

  @Test(arguments: Sample.all)
  func `The list of samples names each sample with the rules it triggers`(_ sample: Sample) throws {
    let list = try String(contentsOfFile: "\(Sample.folder)/README.md", encoding: .utf8).split(separator: "\n")
    let row = try #require(list.first { $0.hasPrefix("| `\(sample.name)` |") })
    let expected = try Expectation(yaml: sample.path("expected.yaml"))
    let roots = expected.findings.filter { $0.cause == nil }
    for said in roots.isEmpty ? ["clean"] : roots.map({ "`\($0.rule)`" }) {
      #expect(row.hasSuffix("| \(said) |"))
    }
  }

  /// Verifies that paths and addresses are stored only as keyed hashes.
  @Test(arguments: Sample.all)
  func `A sample contains no path of the recording machine or of its server`(_ sample: Sample) throws {
    let places = [
      Sample.root, NSHomeDirectory(), "/home/", "/root/", "/tmp/", "/var/", "/Users/", "/proc/", "xferlog-sample",
      "/feed", "/photos", "/avatars", "/catalogue", "/episodes", "/videos", "/maps", "/originals",
      "/reports", "/films", "/pictures", "/exports", "/weather", "/album", "/inbox",
    ]
    for segment in try sample.segments() {
      for place in places { #expect(segment.range(of: Data(place.utf8)) == nil, "\(place)") }
    }
  }

  @Test(arguments: Sample.all)
  func `A sample is small enough for the repository`(_ sample: Sample) throws {
    // The segment of a killed writer keeps its preallocated 256 KiB.
    #expect(try sample.segments().reduce(0) { $0 + $1.count } < 400 << 10)
  }
}
