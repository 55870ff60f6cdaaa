import Foundation
import LogTestSupport

@testable import XferLogStore

/// Runs the writer's probe while the system refuses some of its calls.
enum Strace {
  private static let program = "/usr/bin/strace"

  private static let quiet = ["-f", "-qq", "--seccomp-bpf"]

  /// - Parameters:
  ///   - fault: `call:error=ERRNO:when=FIRST+STEP`; strace counts the calls of each thread by itself.
  ///   - directory: of the log; calls that concern neither it nor its segments do not count.
  ///   - trace: where the calls are written that were refused.
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
