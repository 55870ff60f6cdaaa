import Foundation
import LogTestSupport
import Testing
import XferScript

/// What the command makes of a disk that refuses to take what it was given.
struct DurabilityTests {
  private static let strace = "/usr/bin/strace"
  private static let isTraceable = (try? ToolRun(strace, ["-f", "-qq", "-o", "/dev/null", "/bin/true"]))?.status == 0

  /// One run of `xfer` under strace.
  private struct Traced {
    let run: ToolRun
    /// Calls that bring a file or directory below `work` to the disk.
    let synchronisations: [String]

    init(_ bench: Bench, _ arguments: [String], inject fault: String? = nil) throws {
      let trace = bench.path("trace")
      run = try ToolRun(
        strace,
        ["-f", "-qq", "-y", "-o", trace, "-e", "trace=fdatasync,fsync"] + (fault.map { ["-e", "inject=\($0):error=EIO"] } ?? [])
          + ["\(ToolRun.directory)/xfer"] + arguments, environment: bench.environment, in: bench.path("work"))
      let lines = String(decoding: FileManager.default.contents(atPath: trace) ?? Data(), as: UTF8.self).split(separator: "\n")
      synchronisations = lines.filter { $0.contains("sync(") && $0.contains("\(bench.path("work"))") }.map(String.init)
    }
  }

  static let commands = [["get"], ["request", "-s", "-S", "-o", "f"]]

  @Test(.enabled(if: isTraceable, "strace cannot trace here"), arguments: commands)
  func `A file that the disk refuses is an error, and is not synchronised again`(command: [String]) async throws {
    try await Bench.run([.init("/f", .generated(4096))]) { bench in
      let traced = try Traced(bench, command + [bench.url("/f")], inject: "fdatasync")
      #expect(traced.run.status == 23)
      #expect(traced.run.standardError.contains("could not be synchronised to the disk"), "\(traced.run.standardError)")
      #expect(traced.synchronisations.count == 1, "\(traced.synchronisations)")
      #expect(bench.files.isEmpty, "\(bench.files.keys)")
    }
  }

  @Test(.enabled(if: isTraceable, "strace cannot trace here"), arguments: commands)
  func `A directory entry that the disk refuses is an error`(command: [String]) async throws {
    try await Bench.run([.init("/f", .generated(4096))]) { bench in
      let traced = try Traced(bench, command + [bench.url("/f")], inject: "fsync")
      #expect(traced.run.status == 23)
      let problem = "the directory . could not be synchronised to the disk"
      #expect(traced.run.standardError.contains(problem), "\(traced.run.standardError)")
      #expect(traced.synchronisations.count == 2, "\(traced.synchronisations)")
    }
  }

  @Test(.enabled(if: isTraceable, "strace cannot trace here"), arguments: commands)
  func `With no-sync nothing waits for the disk`(command: [String]) async throws {
    try await Bench.run([.init("/f", .generated(4096))]) { bench in
      let traced = try Traced(bench, command + ["--no-sync", bench.url("/f")], inject: "fdatasync,fsync")
      #expect(traced.run.status == 0, "\(traced.run.standardError)")
      #expect(traced.synchronisations == [])
      #expect(bench.files["f"]?.count == 4096)
    }
  }
}
