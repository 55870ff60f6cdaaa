import XferScript

/// The actual events of a lifecycle, known independently of the log.
struct LifecycleTruth {
  let story: AppStory
  let requests: [ServedRequest]
  /// The contents of the downloaded files, by task name.
  let files: [String: [UInt8]]
  /// The names of tasks whose completion the app could not receive because of the defect.
  let neverTold: Set<String>
  /// Whether a process was killed.
  let wasKilled: Bool
  /// The sessions with tasks that ended while no app process was running.
  let sessionsOfEnded: [String]
}
