import Foundation
import LogTestSupport
import Testing

/// The recorded samples: what was done to each is what has to be found in it, no more and no less.
struct SampleTests {
  @Test(arguments: Sample.all)
  func `A sample gives the findings that were injected, and no others`(_ sample: Sample) throws {
    let expected = try Expectation(yaml: sample.path("expected.yaml"))
    #expect(try Replayed(log: sample.log).differences(from: expected) == [])
  }

  @Test
  func `Recorded again, every sample gives the same findings`() throws {
    let directory = TemporaryDirectory()
    let run = try Sample.record([], to: directory)
    #expect(run.status == 0, "\(run.standardError)")
    #expect(run.lines.count == Sample.all.count, "the recorder knows the samples that lie here: \(run.lines)")
    for sample in Sample.all {
      let expected = try Expectation(yaml: sample.path("expected.yaml"))
      let again = try Replayed(log: directory.path("\(sample.name)/log.xlog"))
      #expect(again.differences(from: expected) == [], "\(sample.name)")
    }
  }

  @Test(arguments: Sample.all)
  func `A sample's description shows what the replay prints`(_ sample: Sample) throws {
    let description = try String(contentsOfFile: sample.path("README.md"), encoding: .utf8)
    let printed = try ToolRun("xferlog", ["replay", sample.log]).lines
    let findings = printed.indices.filter {
      printed[$0].hasSuffix(")") && !printed[$0].hasPrefix(" ") && printed[$0].contains(" (")
    }
    let shown = findings.flatMap { [printed[$0], printed[$0 + 1]] }
    for line in shown.isEmpty ? printed.suffix(1) : shown[...] { #expect(description.contains(line + "\n"), "\(line)") }
  }

  @Test(arguments: Sample.all)
  func `The list of the samples names each with the rules that speak`(_ sample: Sample) throws {
    let list = try String(contentsOfFile: "\(Sample.folder)/README.md", encoding: .utf8).split(separator: "\n")
    let row = try #require(list.first { $0.hasPrefix("| `\(sample.name)` |") })
    let expected = try Expectation(yaml: sample.path("expected.yaml"))
    let roots = expected.findings.filter { $0.cause == nil }
    for said in roots.isEmpty ? ["clean"] : roots.map({ "`\($0.rule)`" }) {
      #expect(row.hasSuffix("| \(said) |"))
    }
  }

  /// Paths, addresses and the like are stored as keyed hashes, never as they are.
  @Test(arguments: Sample.all)
  func `A sample holds no path of the machine that recorded it, nor of its server`(_ sample: Sample) throws {
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
  func `A sample is small enough to lie in a repository`(_ sample: Sample) throws {
    // A killed writer's segment keeps the 256 KiB that were reserved for it.
    #expect(try sample.segments().reduce(0) { $0 + $1.count } < 400 << 10)
  }
}
