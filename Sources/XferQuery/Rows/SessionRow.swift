import XferEvents
package import XferLifecycle
package import XferReplay

/// One session object in one process life.
package struct SessionRow: TableRow {
  package static let table = "sessions"
  private let place: Int
  private let session: SessionLifecycle
  private let world: World

  package init(_ session: SessionLifecycle, at place: Int, in world: World) {
    self.place = place
    self.session = session
    self.world = world
  }

  package var columns: KeyValuePairs<String, ColumnValue> {
    [
      "id": ColumnValue(place),
      "identifier": .text(session.identifier),
      "instance": .digits(session.instance?.rawValue),
      "kind": ColumnValue(session.kind?.name),
      "launch": ColumnValue(world.processes[session.process].launch.map { "\($0)" }),
      "created": .time(session.created), "created_ns": .epoch(session.created),
      "connected": .time(session.connected), "connected_ns": .epoch(session.connected),
      "events_finished": .time(session.eventsFinished), "events_finished_ns": .epoch(session.eventsFinished),
      "invalidated": .time(session.invalidated), "invalidated_ns": .epoch(session.invalidated),
      "released": .time(session.released), "released_ns": .epoch(session.released),
    ]
  }
}
