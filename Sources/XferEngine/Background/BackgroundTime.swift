/// The identifier of background time that an app has requested. Corresponds to `UIBackgroundTaskIdentifier`.
public struct BackgroundTaskIdentifier: Sendable, Hashable {
  let number: UInt64

  /// The identifier returned in a program that has not called `BackgroundApp.start`. Ending it has no effect.
  public static let invalid = BackgroundTaskIdentifier(number: 0)
}

extension BackgroundApp {
  /// Requests time to finish work after the app has entered the background.
  ///
  /// All background tasks together get 30 seconds, counted from the moment the app enters the background.
  ///
  /// - Parameters:
  ///   - name: The name of the background task in the log.
  ///   - slot: The name of the variable that keeps the identifier. Lets log analysis find identifiers that were overwritten before their
  ///     background task was ended.
  ///   - expirationHandler: A closure that is called when the time expires. The process is killed if it has not ended the
  ///     background task a few seconds later.
  public static func beginBackgroundTask(
    withName name: String = "unnamed", slot: String? = nil, expirationHandler: (@Sendable () -> Void)? = nil
  ) -> BackgroundTaskIdentifier {
    guard let life = BackgroundLink.process.receiver as? AppLife else { return .invalid }
    let identifier = BackgroundTaskIdentifier(number: .random(in: 1 ... .max))
    life.begin(identifier.number, name, slot: slot, expirationHandler)
    return identifier
  }

  /// Ends the background task. Further calls have no effect.
  public static func endBackgroundTask(_ identifier: BackgroundTaskIdentifier) {
    (BackgroundLink.process.receiver as? AppLife)?.end(identifier.number)
  }
}
