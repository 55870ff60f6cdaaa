import Foundation
import XferEngine
import XferEvents
import XferLogStore
import XferReport

/// A run of `xfer ship`: ships all logs once, or again and again until a signal ends the command.
struct ShipRun: Sendable {
  let shippers: [LogShipper]
  /// The pause between two times; `nil` ships once.
  let pause: Duration?
  /// Whether a part of a log that could not be shipped is an error.
  let isStrict: Bool

  // The exit codes of `xferlog`, because the command is about logs.
  static let leaks: Int32 = 1
  static let failed: Int32 = 2
  static let nothing: Int32 = 3
  static let incomplete: Int32 = 4

  func callAsFunction() async throws {
    let work = Task { try await repeatedly() }
    let interruption = Interruption { work.cancel() }
    do {
      try await work.value
    } catch {
      if let code = interruption.exitCode { throw CommandExit(code) }
      throw error
    }
    withExtendedLifetime(interruption) {}
  }

  private func repeatedly() async throws {
    while true {
      do {
        try await once()
      } catch let exit as CommandExit {
        guard let pause, exit.isTemporary else { throw exit }
        Remarks.say("\(exit.reason ?? "")\nRetrying in \(pause.components.seconds) s.")
      }
      guard let pause else { return }
      try await Task.sleep(for: pause)
    }
  }

  private func once() async throws {
    var gaps = 0
    var refusals: [String] = []
    var problems: [String] = []
    for shipper in shippers {
      let outcome: LogShipper.Outcome
      do {
        outcome = try await shipper.ship()
      } catch let refusal as StorageRefusal {
        throw CommandExit(Self.failed, "\(refusal)", isTemporary: refusal.status >= 500)
      } catch let error as TransferError where error.stage == .redirect {
        throw CommandExit(
          Self.failed,
          "\(shipper.destination.name) redirects to another address, but logs are sent only to the address that you name. "
            + "If you trust the redirect, name its target instead.")
      } catch let error as TransferError where error.code != .cancelled {
        throw CommandExit(
          Self.failed, "\(shipper.destination.name) cannot be reached: \(error.problem). \(error.advice)", isTemporary: true)
      } catch let error as LogError {
        throw CommandExit(Self.failed, error.description)
      }
      report(outcome, of: shipper)
      gaps += outcome.gaps.count
      // A run in the foreground has sent these objects itself.
      if shipper.isBackground {
        problems += outcome.problems
      } else {
        for problem in outcome.problems { Remarks.say("\(shipper.directory): in the background, \(problem)") }
      }
      refusals += outcome.refusals.map { "\(shipper.directory): \($0)" }
    }
    if !problems.isEmpty {
      throw CommandExit(Self.failed, "xferd gets these objects again:\n\(problems.joined(separator: "\n"))")
    }
    if !refusals.isEmpty { throw CommandExit(Self.leaks, refusals.joined(separator: "\n")) }
    if isStrict, gaps > 0 { throw CommandExit(Self.incomplete, "a part of the log could not be shipped") }
  }

  private func report(_ outcome: LogShipper.Outcome, of shipper: LogShipper) {
    let log = shipper.directory
    if outcome.isReplaced {
      Remarks.say("\(log) is another log than the one that was shipped before; it gets objects of its own")
    }
    if outcome.masked > 0 {
      let what = outcome.masked == 1 ? "1 segment has" : "\(outcome.masked) segments have"
      Remarks.say("\(log): \(what) private values in plain text, which are masked in what is shipped")
    }
    for gap in outcome.gaps { Remarks.say("\(log): \(gap)") }
    let parts = outcome.parts == 0 ? "" : " (\(outcome.parts) of them so far)"
    let handed = shipper.isBackground ? "\(outcome.handed) handed to xferd, \(outcome.waiting) not sent yet, " : ""
    shipper.say(
      "\(log): \(outcome.shipped.counted("segment"))\(parts) shipped, \(ByteCount(outcome.bytes)); "
        + "\(handed)\(outcome.unchanged) unchanged")
  }

  /// Prints a line on standard output.
  static func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((TerminalText.escaped(line) + "\n").utf8))
  }
}
