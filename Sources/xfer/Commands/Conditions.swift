import ArgumentParser
import Foundation
import XferEngine
import XferScript

/// Shows or changes what the device is like that `xferd` plays to background apps.
struct Conditions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show or change what xferd takes the device to be like.",
    discussion: """
      Without options it shows what is. What was changed stays so, also when xferd is started again, until it is changed back or \
      --reset is given. The clock moves only xferd's limits, delays and deadlines: bytes on the wire go their own pace.
      """)

  @Option(help: "up, down, expensive, constrained, cellular, or machine for what the interfaces say.")
  var network: String?

  @Option(help: "charging or battery.")
  var power: String?

  @Option(help: "The battery's level in per cent.")
  var battery: String?

  @Option(help: "Whether power is saved: true or false.")
  var lowPowerMode: String?

  @Option(help: "Whether apps may work where nobody looks: true or false.")
  var backgroundRefresh: String?

  @Option(help: "Whether the device is locked, and protected files cannot be read: true or false.")
  var locked: String?

  @Option(help: "Bytes that are free, as 10MB; or machine.")
  var disk: String?

  @Option(help: "Move xferd's clocks ahead, as +10m.")
  var clock: String?

  @Flag(help: "All as the machine has it, before the other options.")
  var reset = false

  @Flag(help: "Restart the device first: all apps and xferd end at once, and another run of the machine begins.")
  var restart = false

  @Option(name: .shortAndLong, help: "text or json.")
  var output = "text"

  func run() throws {
    guard ["text", "json"].contains(output) else {
      throw CommandExit(Execution.wrongUsage, "--output \(output): write text or json")
    }
    let change = try change()
    let link = DeviceLink()
    if restart { try link.restart() }
    guard case .conditions(var conditions) = try link.ask(.conditions) else { return }
    let old = conditions
    if reset {
      // A clock that goes back would have things happen twice.
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

/// A value as one JSON object, keys sorted.
enum DeviceDocument {
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
