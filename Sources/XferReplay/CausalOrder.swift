package import XferEvents
import XferLifecycle

/// Puts a cause before its effect where the clocks of two writers say otherwise, and counts how often it had to.
///
/// sent before received, launched before started, delivered before called: such pairs carry the same id, and an id is
/// stronger evidence than a clock. Everything else stays where it was.
package struct CausalOrder {
  private let fill: (inout EventBatch) -> Bool
  private var batch = EventBatch()
  private var next = 0
  private var nextGap = 0
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

  /// - Parameter fill: puts what comes next behind what is in the batch; false when there is nothing (yet).
  package init(batches fill: @escaping (inout EventBatch) -> Bool) { self.fill = fill }

  package init(_ input: @escaping () -> LogMember?) {
    self.init(batches: { batch in
      guard let member = input() else { return false }
      batch.append(member)
      return true
    })
  }

  /// The next member, which keeps its memory; `nil` when there is none (yet).
  package mutating func callAsFunction() -> LogMember? {
    switch step() {
    case .event(let event): .event(RecordedEvent(event))
    case .gap(let gap): .gap(gap)
    case .nothing: nil
    }
  }

  package enum Step {
    /// Lies where it is until the next step.
    case event(EventView)
    indirect case gap(LogGap)
    case nothing
  }

  /// The next member; `nothing` when there is none (yet).
  @inline(__always)
  package mutating func step() -> Step {
    if nextGap < batch.gaps.count || next == batch.events.count, let step = stepAside() { return step }
    // Nearly all events are neither causes nor effects: they pass without being looked into.
    if let kind = batch.events[next].kind, Self.isPaired(kind) { order(kind) }
    next += 1
    return .event(batch.events[next - 1])
  }

  /// A gap that stands here, or nothing where nothing more comes; `nil` where an event does.
  @inline(never)
  private mutating func stepAside() -> Step? {
    if nextGap == batch.gaps.count, next == batch.events.count {
      batch.removeAll()
      (next, nextGap) = (0, 0)
      guard fill(&batch) else { return .nothing }
    }
    guard nextGap < batch.gaps.count, batch.gaps[nextGap].place <= next else { return next < batch.events.count ? nil : .nothing }
    nextGap += 1
    return .gap(batch.gaps[nextGap - 1].gap)
  }

  /// Whether it is a cause or an effect. A function, as a table would be asked for whether it is made already.
  @inline(__always)
  private static func isPaired(_ kind: EventKind) -> Bool {
    switch kind {
    case .deliverySent, .deliveryReceived, .wakeLaunched, .processStarted, .wakeDelivered, .wakeHandlerCalled: true
    default: false
    }
  }

  /// Puts the cause of the next event, if that is an effect without one, before it.
  @inline(never)
  private mutating func order(_ kind: EventKind) {
    let event = batch.events[next]
    if let key = Self.key(ofCause: kind, event) {
      causes.insert(key)
    } else if let key = Self.key(ofEffect: kind, event), causes.remove(key) == nil, let place = findAhead(key) {
      inversions += 1
      causes.insert(key)
      batch.move(place, before: next)
    }
  }

  private mutating func findAhead(_ key: Key) -> Int? {
    for place in next + 1...next + Self.reach {
      while place >= batch.events.count { if !fill(&batch) { return nil } }
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
