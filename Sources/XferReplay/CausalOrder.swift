package import XferEvents
import XferLifecycle

/// Puts a cause before its effect where the clocks of two writers say otherwise, and counts how often it had to.
///
/// sent before received, launched before started, delivered before called: such pairs carry the same id, and an id is
/// stronger evidence than a clock. Everything else stays where it was.
package struct CausalOrder {
  private var input: () -> LogMember?
  private var ahead: [LogMember] = []
  private var next = 0
  private var causes: Set<Key> = []
  /// How many effects stood before their causes.
  package private(set) var inversions = 0

  private struct Key: Hashable {
    let effect: EventKind
    let high: UInt64
    let low: UInt64

    func hash(into hasher: inout Hasher) { hasher.combine(low) }
  }

  /// How far to look for a cause. Clocks of one machine differ by less; a cause that is not there by then is missing.
  private static let reach = 256

  package init(_ input: @escaping () -> LogMember?) {
    self.input = input
  }

  package mutating func callAsFunction() -> LogMember? {
    if next < ahead.count { return order(takeAhead()) }
    let member = input()
    // Nearly all events are neither causes nor effects: they pass without being looked into, or copied.
    return Self.isOrdered(member) ? order(member!) : member
  }

  @inline(never)
  private static func isOrdered(_ member: LogMember?) -> Bool { member?.kind.map(kinds.contains) ?? false }

  private static let kinds = NumberSet([
    EventKind.deliverySent, .deliveryReceived, .wakeLaunched, .processStarted, .wakeDelivered, .wakeHandlerCalled,
  ])

  private mutating func order(_ member: LogMember) -> LogMember {
    guard case .event(let event) = member, let kind = event.kind else { return member }
    if let key = Self.key(ofCause: kind, event) {
      causes.insert(key)
    } else if let key = Self.key(ofEffect: kind, event), causes.remove(key) == nil, let cause = findAhead(key) {
      inversions += 1
      // The effect goes back to the front of what lies ahead, the cause goes first.
      ahead.insert(member, at: next)
      causes.insert(key)
      return cause
    }
    return member
  }

  private mutating func takeAhead() -> LogMember {
    let member = ahead[next]
    next += 1
    if next == ahead.count {
      ahead.removeAll(keepingCapacity: true)
      next = 0
    }
    return member
  }

  /// Takes the cause out of what lies ahead, if it is there.
  private mutating func findAhead(_ key: Key) -> LogMember? {
    if next > 0 {
      ahead.removeFirst(next)
      next = 0
    }
    for place in 0..<Self.reach {
      if place == ahead.count {
        guard let member = input() else { return nil }
        ahead.append(member)
      }
      if case .event(let event) = ahead[place], let kind = event.kind, Self.key(ofCause: kind, event) == key {
        return ahead.remove(at: place)
      }
    }
    return nil
  }

  @inline(__always)
  private static func key(ofCause kind: EventKind, _ event: RecordedEvent) -> Key? {
    switch kind {
    case .deliverySent: event.delivery.map { Key(effect: .deliveryReceived, high: 0, low: $0.rawValue) }
    case .wakeLaunched: event.launch.map { Key(effect: .processStarted, high: $0.high, low: $0.low) }
    case .wakeDelivered: event.handler.map { Key(effect: .wakeHandlerCalled, high: 0, low: $0.rawValue) }
    default: nil
    }
  }

  @inline(__always)
  private static func key(ofEffect kind: EventKind, _ event: RecordedEvent) -> Key? {
    switch kind {
    case .deliveryReceived: event.delivery.map { Key(effect: kind, high: 0, low: $0.rawValue) }
    case .processStarted where event.startReason == .transfer:
      event.launch.map { Key(effect: kind, high: $0.high, low: $0.low) }
    case .wakeHandlerCalled: event.handler.map { Key(effect: kind, high: 0, low: $0.rawValue) }
    default: nil
    }
  }
}
