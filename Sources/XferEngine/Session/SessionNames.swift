internal import Synchronization

/// Gives sessions names that are unique among those alive, and counts these.
public final class SessionNames: Sendable {
  private struct State {
    var alive: Set<String> = []
    var counters: [String: Int] = [:]
  }

  private let state = Mutex(State())

  public init() {}

  /// The names of this process. Task identities in a log join by them, so the process is the scope in which they are
  /// unique, and nothing smaller can say so.
  public static let process = SessionNames()

  /// The wished name if it is free, else the same with a number; without a wish the kind with a number.
  func claim(_ wished: String?, kind: String) -> (name: String, alive: Int) {
    state.withLock { state in
      var name = wished ?? ""
      while name.isEmpty || state.alive.contains(name) {
        let base = wished.flatMap { $0.isEmpty ? nil : $0 } ?? kind
        let number = state.counters[base, default: wished == nil ? 0 : 1] + 1
        state.counters[base] = number
        name = "\(base)-\(number)"
      }
      state.alive.insert(name)
      return (name, state.alive.count)
    }
  }

  func release(_ name: String) { state.withLock { _ = $0.alive.remove(name) } }
}
