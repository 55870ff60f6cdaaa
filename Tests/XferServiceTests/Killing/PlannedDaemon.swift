import Foundation
import LogTestSupport

/// The ends of daemons, by the order in which they are started: `Tests/Support/planned-xferd` starts them, and has them killed as planned.
struct PlannedDaemon {
  private let directory: String

  /// - Parameter ends: of the first, the second; later ones are left alone.
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

  /// How many were started so far.
  var count: Int { (0...).first { !FileManager.default.fileExists(atPath: "\(directory)/\($0)") }! }

  /// Whether all that were started have ended, and it is written down how.
  var haveEnded: Bool { (0..<count).allSatisfy { FileManager.default.fileExists(atPath: "\(directory)/\($0).status") } }

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
