internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A session delegate that records each call and forwards it to the app's delegate.
///
/// For methods that the app's delegate does not implement, the proxy responds as URLSession does by default. How missing
/// methods are detected differs by platform; see the extensions.
final class DelegateProxy: NSObject, Sendable {
  let recording: SessionRecording
  /// The app's delegate.
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
