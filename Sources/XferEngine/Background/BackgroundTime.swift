/// Running time that an app has asked for: `UIBackgroundTaskIdentifier`.
public struct BackgroundTaskIdentifier: Sendable, Hashable {
  let number: UInt64

  /// Of a program that has not called `BackgroundApp.start`; ending it does nothing.
  public static let invalid = BackgroundTaskIdentifier(number: 0)
}

extension BackgroundApp {
  /// Asks for time to finish something after the app has gone into the background: 30 seconds for all that is asked for, counted from then.
  ///
  /// - Parameters:
  ///   - name: for the log.
  ///   - expirationHandler: called when the time is over. Whoever has not ended the task when it has returned, and some seconds after, is
  ///     killed.
  public static func beginBackgroundTask(
    withName name: String = "unnamed", expirationHandler: (@Sendable () -> Void)? = nil
  ) -> BackgroundTaskIdentifier {
    guard let life = BackgroundLink.process.receiver as? AppLife else { return .invalid }
    let identifier = BackgroundTaskIdentifier(number: .random(in: 1 ... .max))
    life.begin(identifier.number, name, expirationHandler)
    return identifier
  }

  /// Gives the time back. Doing it twice does nothing.
  public static func endBackgroundTask(_ identifier: BackgroundTaskIdentifier) {
    (BackgroundLink.process.receiver as? AppLife)?.end(identifier.number)
  }
}
