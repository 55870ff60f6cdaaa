/// What an app is told of its own life, as UIKit tells its delegates. On the queue that `BackgroundApp.start` was told.
public protocol BackgroundAppDelegate: AnyObject, Sendable {
  /// Nobody looks any more. When this has returned the process may be stopped at any moment, unless it has background time.
  func didEnterBackground()

  func willEnterForeground()

  /// The process ends when this has returned, with the exit status 0. Not called in a process that is suspended, or killed.
  func willTerminate()

  /// What the app had armed has come about.
  func triggerFired(_ trigger: LaunchTrigger)

  /// A dead-man switch rings, for the `count`th time.
  func deadManFired(_ name: String, count: Int)

  /// Protected files can no longer be read, or can be again.
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
