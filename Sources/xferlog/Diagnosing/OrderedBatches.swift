import XferEvents
import XferLogStore
import XferReplay

/// A log's members in causal order, a batch at a time; read on a thread of its own where that can be.
final class OrderedBatches {
  private let reader: LogReader
  private let ahead: AheadReader?
  private let order: Order

  /// Has one user at a time: the thread that reads ahead, and when that is over, this one.
  private final class Order {
    var causal = CausalOrder()
  }

  init(_ reader: LogReader) {
    let order = Order()
    self.reader = reader
    self.order = order
    ahead = AheadReader(reader) { order.causal.arrange(&$0, more: $1) }
  }

  /// How many effects stood before their causes; known when there is no more.
  var inversions: Int { order.causal.inversions }

  /// - Parameter batch: gets what comes next in place of what it has.
  /// - Returns: whether there is more.
  func next(_ batch: inout EventBatch) -> Bool {
    batch.removeAll()
    if let ahead { return ahead.fill(&batch) }
    guard reader.fill(&batch) else { return false }
    order.causal.arrange(&batch, more: reader.fill)
    return true
  }
}
