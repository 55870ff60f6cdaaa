import Foundation
import LogTestSupport

/// The ends of daemons, by the order in which they are started: a program in the daemon's place starts the real one, and has it killed if
/// that is planned.
struct PlannedDaemon {
  private let directory: String
  let program: String

  /// - Parameter ends: of the first, the second; later ones are left alone.
  init(_ device: Device, _ ends: [Death]) throws {
    directory = device.path("daemons")
    program = device.path("planned-xferd")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    for (number, end) in ends.enumerated() {
      let command =
        switch end {
        case .none: "exec"
        case .atCall(let site, let fromStart):
          fromStart
            ? ([SystemCallTracer.program] + SystemCallTracer.arguments(output: trace(number), site.injection))
              .joined(separator: " ") : "exec"
        case .atEvent(let hook): "env XFERLOG_TEST_KILL=\(hook)"
        }
      try command.write(toFile: "\(directory)/\(number).command", atomically: false, encoding: .utf8)
    }
    let script = """
      #!/bin/sh
      unset XFERLOG_TEST_KILL
      number=0
      until mkdir "\(directory)/$number" 2>/dev/null; do number=$((number + 1)); done
      $(cat "\(directory)/$number.command" 2>/dev/null) "\(ToolRun.directory)/xferd" "$@"
      echo $? > "\(directory)/$number.status"
      """
    try script.write(toFile: program, atomically: false, encoding: .utf8)
    chmod(program, 0o700)
  }

  func trace(_ number: Int) -> String { "\(directory)/\(number).trace" }

  /// How many were started so far.
  var count: Int { (0...).first { !FileManager.default.fileExists(atPath: "\(directory)/\($0)") }! }

  /// Whether a daemon whose end was planned has come to it.
  func wasKilled(_ number: Int) -> Bool {
    (try? String(contentsOfFile: "\(directory)/\(number).status", encoding: .utf8)) == "137\n"
  }
}

/// How a process is to end.
enum Death {
  case none
  /// - Parameter fromStart: whether calls count from the process's first, or only those of its work.
  case atCall(KillSite, fromStart: Bool)
  /// In the form of `XFERLOG_TEST_KILL`.
  case atEvent(String)
}

extension Death: CustomStringConvertible {
  var description: String {
    switch self {
    case .none: "-"
    case .atCall(let site, let fromStart): fromStart ? "start:\(site)" : "\(site)"
    case .atEvent(let hook): hook
    }
  }
}
