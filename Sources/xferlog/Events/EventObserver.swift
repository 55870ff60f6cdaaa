package import XferEvents
package import XferReport

/// Sees every member of a log that a command reads, in order and before any filter, and may say something about it.
///
/// Diagnosis hangs in here: what it finds is shown between the events.
package protocol EventObserver: AnyObject {
  /// - Returns: what to show right after the member.
  func observe(_ member: LogMember) -> [EventInset]
  /// Everything written so far has been read; called at the end, and while following whenever there is nothing new.
  ///
  /// - Parameter now: monotonic nanoseconds while following; `nil` at the end of a log that is not followed.
  func caughtUp(now: Int64?) -> [EventInset]
}
