import XferEvents
import XferLifecycle
import XferReplay

/// A request that failed because its connection or address had been chosen for the network before a path change.
struct EndpointStaleAfterPathChange: TaskRule {
  private static func path(cellular: Bool, at time: Double) -> RuleExample.Step {
    .at(time, NetworkPathChanged(up: true, cellular: cellular))
  }
  private static let created = RuleExample.Step.at(20, TaskCreated(type: .data, host: "cloud.example.com"))
  private static let ended = RuleExample.Step.at(
    80, AttemptEnded(attempt: 1, end: .timeout, domain: .url, error: -1001, errorName: "timedOut"))
  private static let completed = RuleExample.Step.at(
    80, TaskCompleted(domain: .url, error: -1001, errorName: "timedOut"))

  /// The steps of an example: the device changes to the cellular network after 10 s; a task reuses a connection that has been idle
  /// for `idle` seconds; then `rest` follows.
  private static func reused(
    isNew: Bool = false, idle: Int64 = 15, change: RuleExample.Step = path(cellular: true, at: 10), _ rest: RuleExample.Step...
  ) -> [RuleExample.Step] {
    [
      path(cellular: false, at: 0), change, created, .at(20, TaskResumed()), .at(20, AttemptStarted(attempt: 1)),
      .at(
        20,
        AttemptConnectionAcquired(
          attempt: 1, connection: CorrelationID(4), reused: !isNew, idle: isNew ? nil : .seconds(idle))),
      .at(20, AttemptRequestSent(attempt: 1, method: "GET")),
    ] + rest
  }

  /// The steps of an example: a task for `host` is created, the device changes to another network, and the attempt fails.
  private static func addressed(_ host: String, changes: Bool = true) -> [RuleExample.Step] {
    let began: [RuleExample.Step] = [
      path(cellular: false, at: 0), .at(1, TaskCreated(type: .data, host: host)), .at(1, TaskResumed()),
    ]
    return began + (changes ? [path(cellular: true, at: 10)] : []) + [.at(20, AttemptStarted(attempt: 1)), ended, completed]
  }

  static let description = RuleDescription(
    id: "endpoint-stale-after-path-change", severity: .error,
    summary: "A request was sent to a connection or an address that was chosen before the network path changed, and failed.",
    explanation: """
      A connection belongs to the network on which it was opened, and an address may be reachable on one network only. When the \
      device changes from Wi-Fi to cellular, a connection in the pool of a library looks alive, but the packets are lost without \
      an error, and each request on it waits for its timeout. In the same way, a task that was created with the server's address \
      in the home network cannot reach it from another one. The variant says what was stale: the connection ("connection"), or \
      a local address in the URL ("address").
      """,
    remedy: """
      Watch the path with NWPathMonitor. When it changes, close the idle connections (reset(completionHandler:) or a new session; \
      CURLOPT_MAXAGE_CONN with libcurl), and send a ping on HTTP/2 connections before their next request. Choose between an \
      internal and an external address when the request is sent, not when it is created, and fall back to the other one after \
      a connection failure.
      """,
    sources: [
      "https://github.com/envoyproxy/envoy-mobile/issues/601", "https://github.com/envoyproxy/envoy-mobile/issues/128",
      "https://github.com/home-assistant/iOS/issues/3476", "https://github.com/feditext/feditext/issues/520",
      "https://github.com/Benedicht/BestHTTP-Issues/issues/167",
    ],
    reports: [
      RuleExample(
        "the connection was last used on Wi-Fi, and the request timed out on cellular", .probable, variant: "connection",
        cites: [.last(.networkPathChanged), .attemptConnectionAcquired, .attemptRequestSent, .attemptEnded],
        steps: reused(ended, completed)),
      RuleExample(
        "the path changed between the connection and the request, which is not answered", .probable, variant: "connection",
        cites: [.last(.networkPathChanged), .attemptConnectionAcquired, .attemptRequestSent],
        path(cellular: false, at: 0), created, .at(20, TaskResumed()), .at(20, AttemptStarted(attempt: 1)),
        .at(20, AttemptConnectionAcquired(attempt: 1, connection: CorrelationID(4), reused: false)),
        path(cellular: true, at: 30), .at(31, AttemptRequestSent(attempt: 1, method: "GET")), .at(200, LogHeartbeatWritten())),
      RuleExample(
        "the task was created for an address of the home network", .probable, variant: "address",
        cites: [.taskCreated, .last(.networkPathChanged), .attemptEnded], steps: addressed("192.168.1.20")),
    ],
    staysSilent: [
      RuleExample(
        "the server may still respond", path(cellular: false, at: 0), created, .at(20, TaskResumed()),
        .at(20, AttemptStarted(attempt: 1)),
        .at(20, AttemptConnectionAcquired(attempt: 1, connection: CorrelationID(4), reused: false)),
        path(cellular: true, at: 30), .at(31, AttemptRequestSent(attempt: 1, method: "GET")), .at(60, LogHeartbeatWritten())),
      RuleExample("the connection was opened after the change", steps: reused(isNew: true, ended, completed)),
      RuleExample("the connection was used after the change", steps: reused(idle: 5, ended, completed)),
      RuleExample(
        "the server answered on the connection",
        steps: reused(
          .at(21, AttemptResponseReceived(attempt: 1, status: 200)), .at(22, AttemptEnded(attempt: 1, end: .finished)),
          .at(22, TaskCompleted(status: 200)))),
      RuleExample(
        "the same network was described again", steps: reused(change: path(cellular: false, at: 10), ended, completed)),
      RuleExample(
        "the engine retries on a new connection",
        steps: reused(
          .at(25, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, retryIn: .seconds(1))),
          .at(26, AttemptStarted(attempt: 2)), .at(26, AttemptConnectionAcquired(attempt: 2, reused: false)),
          .at(27, AttemptResponseReceived(attempt: 2, status: 200)), .at(27, AttemptEnded(attempt: 2, end: .finished)),
          .at(27, TaskCompleted(status: 200)))),
      RuleExample("the app cancelled the task", steps: reused(.at(25, TaskCancelRequested(by: .app)), ended, completed)),
      RuleExample("the address is reachable from everywhere", steps: addressed("cloud.example.com")),
      RuleExample(
        "the network changed during the attempt", path(cellular: false, at: 0),
        .at(1, TaskCreated(type: .data, host: "192.168.1.20")), .at(1, TaskResumed()), .at(5, AttemptStarted(attempt: 1)),
        path(cellular: true, at: 10), ended, completed),
      RuleExample("the network did not change", steps: addressed("192.168.1.20", changes: false)),
    ])

  static let watches: Set<EventKind> = [.attemptRequestSent, .attemptEnded]
  static let presupposes: Set<TaskSign>? = [.trait(.pathChanged)]

  /// The maximum time for a response, URLSession's default request timeout.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the server may take to respond")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let moved = world.network.moved, let attempt = task.attempt, attempt.status == nil, attempt.responseReceived == nil,
      task.cancelRequested == nil
    else { return asked.isTaskOver ? .silent : nil }
    if let ended = attempt.ended {
      guard attempt.end == .transport || attempt.end == .timeout, attempt.retryIn == nil else {
        return asked.isTaskOver ? .silent : nil
      }
      if let acquired = attempt.connectionAcquired, let sent = attempt.requestSent {
        guard Self.isStale(acquired, idle: attempt.idle, sent: sent, moved: moved) else { return .silent }
        return .finding(connection(task, attempt, [moved, acquired, sent, ended]))
      }
      guard attempt.connectionAcquired == nil, attempt.number == 1, let created = task.created, let started = attempt.started,
        created.isBefore(moved) ?? false, moved.isBefore(started) ?? false, task.host.map(Self.isLocal) ?? false
      else { return .silent }
      return .finding(
        Draft(
          variant: "address",
          summary: """
            Task \(task.identity.label) was created for a local address before the network changed, and received no response \
            afterwards.
            """,
          claim: .absence(since: started, shownBy: .coverage), evidence: moved, [created, ended],
          missing: [.init(.attemptResponseReceived, dueBy: ended.moment)],
          unless: ["the server was down", "a VPN connects the new network with the local one"]))
    }
    guard let acquired = attempt.connectionAcquired, let sent = attempt.requestSent,
      Self.isStale(acquired, idle: attempt.idle, sent: sent, moved: moved)
    else { return asked.isTaskOver ? .silent : nil }
    guard asked.covered(since: sent, by: world.process(of: task)) >= patience else {
      return asked.isEndOfLog ? .silent : .wait(patience, after: sent)
    }
    return .finding(connection(task, attempt, [moved, acquired, sent]))
  }

  private func connection(_ task: TaskLifecycle, _ attempt: AttemptLifecycle, _ evidence: [Fact]) -> Draft {
    Draft(
      variant: "connection",
      summary: """
        Task \(task.identity.label) sent its request on a connection from before the network changed, and received no response.
        """,
      claim: .absence(since: evidence[2], shownBy: .coverage), evidence: evidence[0], Array(evidence.dropFirst()),
      missing: [.init(.attemptResponseReceived, dueBy: attempt.ended?.moment ?? evidence[2].due(within: patience))],
      unless: ["the server was down"])
  }

  /// Whether a connection was opened before the path changed, and a request was sent on it afterwards.
  private static func isStale(_ acquired: Fact, idle: Duration?, sent: Fact, moved: Fact) -> Bool {
    guard let toSent = moved.duration(to: sent), toSent > .zero, let toAcquired = moved.duration(to: acquired) else {
      return false
    }
    // The path changed after the task had got the connection, or while the connection was idle.
    return toAcquired < .zero || idle.map { $0 > toAcquired } ?? false
  }

  /// Whether a host is reachable on the local network only: a private or link-local address, or a name of multicast DNS.
  private static func isLocal(_ host: String) -> Bool {
    let host = host.lowercased()
    if host.hasSuffix(".local") || host.hasSuffix(".local.") { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    if parts.count == 4, let first = parts[0], let second = parts[1], parts[2] != nil, parts[3] != nil {
      return first == 10 || (first == 192 && second == 168) || (first == 172 && 16..<32 ~= second)
        || (first == 169 && second == 254)
    }
    guard host.contains(":") else { return false }
    return ["fc", "fd", "fe8", "fe9", "fea", "feb"].contains { host.drop { $0 == "[" }.hasPrefix($0) }
  }
}
