extension TransferTask {
  /// The default priority, as in `URLSessionTask`.
  public static let defaultPriority: Float = 0.5
  /// A low priority, as in `URLSessionTask`.
  public static let lowPriority: Float = 0.25
  /// A high priority, as in `URLSessionTask`.
  public static let highPriority: Float = 0.75

  /// The app's description of the task, which later launches get with a background task. `nil` means none. Logged as a private
  /// value.
  public var taskDescription: String? {
    get { read { $0.description } }
    set {
      _ = describe { state in
        defer { state.description = newValue }
        return state.description != newValue
      }
    }
  }

  /// The metadata that the app set when it created the task, or when it created the download that this task resumes.
  public var metadata: [String: String] { options.metadata }

  /// The priority for a free connection of the session, from 0 to 1. Tasks with equal priority are served in order of arrival.
  ///
  /// Waiting is bounded: for each hundredth of difference in priority, at most 64 later tasks can overtake a waiting task.
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

  /// The app's estimate of the bytes to send. -1 means unknown.
  public var countOfBytesClientExpectsToSend: Int64 {
    get { read { $0.expectedToSend } }
    set {
      _ = describe { state in
        defer { state.expectedToSend = newValue }
        return state.expectedToSend != newValue
      }
    }
  }

  /// The app's estimate of the bytes to receive. -1 means unknown.
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
  /// The priority as an integer from 0 to 100, for the log and the queue. NaN becomes 50.
  var hundredths: Int { isNaN ? 50 : Int((min(1, max(0, self)) * 100).rounded()) }
}

extension Int64 {
  /// The number of bytes, or `nil` if the number is negative, which means unknown.
  var ifKnown: Int64? { self >= 0 ? self : nil }
}
