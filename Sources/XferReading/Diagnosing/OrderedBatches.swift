package import XferEvents
import XferReplay

/// The events and gaps of a source in causal order, a batch at a time. They are read on another thread when the source allows it.
package final class OrderedBatches {
  private let source: any EventSource
  private let ahead: (any EventBatches)?
  private let order: Order

  /// The causal order of the batches. If a thread reads ahead, only that thread uses it until it ends, and the caller afterwards.
  private final class Order {
    var causal = CausalOrder()
  }

  package init(_ source: any EventSource) {
    let order = Order()
    self.source = source
    self.order = order
    ahead = source.readingAhead { order.causal.arrange(&$0, more: $1) }
  }

  /// The number of effects that were recorded before their causes. Final after `next` has returned false.
  package var inversions: Int { order.causal.inversions }

  /// - Parameter batch: a batch whose events and gaps are replaced with the next ones.
  /// - Returns: whether the source had more of them.
  package func next(_ batch: inout EventBatch) -> Bool {
    for source in batch.endedSources { source.forgetTasks() }
    batch.removeAll()
    if let ahead { return ahead.fill(&batch) }
    guard source.fill(&batch) else { return false }
    order.causal.arrange(&batch) { source.fill(&$0) }
    return true
  }
}
