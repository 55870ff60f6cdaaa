// What the app says of a task.
extension TransferTask {
  /// URLSession's `defaultPriority`.
  public static let defaultPriority: Float = 0.5
  /// URLSession's `lowPriority`.
  public static let lowPriority: Float = 0.25
  /// URLSession's `highPriority`.
  public static let highPriority: Float = 0.75

  /// The app's own words; logged as a private value.
  public var taskDescription: String? {
    get { read { $0.description } }
    set {
      _ = describe { state in
        defer { state.description = newValue }
        return state.description != newValue
      }
    }
  }

  /// What was kept with the task at its creation, or with the download that it goes on with.
  public var metadata: [String: String] { options.metadata }

  /// From 0 to 1. Among those that wait for a connection of the session, the higher goes first; equals in the order in which they came.
  ///
  /// Nobody waits for ever: a task is overtaken by at most 64 later ones for each hundredth that theirs is higher.
  public var priority: Float {
    get { read { $0.priority } }
    set {
      let isChanged = describe { state in
        defer { state.priority = newValue }
        return state.priority != newValue
      }
      if isChanged { session.context.mailbox.post(.prioritise(self)) }
    }
  }

  /// In bytes; -1 when the app cannot tell.
  public var countOfBytesClientExpectsToSend: Int64 {
    get { read { $0.expectedToSend } }
    set {
      _ = describe { state in
        defer { state.expectedToSend = newValue }
        return state.expectedToSend != newValue
      }
    }
  }

  /// In bytes; -1 when the app cannot tell.
  public var countOfBytesClientExpectsToReceive: Int64 {
    get { read { $0.expectedToReceive } }
    set {
      _ = describe { state in
        defer { state.expectedToReceive = newValue }
        return state.expectedToReceive != newValue
      }
    }
  }
}

extension Float {
  /// A priority as the log and the queue have it: 0 to 100.
  var hundredths: Int { isNaN ? 50 : Int((min(1, max(0, self)) * 100).rounded()) }
}

extension Int64 {
  /// `nil` for what an app cannot tell.
  var ifKnown: Int64? { self >= 0 ? self : nil }
}
