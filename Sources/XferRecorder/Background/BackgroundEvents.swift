internal import Foundation
internal import XferEvents

extension SessionRecorder {
  /// Records the call of `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
  ///
  /// - Returns: An object that wraps the completion handler. Keep it, and call it after `urlSessionDidFinishEvents`.
  public func handleEvents(
    forBackgroundURLSession identifier: String, completionHandler: @escaping () -> Void
  ) -> BackgroundEvents {
    BackgroundEvents(context, session: identifier, completionHandler)
  }
}

/// The completion handler of one wake. The log records each call of the handler and the release of this object.
// @unchecked Sendable: the handler is not Sendable, because UIKit's is not. The lock protects it. It is called at most once, on
// the thread where the app calls `call`, and without this object it would run on that thread, too.
public final class BackgroundEvents: @unchecked Sendable {
  public let session: String
  let handler: HandlerID
  private let context: RecorderContext
  private let lock = NSLock()
  private var completionHandler: (() -> Void)?

  init(_ context: RecorderContext, session: String, _ completionHandler: @escaping () -> Void) {
    self.context = context
    self.session = session
    self.completionHandler = completionHandler
    handler = context.makeHandler()
    context.setWake(handler, of: session)
    context.sink.emit(WakeDelivered(session: session, handler: handler))
  }

  /// Records that the app stored the handler.
  ///
  /// - Parameter slot: The name of the variable. `nil` when it is not recorded.
  public func stored(in slot: String? = nil) {
    context.sink.emit(WakeHandlerStored(session: session, handler: handler, slot: slot))
  }

  /// Calls the system's completion handler. A second call is recorded but not passed on, because the system terminates an app
  /// that calls the handler twice.
  public func call() {
    context.sink.emit(
      WakeHandlerCalled(session: session, handler: handler, onMainThread: Thread.isMainThread, threadName: threadName))
    let handler = lock.withLock {
      defer { completionHandler = nil }
      return completionHandler
    }
    handler?()
  }

  deinit { context.sink.emit(WakeHandlerReleased(session: session, handler: handler)) }

  private var threadName: String? {
    if Thread.isMainThread { return "main" }
    return Thread.current.name.flatMap { $0.isEmpty ? nil : LoggedText.bounded($0) }
  }
}
