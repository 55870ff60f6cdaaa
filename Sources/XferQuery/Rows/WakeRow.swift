import XferEvents
package import XferLifecycle
package import XferReplay

/// One wake of an app, and its completion handler.
package struct WakeRow: TableRow {
  package static let table = "wakes"
  private let wake: WakeLifecycle
  private let process: ProcessLifecycle?

  package init(_ wake: WakeLifecycle, in world: World) {
    self.wake = wake
    process = (wake.process ?? wake.launchedProcess).map { world.processes[$0] }
  }

  package var columns: KeyValuePairs<String, ColumnValue> {
    [
      "handler": .digits(wake.handler.rawValue),
      "session": ColumnValue(wake.session),
      "launch": ColumnValue(process?.launch.map { "\($0)" }),
      "cause": ColumnValue(wake.cause?.name),
      "outcome": .text(wake.result(processEnded: process?.endFact != nil).rawValue),
      "calls": ColumnValue(wake.calls),
      "on_main_thread": ColumnValue(wake.calledOnMainThread),
      "wanted": .time(wake.wanted), "wanted_ns": .epoch(wake.wanted),
      "launched": .time(wake.launched), "launched_ns": .epoch(wake.launched),
      "delivered": .time(wake.delivered), "delivered_ns": .epoch(wake.delivered),
      "stored": .time(wake.stored), "stored_ns": .epoch(wake.stored),
      "events_finished": .time(wake.eventsFinished), "events_finished_ns": .epoch(wake.eventsFinished),
      "called": .time(wake.called), "called_ns": .epoch(wake.called),
      "released": .time(wake.released), "released_ns": .epoch(wake.released),
    ]
  }
}
