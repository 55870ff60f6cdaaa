package import XferEvents
package import XferLifecycle

/// The last known state of the device, except its network.
package struct Conditions: Sendable {
  /// Whether the device is locked, so that protected files cannot be read.
  package private(set) var lock: Switch?
  package private(set) var charging: Switch?
  /// The charge of the battery in per cent.
  package private(set) var battery: Int?
  /// The last sample of a disk's free space.
  package private(set) var disk: DiskSample?
  private var switches: [PolicyName: Switch] = [:]

  package init() {}

  /// The known policies, in the order of the vocabulary.
  package var policies: [(name: PolicyName, state: Switch)] {
    PolicyName.allCases.compactMap { name in switches[name].map { (name, $0) } }
  }

  package func policy(_ name: PolicyName) -> Switch? { switches[name] }

  /// Applies an event about the device or the app's permissions.
  ///
  /// - Returns: whether the event changed a condition.
  mutating func apply(_ kind: EventModel.Condition, _ event: EventView, _ fact: Fact) -> Bool {
    switch kind {
    case .protectionEnabled: lock = Switch(isOn: true, changed: fact)
    case .protectionDisabled: lock = Switch(isOn: false, changed: fact)
    case .diskSpaceSampled: disk = DiskSample(event, fact)
    case .powerChanged:
      battery = event.battery ?? battery
      if let isOn = event.charging { charging = Switch(isOn: isOn, changed: fact) }
    case .policyChanged:
      guard let name = event.policy, let enabled = event.enabled else { return false }
      switches[name] = Switch(isOn: enabled, changed: fact)
    // Capabilities belong to the process and are stored there.
    case .appCapabilitiesRecorded: return false
    }
    return true
  }
}
