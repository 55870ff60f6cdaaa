package import XferEvents
import XferLifecycle

/// Puts a cause before its effect where the clocks of two writers say otherwise, and counts how often it had to.
///
/// sent before received, launched before started, delivered before called: such pairs carry the same id, and an id is
/// stronger evidence than a clock. Everything else stays where it was.
package struct CausalOrder: Sendable {
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

  package init() {}

  /// Arranges a batch that comes behind those that were arranged before.
  ///
  /// - Parameter more: puts what comes next behind what is in the batch, where a cause is still to come; false when there is nothing (yet).
  package mutating func arrange(_ batch: inout EventBatch, more: (inout EventBatch) -> Bool) {
    var place = 0
    while place < batch.events.count {
      // Nearly all events are neither causes nor effects: they pass without being looked into.
      if let kind = batch.events[place].kind, Self.isPaired(kind) { order(place, kind, &batch, more) }
      place += 1
    }
  }

  /// Whether it is a cause or an effect. A function, as a table would be asked for whether it is made already.
  @inline(__always)
  private static func isPaired(_ kind: EventKind) -> Bool {
    switch kind {
    case .deliverySent, .deliveryReceived, .wakeLaunched, .processStarted, .wakeDelivered, .wakeHandlerCalled: true
    default: false
    }
  }

  /// Puts the cause of an event, if that is an effect without one, before it.
  @inline(never)
  private mutating func order(
    _ place: Int, _ kind: EventKind, _ batch: inout EventBatch, _ more: (inout EventBatch) -> Bool
  ) {
    let event = batch.events[place]
    if let key = Self.key(ofCause: kind, event) {
      causes.insert(key)
    } else if let key = Self.key(ofEffect: kind, event), causes.remove(key) == nil,
      let cause = Self.find(key, behind: place, in: &batch, more)
    {
      inversions += 1
      causes.insert(key)
      batch.move(cause, before: place)
    }
  }

  private static func find(
    _ key: Key, behind effect: Int, in batch: inout EventBatch, _ more: (inout EventBatch) -> Bool
  ) -> Int? {
    for place in effect + 1...effect + reach {
      while place >= batch.events.count { if !more(&batch) { return nil } }
      let event = batch.events[place]
      if let kind = event.kind, Self.key(ofCause: kind, event) == key { return place }
    }
    return nil
  }

  @inline(__always)
  private static func key(ofCause kind: EventKind, _ event: EventView) -> Key? {
    switch kind {
    case .deliverySent: event.delivery.map { Key(effect: .deliveryReceived, high: 0, low: $0.rawValue) }
    case .wakeLaunched: event.launch.map { Key(effect: .processStarted, high: $0.high, low: $0.low) }
    case .wakeDelivered: event.handler.map { Key(effect: .wakeHandlerCalled, high: 0, low: $0.rawValue) }
    default: nil
    }
  }

  @inline(__always)
  private static func key(ofEffect kind: EventKind, _ event: EventView) -> Key? {
    switch kind {
    case .deliveryReceived: event.delivery.map { Key(effect: kind, high: 0, low: $0.rawValue) }
    case .processStarted where event.startReason == .transfer:
      event.launch.map { Key(effect: kind, high: $0.high, low: $0.low) }
    case .wakeHandlerCalled: event.handler.map { Key(effect: kind, high: 0, low: $0.rawValue) }
    default: nil
    }
  }
}
