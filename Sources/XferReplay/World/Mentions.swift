package import XferEvents
import XferLifecycle

/// The process lives that other processes mention by their `LaunchID`.
///
/// A process that has no log is mentioned without a `LaunchID`. A mentioned process without events is therefore one whose log is
/// missing.
package struct Mentions: Sendable {
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

  mutating func note(_ launch: LaunchID, isDaemon: Bool, _ event: EventView, _ fact: Fact) {
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
}

extension World {
  /// The mentioned processes whose logs are missing, except those whose logs retention may have removed.
  package var missingWriters: [Mentions.Mention] {
    if mentions.all.isEmpty { return [] }
    let seen = Set(processes.lazy.filter { $0.firstSeen != nil }.compactMap(\.launch))
    return mentions.all.filter { mention in
      if seen.contains(mention.launch) { return false }
      guard let removedUntil, let wall = mention.first.wall else { return true }
      return wall > removedUntil
    }
  }
}

extension Mentions.Mention {
  /// The process's name for messages, for example "kettle (pid 26660)".
  package var name: String {
    let program = executable?.split(separator: "/").last.map(String.init) ?? (isDaemon ? "the daemon" : "an app")
    return "\(program) (\(pid.map { "pid \($0)" } ?? "launch \(launch)"))"
  }
}
