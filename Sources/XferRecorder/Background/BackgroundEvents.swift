internal import Foundation
internal import XferEvents

extension SessionRecorder {
  /// Takes what `application(_:handleEventsForBackgroundURLSession:completionHandler:)` is given, and says so.
  ///
  /// - Returns: the completion handler, recorded: keep it, and call it after `urlSessionDidFinishEvents`.
  public func handleEvents(
    forBackgroundURLSession identifier: String, completionHandler: @escaping () -> Void
  ) -> BackgroundEvents {
    BackgroundEvents(context, session: identifier, completionHandler)
  }
}

/// The completion handler of one wake. The log says when it is called, and when it is gone without having been.
// @unchecked Sendable: the handler is not Sendable, because UIKit's is not. It is taken out under the lock, so it is called
// at most once, on the thread on which the app calls it, as it would be without this object.
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

  /// Says in which variable the app keeps it.
  public func stored(in slot: String? = nil) {
    context.sink.emit(WakeHandlerStored(session: session, handler: handler, slot: slot))
  }

  /// Calls the system's handler. A second call is said, and goes no further: the system ends an app that makes one.
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
