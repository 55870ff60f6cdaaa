import ArgumentParser
import Foundation
import XferEngine
import XferScript

/// Shows or changes the conditions of the device that `xferd` simulates for background apps.
struct Conditions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show or change the device conditions that xferd simulates.",
    usage: "xfer conditions [<options>]",
    discussion: """
      Prints the conditions, after a change if an option makes one. A change stays in effect, even after a restart of xferd, \
      until it is reversed or reset with --reset. Moving the clock affects limits, delays and deadlines, but not the speed of \
      transfers.

      Example: xfer conditions --network down
      """)

  @Option(
    help: "The network (up, down, expensive, constrained, cellular, or machine for the real interfaces).",
    completion: .list(["up", "down", "expensive", "constrained", "cellular", "machine"]))
  var network: String?

  @Option(help: "The power source (charging or battery).", completion: .list(["charging", "battery"]))
  var power: String?

  @Option(help: "The battery level, in per cent.")
  var battery: String?

  @Option(help: "Enable low power mode (true or false).", completion: .list(["true", "false"]))
  var lowPowerMode: String?

  @Option(help: "Allow background app refresh (true or false).", completion: .list(["true", "false"]))
  var backgroundRefresh: String?

  @Option(help: "Lock the device, which makes protected files unreadable (true or false).", completion: .list(["true", "false"]))
  var locked: String?

  @Option(help: "The free disk space (for example 10MB, or machine for the real value).")
  var disk: String?

  @Option(help: "Move the clocks of xferd and its apps forward (for example +10m).")
  var clock: String?

  @Flag(help: "Reset all conditions except the clock before applying the other options.")
  var reset = false

  @Flag(help: "Before any other change, simulate a device restart: kill all apps and xferd, then start xferd with a new boot ID.")
  var restart = false

  @Option(name: .shortAndLong, help: "Output format (text or json).")
  var output = "text"

  func run() throws {
    guard ["text", "json"].contains(output) else {
      throw CommandExit(Execution.wrongUsage, "--output \(output): expected text or json")
    }
    let change = try change()
    let link = DeviceLink()
    if restart { try link.restart() }
    guard case .conditions(var conditions) = try link.ask(.conditions) else { return }
    let old = conditions
    if reset {
      // The clock is not reset, because moving it backward would let timers fire a second time.
      let ahead = conditions.clockAhead
      conditions = DeviceConditions()
      conditions.clockAhead = ahead
    }
    conditions.apply(change)
    if conditions != old { _ = try link.ask(.setConditions(conditions)) }
    print(output == "json" ? try DeviceDocument.text(conditions) : conditions.lines.joined(separator: "\n"))
  }

  private func change() throws -> ConditionChange {
    let given = [
      "network": network, "power": power, "battery": battery, "low-power-mode": lowPowerMode,
      "background-refresh": backgroundRefresh, "locked": locked, "disk": disk, "clock": clock,
    ]
    do throws(ScriptError) {
      return try ConditionChange(values: given.compactMapValues { $0 })
    } catch {
      throw CommandExit(Execution.wrongUsage, "\(error)")
    }
  }
}

/// Encodes values as JSON with sorted keys.
enum DeviceDocument {
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
