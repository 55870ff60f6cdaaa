internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A delegate of a session or of a task that records each call and forwards it to the app's delegate.
///
/// For methods that the app's delegate does not implement, the proxy responds as URLSession does by default. How missing
/// methods are detected differs by platform; see the extensions.
final class DelegateProxy: NSObject, Sendable {
  enum Level {
    case session
    /// Foundation asks a task's delegate first, and passes a call that this delegate does not implement to the session's
    /// delegate.
    case task
  }

  let recording: SessionRecording
  /// The app's delegate. `nil` when the app has passed none.
  let app: (any URLSessionDelegate)?
  let level: Level

  init(_ recording: SessionRecording, app: (any URLSessionDelegate)?, level: Level = .session) {
    self.recording = recording
    self.app = app
    self.level = level
  }

  #if canImport(Darwin)
    override func responds(to selector: Selector!) -> Bool { answers(to: selector) }
    override func forwardingTarget(for selector: Selector!) -> Any? { app }
  #endif
}
