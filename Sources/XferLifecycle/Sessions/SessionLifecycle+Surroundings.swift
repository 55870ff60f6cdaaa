package import XferEvents

// Facts about other sessions and tasks that concern a background session; set by the replay, which knows them.
extension SessionLifecycle {
  package struct Surroundings: EmptyInitializable, Sendable {
    /// Another session object with the same identifier that was in use in this process when this one was created.
    package var rival: Rival?
    /// The index of the session object with the same identifier in an earlier life of the app.
    package var earlier: Int?
    /// The open tasks of the session with the index `earlier` when this one was created with other settings.
    package var inherited: [TaskIdentity] = []
    /// The end of the last task that ended while no process had the session.
    package var ended: Fact?
    /// The number of tasks that ended while no process had the session.
    package var endedCount = 0
    /// The first task that was created, adopted or rejected in the session.
    package var firstTask: Fact?
    /// The first task that the app created in another session, which is not a background session, while this session had no task.
    package var aside: Aside?
    /// A listener that was attached after completions had been dropped.
    package var lateListener: LateListener?

    package init() {}
  }

  package struct LateListener: Sendable {
    package let attached: Fact
    /// The first dropped callback.
    package let dropped: Fact
    package let count: Int

    package init(attached: Fact, dropped: Fact, count: Int) {
      self.attached = attached
      self.dropped = dropped
      self.count = count
    }
  }

  package struct Rival: Sendable {
    package let created: Fact

    package init(created: Fact) { self.created = created }
  }

  package struct Aside: Sendable {
    package let task: TaskIdentity
    package let created: Fact
    package let type: TaskType?
    package let kind: SessionKind

    package init(task: TaskIdentity, created: Fact, type: TaskType?, kind: SessionKind) {
      self.task = task
      self.created = created
      self.type = type
      self.kind = kind
    }
  }
}

/// The configuration of a background session in `session.created`, for comparison with the session's next incarnation.
package final class SessionSettings: Sendable {
  package let digest: ValueDigest?
  private let values: [String: String]

  init(_ event: EventView) {
    digest = event.configuration
    let flags = [
      "waitsForConnectivity": event.waitsForConnectivity, "isDiscretionary": event.discretionary,
      "sessionSendsLaunchEvents": event.sendsLaunchEvents, "shouldUseExtendedBackgroundIdleMode": event.extendedIdle,
      "allowsCellularAccess": event.allowsCellular, "allowsExpensiveNetworkAccess": event.allowsExpensive,
      "allowsConstrainedNetworkAccess": event.allowsConstrained,
    ]
    var values = flags.compactMapValues { $0.map { "\($0)" } }
    values["timeoutIntervalForRequest"] = event.requestTimeout.map { "\($0)" }
    values["timeoutIntervalForResource"] = event.resourceTimeout.map { "\($0)" }
    values["httpMaximumConnectionsPerHost"] = event.connectionsPerHost.map { "\($0)" }
    self.values = values
  }

  /// Returns the names of the settings that both sessions state and that differ, in alphabetical order.
  package func differences(from other: SessionSettings) -> [String] {
    values.filter { name, value in other.values[name].map { $0 != value } ?? false }.keys.sorted()
  }
}
