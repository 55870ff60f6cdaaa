/// A change to the conditions of a scripted device. A `nil` property leaves its condition unchanged.
package struct ConditionChange: Sendable, Equatable {
  package enum Network: String, Sendable, CaseIterable {
    case up, down, expensive, constrained, cellular
    /// The state of the machine's real network interfaces.
    case machine
  }

  package enum Power: String, Sendable, CaseIterable {
    case charging, battery
  }

  package enum Disk: Sendable, Equatable {
    case machine
    /// A simulated amount of free disk space, in bytes.
    case free(Int)
  }

  package var network: Network?
  package var power: Power?
  /// The battery level, in per cent. `nil` means unchanged.
  package var battery: Int?
  package var lowPowerMode: Bool?
  package var backgroundRefresh: Bool?
  package var isLocked: Bool?
  package var disk: Disk?
  /// The duration by which the daemon's clocks are moved forward. `nil` means that they are not moved.
  package var clock: Duration?

  package init() {}
}

extension ConditionChange {
  static let keys = [
    "network", "power", "battery", "low-power-mode", "background-refresh", "locked", "disk", "clock",
  ]

  init(_ node: ScriptNode) throws(ScriptError) {
    let fields = try node.fields(Self.keys)
    network = try fields["network"]?.choice(Network.self)
    power = try fields["power"]?.choice(Power.self)
    if let node = fields["battery"] {
      let level = try node.integer()
      guard 0...100 ~= level else {
        throw node.failure("\(level) is not a battery level", "Write a number from 0 to 100, in per cent.")
      }
      battery = level
    }
    lowPowerMode = try fields["low-power-mode"]?.flag()
    backgroundRefresh = try fields["background-refresh"]?.flag()
    isLocked = try fields["locked"]?.flag()
    if let node = fields["disk"] { disk = try node.text() == "machine" ? .machine : .free(node.size()) }
    clock = try fields["clock"]?.advance()
  }
}

extension ConditionChange {
  /// Reads values written on a command line, which use the keys of the YAML form.
  package init(values: [String: String]) throws(ScriptError) {
    var pairs: [(key: String, value: String)] = []
    for key in Self.keys { if let value = values[key] { pairs.append((key, value)) } }
    try self.init(ScriptNode(pairs: pairs, source: "xfer conditions"))
  }
}
