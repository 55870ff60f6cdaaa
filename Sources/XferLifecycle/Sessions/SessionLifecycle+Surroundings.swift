package import XferEvents

// What happens around a background session; set by the replay, which knows the tasks and the other sessions.
extension SessionLifecycle {
  package struct Surroundings: StartingEmpty, Sendable {
    /// Another object for the same identifier that was alive in this process when this one was made.
    package var rival: Rival?
    /// The object for the same identifier in an earlier life of the app.
    package var earlier: Int?
    /// Tasks of that one which were not over when this one was made with other settings.
    package var inherited: [TaskIdentity] = []
    /// The last task that had ended while no process had the session.
    package var ended: Fact?
    /// How many of them.
    package var endedCount = 0
    /// The first task that was made in it, or was known again.
    package var firstTask: Fact?
    /// The first task that was made in the process after it, in another session.
    package var aside: Aside?
    /// Somebody began to listen when completions had been dropped.
    package var lateListener: LateListener?

    package init() {}
  }

  package struct LateListener: Sendable {
    package let attached: Fact
    /// The first of what was dropped, and how many there were.
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

/// What `session.created` says of a background session's configuration, to tell whether it is made the same way again.
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

  /// Names of settings that both say and that differ, in alphabetical order.
  package func differences(from other: SessionSettings) -> [String] {
    values.filter { name, value in other.values[name].map { $0 != value } ?? false }.keys.sorted()
  }
}
