internal import Synchronization

/// A registry that gives live sessions unique names and counts them.
public final class SessionNames: Sendable {
  private struct State {
    var alive: Set<String> = []
    /// The number of live background sessions, which are named by identifiers. An app may wrongly use an identifier twice.
    var identified = 0
    var counters: [String: Int] = [:]
  }

  private let state = Mutex(State())

  public init() {}

  /// The registry of this process. Task identities in a log include the session's name, so names must be unique in the process.
  public static let process = SessionNames()

  /// Returns a unique name and the number of live sessions. The name is the requested one if it is free, otherwise the requested
  /// one with a number. If no name is requested (`nil`), it is the kind with a number.
  func claim(_ requested: String?, kind: String) -> (name: String, alive: Int) {
    state.withLock { state in
      var name = requested ?? ""
      while name.isEmpty || state.alive.contains(name) {
        let base = requested.flatMap { $0.isEmpty ? nil : $0 } ?? kind
        let number = state.counters[base, default: requested == nil ? 0 : 1] + 1
        state.counters[base] = number
        name = "\(base)-\(number)"
      }
      state.alive.insert(name)
      return (name, state.alive.count + state.identified)
    }
  }

  /// Returns a background session's identifier as its name, even if another session already has that name, and the number of live
  /// sessions.
  func claim(identifier: String) -> (name: String, alive: Int) {
    state.withLock { state in
      state.identified += 1
      return (identifier, state.alive.count + state.identified)
    }
  }

  func release(_ name: String, isIdentifier: Bool) {
    state.withLock { state in
      if isIdentifier { state.identified -= 1 } else { state.alive.remove(name) }
    }
  }
}
