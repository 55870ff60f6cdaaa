package import XferEvents
import XferLifecycle

/// Moves a cause before its effect where the clocks of two writers disagree, and counts how often.
///
/// A cause and its effect have an identifier in common, which is stronger evidence than a clock: sent before received, launched
/// before started, delivered before called. The vocabulary's column `cause` lists them. All other events keep their order.
package struct CausalOrder: Sendable {
  private var causes: Set<Key> = []
  private var installations = InstallationTable()
  /// The number of effects that preceded their causes.
  package private(set) var inversions = 0

  /// The maximum number of events after an effect among which its cause is searched for. The clocks of one machine differ by less
  /// than the time that so many events take, so a cause that is not found there is missing.
  private static let reach = 256

  /// A key within one installation. The identifiers of another one join nothing, even if they are equal.
  private struct Key: Hashable {
    let key: CausalKey
    let installation: Int

    func hash(into hasher: inout Hasher) { hasher.combine(key) }
  }

  package init() {}

  /// Puts the events of a batch in causal order. Batches are given in the order of the log.
  ///
  /// - Parameter more: appends the following events to the batch, in case they contain a cause. Returns false if no events
  ///   follow, or none yet.
  package mutating func arrange(_ batch: inout EventBatch, more: (inout EventBatch) -> Bool) {
    var place = 0
    while place < batch.events.count {
      // Nearly all events are neither causes nor effects, so only their kind is read.
      if let kind = batch.events[place].kind, kind.isCausal { order(place, kind, &batch, more) }
      place += 1
    }
  }

  /// Moves the cause of an event before it, if the event is an effect that precedes its cause.
  @inline(never)
  private mutating func order(
    _ place: Int, _ kind: EventKind, _ batch: inout EventBatch, _ more: (inout EventBatch) -> Bool
  ) {
    let event = batch.events[place]
    if let key = event.keyOfEffect(kind) {
      causes.insert(Key(key: key, installation: installations.place(of: event)))
    } else if let key = event.keyOfCause(kind).map({ Key(key: $0, installation: installations.place(of: event)) }),
      causes.remove(key) == nil,
      let cause = find(key, behind: place, in: &batch, more)
    {
      inversions += 1
      causes.insert(key)
      batch.move(cause, before: place)
    }
  }

  private mutating func find(
    _ key: Key, behind effect: Int, in batch: inout EventBatch, _ more: (inout EventBatch) -> Bool
  ) -> Int? {
    for place in effect + 1...effect + Self.reach {
      while place >= batch.events.count { if !more(&batch) { return nil } }
      let event = batch.events[place]
      if let kind = event.kind, event.keyOfEffect(kind) == key.key, installations.place(of: event) == key.installation {
        return place
      }
    }
    return nil
  }
}
