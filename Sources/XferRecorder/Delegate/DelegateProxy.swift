internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Stands between a session and the app's delegate: records each call and passes it on.
///
/// What the app's delegate does not implement is answered as URLSession would by itself. How that is found out differs: see
/// the extensions for each system.
final class DelegateProxy: NSObject, Sendable {
  let recording: SessionRecording
  /// The app's own.
  let app: (any URLSessionDelegate)?

  init(_ recording: SessionRecording, app: (any URLSessionDelegate)?) {
    self.recording = recording
    self.app = app
  }

  #if canImport(Darwin)
    override func responds(to selector: Selector!) -> Bool { answers(to: selector) }
    override func forwardingTarget(for selector: Selector!) -> Any? { app }
  #endif
}
