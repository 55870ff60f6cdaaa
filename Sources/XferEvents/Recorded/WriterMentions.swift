/// The process lives that the events of other processes mention by their `LaunchID`.
///
/// A process that has no log is mentioned without a `LaunchID`. A mentioned process without events is therefore one whose log is
/// missing.
package struct WriterMentions: Sendable {
  package struct Mention: Sendable {
    package let launch: LaunchID
    package let isDaemon: Bool
    /// The first event that mentions the process.
    package let first: Fact
    /// The last event that mentions the process.
    package fileprivate(set) var last: Fact
    /// Whether an event reports the end of the process.
    package fileprivate(set) var hasEnded = false
    package fileprivate(set) var pid: Int?
    package fileprivate(set) var executable: String?
  }

  package private(set) var all: [Mention] = []
  private var places: [LaunchID: Int] = [:]
  /// The time of the last event that retention removed, according to the log; `nil` if it removed none.
  private var removedUntil: WallTime?

  package init() {}

  /// Notes the process life that an event of another one mentions, if it mentions any.
  package mutating func note(_ event: EventView) {
    guard let kind = event.kind else { return }
    let writer = event.source.writer
    switch kind {
    case .linkConnected, .linkDisconnected:
      if let peer = event.peer { note(peer, isDaemon: writer.role != .daemon, event, event.fact(of: kind)) }
    case .processStarted, .processStateChanged, .processExited, .processExitObserved, .processTerminationAnnounced:
      guard let launch = event.launch, launch != writer.launch else { return }
      note(launch, isDaemon: false, event, event.fact(of: kind))
    case .logSegmentsRemoved: if let until = event.until { noteRemoved(until: until) }
    default: return
    }
  }

  package mutating func note(_ launch: LaunchID, isDaemon: Bool, _ event: EventView, _ fact: Fact) {
    let place: Int
    if let known = places[launch] {
      place = known
    } else {
      place = all.count
      places[launch] = place
      all.append(Mention(launch: launch, isDaemon: isDaemon, first: fact, last: fact))
    }
    all[place].last = fact
    if fact.kind == .processExitObserved { all[place].hasEnded = true }
    all[place].pid = all[place].pid ?? event.pid
    all[place].executable = all[place].executable ?? event.executable
  }

  /// Notes that retention removed events up to a time.
  package mutating func noteRemoved(until time: WallTime) { removedUntil = max(removedUntil ?? time, time) }

  /// Returns the mentioned processes whose logs are missing, except those whose logs retention may have removed.
  ///
  /// - Parameter seen: the process lives with events of their own.
  package func missing(seen: () -> Set<LaunchID>) -> [Mention] {
    if all.isEmpty { return [] }
    let seen = seen()
    return all.filter { mention in
      if seen.contains(mention.launch) { return false }
      guard let removedUntil, let wall = mention.first.wall else { return true }
      return wall > removedUntil
    }
  }
}

extension WriterMentions.Mention {
  /// The process's name for messages, for example "kettle (pid 26660)".
  package var name: String {
    let program = executable?.fileName ?? (isDaemon ? "the daemon" : "an app")
    return "\(program) (\(pid.map { "pid \($0)" } ?? "launch \(launch)"))"
  }
}
