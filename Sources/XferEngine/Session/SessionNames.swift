internal import Synchronization

/// Gives sessions names that are unique among those alive, and counts these.
public final class SessionNames: Sendable {
  private struct State {
    var alive: Set<String> = []
    /// Sessions by identifiers, which an app may use twice, though it should not.
    var identified = 0
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
      return (name, state.alive.count + state.identified)
    }
  }

  /// A background session is called by its identifier, whoever else is.
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
