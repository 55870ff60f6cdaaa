package import XferEvents
import XferLifecycle

/// The delivery of one callback to the app's code.
package struct DeliveryRow: TableRow {
  package static let table = "deliveries"
  fileprivate var delivery: DeliveryLifecycle
  fileprivate let session: String?
  fileprivate let task: TaskIdentity?

  package var columns: KeyValuePairs<String, ColumnValue> {
    [
      "delivery": .digits(delivery.id.rawValue),
      "callback": .text(delivery.callback.name),
      "session": ColumnValue(task?.session ?? session),
      "task": ColumnValue(task.map { "\($0.uid)" }),
      "sent": .time(delivery.sent), "sent_ns": .epoch(delivery.sent),
      "received": .time(delivery.received), "received_ns": .epoch(delivery.received),
      "entered": .time(delivery.entered), "entered_ns": .epoch(delivery.entered),
      "left": .time(delivery.left), "left_ns": .epoch(delivery.left),
      "dropped": .time(delivery.dropped), "dropped_ns": .epoch(delivery.dropped),
      "drop_reason": ColumnValue(delivery.dropReason?.name),
      "wait_ns": ColumnValue(Self.time(delivery.sent, delivery.entered)),
      "run_ns": ColumnValue(Self.time(delivery.entered, delivery.left)),
    ]
  }

  /// Returns the time between two facts. `nil` when a fact is missing, or when the clocks of two writers disagree.
  private static func time(_ start: Fact?, _ end: Fact?) -> Duration? {
    guard let start, let end, let time = start.duration(to: end), time >= .zero else { return nil }
    return time
  }
}

/// Collects all deliveries of a log, because lifecycles keep only those that matter for a task's outcome.
package struct DeliveryLedger {
  private var open: [Key: Entry] = [:]
  private var seen = 0

  /// The key of a delivery. Each session numbers its deliveries, so a number alone is not unique.
  private struct Key: Hashable {
    let task: TaskUID?
    let session: String?
    let delivery: DeliveryID
  }

  private struct Entry {
    let ordinal: Int
    var row: DeliveryRow
  }

  package init() {}

  /// - Returns: the delivery if the event ends it by recording that the app's code has returned; otherwise `nil`. A drop does not
  ///   end a delivery, because the callback may be sent again.
  package mutating func apply(_ event: RecordedEvent) -> DeliveryRow? {
    guard let fact = event.fact, case .delivery(let kind) = fact.kind.model, let id = event.delivery,
      let callback = event.callback
    else { return nil }
    let (task, session) = (event.task, event.session)
    let key = Key(task: task?.uid, session: task == nil ? session : nil, delivery: id)
    if open[key] == nil {
      let row = DeliveryRow(delivery: DeliveryLifecycle(id: id, callback: callback), session: session, task: task)
      open[key] = Entry(ordinal: seen, row: row)
      seen += 1
    }
    _ = open[key]!.row.delivery.apply(kind, event.view, fact)
    return kind == .deliveryLeft ? open.removeValue(forKey: key)?.row : nil
  }

  /// The deliveries that have not ended, in the order in which they began.
  package var rest: [DeliveryRow] { open.values.sorted { $0.ordinal < $1.ordinal }.map(\.row) }
}
