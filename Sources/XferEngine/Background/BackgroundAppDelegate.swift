/// A receiver of changes of the app's state, modelled on UIKit's app delegate.
///
/// The methods are called on the main queue or on a private serial queue, depending on `callsOnMain` in `BackgroundApp.start`.
public protocol BackgroundAppDelegate: AnyObject, Sendable {
  /// The app has entered the background. After this method returns, the process may be suspended at any moment unless it has
  /// requested background time.
  func didEnterBackground()

  /// The app is about to enter the foreground.
  func willEnterForeground()

  /// The process is about to exit. When this method returns, the process exits with status 0. Not called in a suspended or
  /// killed process.
  func willTerminate()

  /// A launch trigger that the app had armed has fired.
  func triggerFired(_ trigger: LaunchTrigger)

  /// A dead-man switch has fired, for the `count`th time since it was armed.
  func deadManFired(_ name: String, count: Int)

  /// Protected files have become readable (`true`) or unreadable (`false`).
  func protectedDataBecameAvailable(_ isAvailable: Bool)
}

extension BackgroundAppDelegate {
  public func didEnterBackground() {}
  public func willEnterForeground() {}
  public func willTerminate() {}
  public func triggerFired(_ trigger: LaunchTrigger) {}
  public func deadManFired(_ name: String, count: Int) {}
  public func protectedDataBecameAvailable(_ isAvailable: Bool) {}
}
