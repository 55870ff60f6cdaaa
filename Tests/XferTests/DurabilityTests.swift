import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests of the command on a disk whose sync calls fail.
struct DurabilityTests {
  private static let strace = "/usr/bin/strace"
  private static let isTraceable = (try? ToolRun(strace, ["-f", "-qq", "-o", "/dev/null", "/bin/true"]))?.status == 0

  /// One run of `xfer` under strace.
  private struct Traced {
    let run: ToolRun
    /// The sync calls for files and directories below `work`.
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

  @Test(.enabled(if: isTraceable, "strace cannot trace processes on this machine"), arguments: commands)
  func `A failed sync of a file is an error and is not repeated`(command: [String]) async throws {
    try await Bench.run([.init("/f", .generated(4096))]) { bench in
      let traced = try Traced(bench, command + [bench.url("/f")], inject: "fdatasync")
      #expect(traced.run.status == 23)
      #expect(traced.run.standardError.contains("could not be synchronised to the disk"), "\(traced.run.standardError)")
      #expect(traced.synchronisations.count == 1, "\(traced.synchronisations)")
      #expect(bench.files.isEmpty, "\(bench.files.keys)")
    }
  }

  @Test(.enabled(if: isTraceable, "strace cannot trace processes on this machine"), arguments: commands)
  func `A failed sync of a directory is an error`(command: [String]) async throws {
    try await Bench.run([.init("/f", .generated(4096))]) { bench in
      let traced = try Traced(bench, command + [bench.url("/f")], inject: "fsync")
      #expect(traced.run.status == 23)
      let problem = "the directory . could not be synchronised to the disk"
      #expect(traced.run.standardError.contains(problem), "\(traced.run.standardError)")
      #expect(traced.synchronisations.count == 2, "\(traced.synchronisations)")
    }
  }

  @Test(.enabled(if: isTraceable, "strace cannot trace processes on this machine"), arguments: commands)
  func `No file is synced with --no-sync`(command: [String]) async throws {
    try await Bench.run([.init("/f", .generated(4096))]) { bench in
      let traced = try Traced(bench, command + ["--no-sync", bench.url("/f")], inject: "fdatasync,fsync")
      #expect(traced.run.status == 0, "\(traced.run.standardError)")
      #expect(traced.synchronisations == [])
      #expect(bench.files["f"]?.count == 4096)
    }
  }
}
