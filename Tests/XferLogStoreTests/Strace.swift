import Foundation
import LogTestSupport

@testable import XferLogStore

/// Runs the writer probe under strace, which makes some of its system calls fail.
enum Strace {
  private static let program = "/usr/bin/strace"

  private static let quiet = ["-f", "-qq", "--seccomp-bpf"]

  /// Runs the probe.
  ///
  /// - Parameters:
  ///   - fault: The fault in the form `call:error=ERRNO:when=FIRST+STEP`. strace counts the calls of each thread
  ///   separately.
  ///   - directory: The log directory. Only calls on the directory and its segments are counted.
  ///   - trace: The path of a file that receives the failed calls.
  ///   - arguments: The probe's arguments.
  static func run(inject fault: String, in directory: String, trace: String, _ arguments: [String]) throws -> ToolRun {
    let paths = [directory] + (1...60).map { LogDirectory.path(of: $0, in: directory) }
    return try ToolRun(
      program,
      quiet + ["-o", trace, "-e", "trace=\(fault.prefix { $0 != ":" })", "-e", "inject=\(fault)"]
        + paths.flatMap { ["-P", $0] } + ["\(ToolRun.directory)/log-writer-probe"] + arguments)
  }

  static let isPossible =
    (try? ToolRun(program, quiet + ["-o", "/dev/null", "-e", "trace=fdatasync", "/bin/true"]))?.status == 0
}
