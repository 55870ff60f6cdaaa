internal import CCurl
internal import HTTPTypes
internal import Synchronization

/// A command to the engine thread, or to the daemon in a background session.
enum EngineCommand: Sendable {
  case resume(TransferTask)
  case suspend(TransferTask)
  /// - Parameter forResumeData: whether the caller asked for resume data.
  case cancel(TransferTask, forResumeData: Bool)
  /// The app's answer to a question about the task.
  case answer(TransferTask, Answer)
  /// The delegate has consumed enough of the body to accept more bytes.
  case drained(TransferTask)
  /// The app's body stream has more bytes or has ended.
  case bodyReady(TransferTask)
  /// The app has received the resume data with which a later process can resume the download.
  case resumable(TransferTask)
  /// The task's priority changed.
  case prioritise(TransferTask)
  case clockJumped
  /// The network path changed.
  case pathChanged
  /// The engine thread exits when its transfers have ended.
  case stop

  enum Answer: Sendable {
    /// `nil` refuses the redirect.
    case redirect(HTTPRequest?)
    case response(TransferSession.ResponseDisposition)
    case challenge(TransferSession.AuthChallengeDisposition, TransferSession.Credential?)
    /// `nil` means the app has no body to send.
    case bodyStream(RequestBodyStream?)
    /// `nil` means the response is not cached.
    case caching(TransferSession.CachedResponse?)
  }
}

/// The command queue of the engine thread. In a background session, commands go to the daemon instead.
final class Mailbox: Sendable {
  private struct State {
    var commands: [EngineCommand] = []
    /// The multi handle of the running engine thread. `nil` when the thread is not running.
    var sleeper: Sleeper?
    var isClosed = false
    /// The connection to the daemon, which receives each command immediately. `nil` unless this is a background session.
    var carrier: BackgroundCarrier?
  }

  // @unchecked Sendable: the handle is used only for `curl_multi_wakeup`, which libcurl allows from any thread, and only
  // under the lock, so never after `close`.
  private struct Sleeper: @unchecked Sendable {
    let multi: UnsafeMutableRawPointer
  }

  private let state = Mutex(State())

  func post(_ command: EngineCommand) {
    state.withLock { state in
      guard !state.isClosed else { return }
      if let carrier = state.carrier { return carrier.obey(command) }
      // One wake-up serves all commands that are queued before the thread takes them.
      if state.commands.isEmpty, let sleeper = state.sleeper { curl_multi_wakeup(sleeper.multi) }
      state.commands.append(command)
    }
  }

  /// Removes and returns all queued commands.
  func take() -> [EngineCommand] {
    state.withLock { state in
      defer { state.commands.removeAll() }
      return state.commands
    }
  }

  /// Routes all later commands to the daemon.
  func open(_ carrier: BackgroundCarrier) { state.withLock { $0.carrier = carrier } }

  /// Sets the multi handle that `post` wakes.
  func open(_ multi: UnsafeMutableRawPointer) {
    let sleeper = Sleeper(multi: multi)
    state.withLock { $0.sleeper = sleeper }
  }

  /// Drops queued commands and all later ones, together with the objects that they reference.
  func close() {
    state.withLock { state in
      state.commands.removeAll()
      (state.sleeper, state.carrier) = (nil, nil)
      state.isClosed = true
    }
  }
}
