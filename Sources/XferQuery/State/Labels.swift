import XferEvents
import XferLifecycle
import XferReplay

extension ProcessLifecycle {
  /// The displayed name of the process life: the program and the process id.
  package var label: String {
    let program = executable ?? role?.name ?? "process"
    if let pid { return "\(program):\(pid)" }
    return launch.map { "\(program) \("\($0)".prefix(8))" } ?? program
  }

  /// The displayed state of the process life.
  package var standing: String {
    switch end {
    case .exit, .closed: return exited == nil ? "closed its log" : "exited"
    case .signal: return "killed"
    case .observedMissing: return "disappeared"
    case .unknown: break
    }
    if isSuspended { return state == .suspending ? "suspending" : "suspended" }
    return firstSeen == nil ? "no events of its own" : "running"
  }
}

extension World {
  /// Returns the name of the process life at an index, or `nil` if the index is `nil`.
  package func label(ofProcess place: Int?) -> String? {
    place.flatMap { processes.indices.contains($0) ? processes[$0].label : nil }
  }
}
