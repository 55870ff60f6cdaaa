import XferEvents
package import XferLifecycle
package import XferReplay

/// One task in its last known state.
package struct TaskRow: TableRow {
  package static let table = "tasks"
  private let task: TaskLifecycle
  private let world: World

  package init(_ task: TaskLifecycle, in world: World) {
    self.task = task
    self.world = world
  }

  package var columns: KeyValuePairs<String, ColumnValue> {
    [
      "uid": .text("\(task.identity.uid)"),
      "session": .text(task.identity.session),
      "number": ColumnValue(task.identity.number),
      "type": ColumnValue(task.type?.name),
      "state": .text(task.state.rawValue),
      "outcome": .text(task.result.rawValue),
      "method": ColumnValue(task.method),
      "scheme": ColumnValue(task.scheme),
      "host": ColumnValue(task.host),
      "path": ColumnValue(task.path),
      "http": ColumnValue(task.status),
      "error_domain": ColumnValue(task.error?.domain?.name),
      "error": ColumnValue(task.error?.number),
      "error_name": ColumnValue(task.error?.name),
      "attempts": ColumnValue(task.attemptCount),
      "received": ColumnValue(task.bytesReceived),
      "sent": ColumnValue(task.bytesSent),
      "connections": ColumnValue(task.connections),
      "reused": ColumnValue(task.reusedConnections),
      "hold": ColumnValue(task.hold?.name),
      "cancelled_by": ColumnValue(task.cancelledBy?.name),
      "intent": ColumnValue(task.intent),
      "app_outcome": ColumnValue(task.outcome?.name),
      "launch": ColumnValue(world.process(of: task).launch.map { "\($0)" }),
      "created": .time(task.created), "created_ns": .epoch(task.created),
      "resumed": .time(task.resumed), "resumed_ns": .epoch(task.resumed),
      "transferred": .time(task.transferred), "transferred_ns": .epoch(task.transferred),
      "completed": .time(task.completed), "completed_ns": .epoch(task.completed),
      "acknowledged": .time(task.acknowledged), "acknowledged_ns": .epoch(task.acknowledged),
      "queue_ns": ColumnValue(task.queueTime),
      "connect_ns": ColumnValue(task.connectTime),
      "first_byte_ns": ColumnValue(task.firstByteTime),
      "body_ns": ColumnValue(task.bodyTime),
      "delivery_ns": ColumnValue(task.deliveryTime),
      "total_ns": ColumnValue(task.totalTime),
      "unexpected": ColumnValue(task.unexpected.count),
    ]
  }
}
