import Foundation
import LogTestSupport

/// The planned kills of daemons, in start order. The script `Tests/Support/planned-xferd` starts each daemon with its planned
/// kill.
struct PlannedDaemon {
  private let directory: String

  /// - Parameter ends: The planned end of the first daemon, the second daemon and so on. Further daemons are not killed.
  init(_ device: inout Device, _ ends: [Death]) throws {
    directory = device.path("daemons")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    for (number, end) in ends.enumerated() {
      let command =
        switch end {
        case .atCall(let site, fromStart: true):
          ([SystemCallTracer.program] + SystemCallTracer.arguments(output: trace(number), site.injection)).joined(separator: " ")
        case .atEvent(let hook): "env XFERLOG_TEST_KILL=\(hook)"
        case .none, .atCall: ""
        }
      try command.write(toFile: "\(directory)/\(number).command", atomically: false, encoding: .utf8)
    }
    device.daemonStandIn = Self.program
    device.moreEnvironment = ["XFERD_PLAN": directory, "XFERD_PLANNED": "\(ToolRun.directory)/xferd"]
  }

  private static let program: String = {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return tests.appendingPathComponent("Support/planned-xferd").path
  }()

  func trace(_ number: Int) -> String { "\(directory)/\(number).trace" }

  /// The number of daemons started so far.
  var count: Int { (0...).first { !FileManager.default.fileExists(atPath: "\(directory)/\($0)") }! }

  /// Whether all started daemons have ended and their exit statuses were written.
  var haveEnded: Bool { (0..<count).allSatisfy { FileManager.default.fileExists(atPath: "\(directory)/\($0).status") } }

  /// Returns whether a daemon was killed as planned.
  func wasKilled(_ number: Int) -> Bool {
    (try? String(contentsOfFile: "\(directory)/\(number).status", encoding: .utf8)) == "137\n"
  }
}

/// The planned end of a process.
enum Death {
  case none
  /// The process is killed at a system call. `fromStart` counts calls from the process start instead of from the start of its
  /// work.
  case atCall(KillSite, fromStart: Bool)
  /// The process is killed at an event, given in the syntax of `XFERLOG_TEST_KILL`.
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
