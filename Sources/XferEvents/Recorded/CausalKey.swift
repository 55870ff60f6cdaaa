/// The key that joins a cause with its effect: the kind of the effect, and the value of a field that both events have.
///
/// The vocabulary's column `cause` determines which events are joined. `EventView.keyOfEffect` and `keyOfCause` are generated
/// from this column.
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
