import XferEvents
import XferLifecycle
import XferReplay

// The shortest chain of events that led to a task's end, each causing the next.
extension WhyQuestion {
  var chain: [WhyAnswer.Link] {
    var links = begun
    if task.handedOff != nil, task.completed == nil {
      links += [link(task.handedOff, "another task continued the transfer")]
    } else if let forgotten = task.forgotten, task.completed == nil {
      links += wire + [link(forgotten, "the daemon forgot the task\(task.forgetReason.map { ": \($0.meaning)" } ?? "")")]
    } else if let completed = task.completed {
      links += completion(completed)
      // The app usually records its outcome within the callback, before the engine records the completion. The outcome's link
      // therefore precedes the completion's link, unless the outcome was recorded later.
      if let outcome {
        links.insert(outcome, at: outcome.fact.duration(to: completed) ?? .seconds(-1) >= .zero ? links.count - 1 : links.count)
      }
    } else {
      links += wire + delivered + ended
    }
    var seen: Set<Fact> = []
    return links.compactMap(\.self).filter { seen.insert($0.fact).inserted }
  }

  private func link(_ fact: Fact?, at place: String? = nil, _ text: String) -> WhyAnswer.Link? {
    fact.map { WhyAnswer.Link(fact: $0, place: place ?? story.writer(of: $0) ?? "the log", text: text) }
  }

  private var server: String { "server \(task.attempt?.redirects.origin?.hostText ?? task.hostText ?? "(host unknown)")" }

  // MARK: Begin and transfer

  private var begun: [WhyAnswer.Link?] {
    if let resumed = task.resumed { return [link(resumed, "the app resumed the task")] }
    if let created = task.created { return [link(created, "the app created the task and never resumed it")] }
    return [link(task.adopted ?? task.listed, "the task existed before the log began")]
  }

  /// The link for the last hold, if the hold lasted at least a second, never ended, or kept the task from its first attempt;
  /// otherwise `nil`.
  private var longHold: WhyAnswer.Link? {
    guard let hold = story.holds.last,
      let time = hold.began.duration(to: hold.ended ?? task.wireEnd ?? task.completed ?? hold.began),
      time >= .seconds(1) || hold.ended == nil || task.attempt == nil
    else { return nil }
    return link(hold.began, "the task had to wait: \(hold.reason.meaning)")
  }

  /// The links of the last attempt.
  private var wire: [WhyAnswer.Link?] {
    guard let attempt = task.attempt else {
      return [
        longHold, task.coalesced.flatMap { link($0, "another task performed its transfer") }, link(task.transferred, transferred),
      ]
    }
    let count = task.attemptCount > 1 ? "attempt \(attempt.number) began after earlier attempts failed" : "the transfer began"
    var links: [WhyAnswer.Link?] = [longHold, link(attempt.started, count)]
    if let status = attempt.status {
      links.append(
        link(
          attempt.responseReceived, at: server, status >= 400 ? "the server refused: \(status)" : "the server answered \(status)")
      )
    }
    links.append(pathLoss(attempt))
    if attempt.error != nil || attempt.end.map({ $0 != .finished }) ?? false {
      links.append(link(attempt.ended, "the attempt ended: \(how(attempt))"))
    }
    links.append(link(task.transferred, transferred))
    return links
  }

  private var transferred: String {
    let bytes =
      task.type == .upload ? task.bytesSent.map { "\($0) bytes sent" } : task.bytesReceived.map { "\($0) bytes received" }
    return "the transfer finished" + (bytes.map { ": \($0)" } ?? "")
  }

  private func how(_ attempt: AttemptLifecycle) -> String {
    [attempt.end?.meaning, attempt.error?.text].compactMap(\.self).joined(separator: ", ")
  }

  /// Returns the link for the last loss of the network during the attempt; `nil` if the network was not lost, or the attempt did
  /// not fail.
  private func pathLoss(_ attempt: AttemptLifecycle) -> WhyAnswer.Link? {
    guard let started = attempt.started, let ended = attempt.ended, attempt.end == .transport || attempt.end == .timeout else {
      return nil
    }
    let loss = story.paths.last { path in
      !path.isUp && started.duration(to: path.fact) ?? .seconds(-1) >= .zero
        && path.fact.duration(to: ended) ?? .seconds(-1) >= .zero
    }
    return loss.flatMap { link($0.fact, "the network became unavailable") }
  }

  // MARK: Ends

  private func completion(_ completed: Fact) -> [WhyAnswer.Link?] {
    switch task.result {
    case .cancelled: return cancellation(completed)
    case .failed where task.error != nil:
      return wire + woken(until: completed) + [link(completed, "completed with an error: \(task.error?.text ?? "")\(limits)")]
    case .failed:
      // URLSession reports a status as a success, and the app has to check it. Other programs fail by themselves.
      let isURLSession = process.coverage?.isApple ?? true
      let text =
        isURLSession
        ? "completed without an error: URLSession leaves it to the app to check the status" : "completed with the status"
      return wire + woken(until: completed) + [link(completed, "\(text) \(task.status ?? 0)")]
    case .succeeded, .lost, .resumed, .open, .unknown: return wire + woken(until: completed) + [link(completed, "completed")]
    }
  }

  private var limits: String {
    guard task.timedOut else { return "" }
    let limits = [
      (task.requestTimeout ?? session?.requestTimeout).map { "\($0.components.seconds) s for the request" },
      (task.resourceTimeout ?? session?.resourceTimeout).map { "\($0.components.seconds) s for the resource" },
    ].compactMap(\.self)
    return limits.isEmpty ? "; the log does not say which timeouts applied" : "; timeouts: \(limits.joined(separator: " and "))"
  }

  private func cancellation(_ completed: Fact) -> [WhyAnswer.Link?] {
    let by = task.cancelledBy.map { " by \($0.meaning)" } ?? ""
    let why = task.cancelReason.map { ": \($0.meaning)" } ?? ""
    return [
      task.attempt.flatMap { link($0.started, "the transfer began") }, cancelCause,
      link(task.cancelRequested, "cancellation was requested\(by)\(why)"),
      link(completed, "completed as cancelled\(task.cancelRequested == nil ? why : "")"),
    ]
  }

  private var cancelCause: WhyAnswer.Link? {
    switch task.cancelReason {
    case .userForceQuit:
      let quit = world.processes.last { $0.wasQuitByUser && $0.endFact != nil }
      return link(quit?.endFact, "the user quit \(quit?.label ?? "the app")")
    case .backgroundUpdatesDisabled:
      return link(
        story.policies.last { $0.policy == .backgroundRefresh && !$0.isOn }?.fact, "background refresh was switched off")
    case .sessionInvalidated: return link(session?.invalidationRequested, "invalidation of the session was requested")
    case .none?, .insufficientResources, .sizeLimit, nil:
      guard let requested = session?.invalidationRequested, let cancelled = task.cancelRequested ?? task.completed,
        requested.duration(to: cancelled) ?? .seconds(-1) >= .zero, task.cancelledBy != .app
      else { return nil }
      return link(requested, "invalidation of the session was requested")
    }
  }

  /// Returns the link for the wake or launch of the app to receive the completion.
  private func woken(until completed: Fact) -> [WhyAnswer.Link?] {
    guard isBackground, let wireEnd = task.wireEnd else { return [] }
    let wake = world.wakes.last { wake in
      guard wake.session == task.identity.session, let reached = wake.launched ?? wake.delivered else { return false }
      return wireEnd.duration(to: reached) ?? .seconds(-1) >= .zero && reached.duration(to: completed) ?? .seconds(-1) >= .zero
    }
    guard let wake else { return [] }
    return [
      link(wake.launched ?? wake.delivered, "the app was \(wake.launched == nil ? "woken" : "launched") for the completion")
    ]
  }

  /// The links of the delivery to the app.
  private var delivered: [WhyAnswer.Link?] {
    let callback = task.completionDelivery ?? task.fileDelivery
    guard let last = [callback?.entered, callback?.received, callback?.sent].compactMap(\.self).first else { return [] }
    var links = [link(last, "the last recorded step of the callback")]
    if let dropped = callback?.dropped {
      links.append(link(dropped, "the callback was dropped\(callback?.dropReason.map { ": \($0.meaning)" } ?? "")"))
    }
    return links
  }

  private var ended: [WhyAnswer.Link?] {
    guard let end = task.processEnd else { return [] }
    let owner =
      world.processes.first { $0.endFact == end || $0.exited == end || $0.exitObserved == end || $0.logClosed == end } ?? process
    let how = owner.exitReason.map { ": \($0.meaning)" } ?? ""
    let signal = owner.exitSignal.map { ", signal \($0)" } ?? ""
    let time = owner.endWasNoticed ? EndTime(after: owner.endedAfter?.wall, noticed: end.wall).text.map { " \($0)" } ?? "" : ""
    return [link(end, at: owner.label, "\(owner.label) ended\(how)\(signal)\(time), so the task never completed")]
  }

  private var outcome: WhyAnswer.Link? {
    task.outcome.flatMap { link(task.outcomeRecorded, "the app recorded the outcome \($0.name)") }
  }
}
