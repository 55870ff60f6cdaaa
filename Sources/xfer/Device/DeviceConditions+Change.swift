import XferEngine
import XferScript

extension DeviceConditions {
  mutating func apply(_ change: ConditionChange) {
    switch change.network {
    case .up: network = .satisfied
    case .down: network = .unsatisfied
    case .expensive: network = .init(isExpensive: true)
    case .constrained: network = .init(isConstrained: true)
    case .cellular: network = .cellular
    case .machine: network = nil
    case nil: break
    }
    if let power = change.power { isCharging = power == .charging }
    battery = change.battery ?? battery
    isLowPowerMode = change.lowPowerMode ?? isLowPowerMode
    allowsBackgroundRefresh = change.backgroundRefresh ?? allowsBackgroundRefresh
    isLocked = change.isLocked ?? isLocked
    switch change.disk {
    case .machine: freeDisk = nil
    case .free(let count): freeDisk = Int64(count)
    case nil: break
    }
    if let clock = change.clock {
      let (sum, overflows) = clockAhead.addingReportingOverflow(Int64(clamping: Int128(clock / .nanoseconds(1))))
      clockAhead = overflows ? .max : sum
    }
  }

  /// The conditions as readable text, one line per condition.
  var lines: [String] {
    let path = network.map { path in
      let marks = [("cellular", path.isCellular), ("expensive", path.isExpensive), ("constrained", path.isConstrained)]
      return ([path.isSatisfied ? "up" : "down"] + marks.filter(\.1).map(\.0)).joined(separator: ", ")
    }
    return [
      "network             \(path ?? "same as the machine")",
      "power               \(isCharging ? "charging" : "on battery"), \(battery) %",
      "low power mode      \(isLowPowerMode ? "on" : "off")",
      "background refresh  \(allowsBackgroundRefresh ? "on" : "off")",
      "protected data      \(isLocked ? "locked" : "available")",
      "disk                \(freeDisk.map { "\($0) bytes free" } ?? "same as the machine")",
      "clock               \(clockAhead == 0 ? "same as the machine" : "\(Double(clockAhead) / 1e9) s ahead")",
    ]
  }
}
