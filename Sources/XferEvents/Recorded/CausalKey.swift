/// What a cause and its effect have in common: the kind of the effect, and the value of the field that joins the two events.
///
/// The vocabulary's column `cause` says which events are joined; `EventView.keyOfEffect` and `keyOfCause` are generated from it.
package struct CausalKey: Hashable, Sendable {
  @usableFromInline let effect: EventKind
  @usableFromInline let high: UInt64
  @usableFromInline let low: UInt64

  @inlinable package init(_ effect: EventKind, high: UInt64 = 0, low: UInt64) {
    self.effect = effect
    self.high = high
    self.low = low
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(low) }
}
