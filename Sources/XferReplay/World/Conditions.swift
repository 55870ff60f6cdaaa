package import XferEvents
package import XferLifecycle

/// What the log last said of the device, beside its network.
package struct Conditions: Sendable {
  /// Whether protected files cannot be read: the device is locked.
  package private(set) var lock: Switch?
  package private(set) var charging: Switch?
  /// Per cent.
  package private(set) var battery: Int?
  /// The last look at a disk.
  package private(set) var disk: DiskSample?
  private var switches: [PolicyName: Switch] = [:]

  package init() {}

  /// The user's switches that the log has told of, in the order of the vocabulary.
  package var policies: [(name: PolicyName, state: Switch)] {
    PolicyName.allCases.compactMap { name in switches[name].map { (name, $0) } }
  }

  package func policy(_ name: PolicyName) -> Switch? { switches[name] }

  /// - Returns: whether it says something.
  mutating func apply(_ event: EventView, _ fact: Fact) -> Bool {
    switch fact.kind {
    case .protectionEnabled: lock = Switch(isOn: true, changed: fact)
    case .protectionDisabled: lock = Switch(isOn: false, changed: fact)
    case .diskSpaceSampled: disk = DiskSample(event, fact)
    case .powerChanged:
      battery = event.battery ?? battery
      if let isOn = event.charging { charging = Switch(isOn: isOn, changed: fact) }
    case .policyChanged:
      guard let name = event.policy, let enabled = event.enabled else { return false }
      switches[name] = Switch(isOn: enabled, changed: fact)
    default: return false
    }
    return true
  }
}
