import XferScript

/// What happened in a lifecycle, by anybody's account but the log's.
struct LifecycleTruth {
  let story: AppStory
  let requests: [ServedRequest]
  /// What is in the files of downloads, by the tasks' names.
  let files: [String: [UInt8]]
  /// Tasks whose completion the app could not be told, because of the cause.
  let neverTold: Set<String>
  /// Whether a process was killed.
  let wasKilled: Bool
  /// Sessions of which something ended when no life was there.
  let sessionsOfEnded: [String]
}
