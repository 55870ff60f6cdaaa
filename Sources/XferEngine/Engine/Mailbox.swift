internal import CCurl
internal import HTTPTypes
internal import Synchronization

/// What the engine's thread is told.
enum EngineCommand: Sendable {
  case resume(TransferTask)
  case suspend(TransferTask)
  /// - Parameter forResumeData: whether whoever cancels wants what it takes to go on.
  case cancel(TransferTask, forResumeData: Bool)
  /// The app has answered a question about the task.
  case answer(TransferTask, Answer)
  /// The delegate has room for more bytes.
  case drained(TransferTask)
  /// The app's stream has bytes to send again, or its end.
  case bodyReady(TransferTask)
  /// The app has what it takes to go on with the download in another life.
  case resumable(TransferTask)
  /// The task's priority is another.
  case prioritise(TransferTask)
  case clockJumped
  /// There is another way into the network, or none any more.
  case pathChanged
  /// Ends the thread when its tasks have ended.
  case stop

  enum Answer: Sendable {
    /// `nil` when the redirect is not to be followed.
    case redirect(HTTPRequest?)
    case response(TransferSession.ResponseDisposition)
    case challenge(TransferSession.AuthChallengeDisposition, TransferSession.Credential?)
    /// `nil` when the app has no body to send.
    case bodyStream(RequestBodyStream?)
    /// `nil` when the response is not to be stored.
    case caching(TransferSession.CachedResponse?)
  }
}

/// The only way to the engine's thread: a list, and a wake-up call. In a background session, to the daemon.
final class Mailbox: Sendable {
  private struct State {
    var commands: [EngineCommand] = []
    /// There while the engine's thread is.
    var sleeper: Sleeper?
    var isClosed = false
    /// Takes each command at once.
    var carrier: BackgroundCarrier?
  }

  // @unchecked Sendable: the handle is used for `curl_multi_wakeup` alone, which libcurl allows from any thread, and
  // under the lock, so not after `close`.
  private struct Sleeper: @unchecked Sendable {
    let multi: UnsafeMutableRawPointer
  }

  private let state = Mutex(State())

  func post(_ command: EngineCommand) {
    state.withLock { state in
      guard !state.isClosed else { return }
      if let carrier = state.carrier { return carrier.obey(command) }
      // Once for a batch.
      if state.commands.isEmpty, let sleeper = state.sleeper { curl_multi_wakeup(sleeper.multi) }
      state.commands.append(command)
    }
  }

  func take() -> [EngineCommand] {
    state.withLock { state in
      defer { state.commands.removeAll() }
      return state.commands
    }
  }

  /// From now on commands go to the daemon.
  func open(_ carrier: BackgroundCarrier) { state.withLock { $0.carrier = carrier } }

  /// From now on `post` wakes this handle.
  func open(_ multi: UnsafeMutableRawPointer) {
    let sleeper = Sleeper(multi: multi)
    state.withLock { $0.sleeper = sleeper }
  }

  /// Nobody takes commands any more; those that come are dropped, and with them what they hold.
  func close() {
    state.withLock { state in
      state.commands.removeAll()
      (state.sleeper, state.carrier) = (nil, nil)
      state.isClosed = true
    }
  }
}
