package import XferEvents

/// Returns a log's events and gaps in causal order, one at a time.
package struct OrderedMembers {
  private let input: () -> LogMember?
  private var order = CausalOrder()
  private var batch = EventBatch()
  private var (next, nextGap) = (0, 0)

  /// The number of effects that preceded their causes in the input.
  package var inversions: Int { order.inversions }

  /// - Parameter input: returns the next event or gap in the order of the log; `nil` at the end of the log, and while a followed
  ///   log has nothing new.
  package init(_ input: @escaping () -> LogMember?) { self.input = input }

  /// Returns the next event or gap in causal order; `nil` at the end of the log, and while a followed log has nothing new.
  package mutating func callAsFunction() -> LogMember? {
    if nextGap == batch.gaps.count, next == batch.events.count {
      batch.removeAll()
      (next, nextGap) = (0, 0)
      guard Self.take(input, into: &batch) else { return nil }
      order.arrange(&batch) { [input] batch in Self.take(input, into: &batch) }
    }
    if nextGap < batch.gaps.count, batch.gaps[nextGap].place <= next {
      nextGap += 1
      return .gap(batch.gaps[nextGap - 1].gap)
    }
    next += 1
    return .event(RecordedEvent(batch.events[next - 1]))
  }

  private static func take(_ input: () -> LogMember?, into batch: inout EventBatch) -> Bool {
    guard let member = input() else { return false }
    batch.append(member)
    return true
  }
}
