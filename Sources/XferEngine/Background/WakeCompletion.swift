internal import Synchronization
internal import XferEvents

/// The completion handler of a wake. Logs whether the app calls the handler or releases it without a call.
final class WakeCompletion: Sendable {
  private let session: String
  private let handler: HandlerID
  private let sink: any EventSink
  private let link: BackgroundLink
  private let calls = Mutex(0)

  init(_ session: String, _ handler: HandlerID, sink: any EventSink, link: BackgroundLink) {
    (self.session, self.handler, self.sink, self.link) = (session, handler, sink, link)
  }

  var isCalled: Bool { calls.withLock { $0 > 0 } }

  func call() {
    let isFirst = calls.withLock { calls in
      calls += 1
      return calls == 1
    }
    let isMain = isMainThread()
    sink.emit(
      WakeHandlerCalled(session: session, handler: handler, onMainThread: isMain, threadName: isMain ? "main" : nil))
    if isFirst { link.send(.handlerCalled(handler.rawValue)) }
  }

  deinit {
    if !isCalled { sink.emit(WakeHandlerReleased(session: session, handler: handler)) }
  }
}
