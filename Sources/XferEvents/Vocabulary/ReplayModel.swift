/// The models of the replay. Each event of the vocabulary names the one that consumes it.
///
/// The generated `EventModel` has the same cases, each with the events of its model, so that a model's `switch` over them is
/// exhaustive: the compiler reports an event that was forgotten.
package enum ReplayModel: String, Sendable, CaseIterable {
  case log, boot, process, daemon, link, session, listener, wake
  case task, attempt, file, delivery
  case intent, work, secret, beat, assertion, alarm, trigger, upload
  case network, condition, storage
  case unconsumed

  package var summary: String {
    switch self {
    case .log: "The log's own state: segments, levels, dropped events, and calls that waited for the log."
    case .boot: "One run of the machine: its clocks."
    case .process: "One life of one process."
    case .daemon: "One generation of the transfer daemon and its list of tasks."
    case .link: "The connection between an app's process and the daemon."
    case .session: "One session object in one process life."
    case .listener: "The app code that listens to a background session."
    case .wake: "The launch or wake of an app for a session's events, and its completion handler."
    case .task: "A task, from its creation until it is acknowledged or forgotten."
    case .attempt: "One attempt of a task."
    case .file: "The file of a task."
    case .delivery: "One delegate callback or completion handler call of a task, and the end-of-events callback of a session."
    case .intent: "Something that the app wants done, whatever tasks it takes."
    case .work: "Work that the app has begun, and locks that it holds."
    case .secret: "A secret that the app reads, such as a credential in a keychain."
    case .beat: "Something that the app sends periodically."
    case .assertion: "Background time that the app asked for."
    case .alarm: "A dead man's switch, which fires unless the app arms it again in time."
    case .trigger: "A reason other than a transfer to launch the app."
    case .upload: "A multipart upload."
    case .network: "The network path."
    case .condition: "The device's power, lock and disk, the user's policies, and the app's capabilities."
    case .storage: "Files that could not be opened, and files that nobody owns."
    case .unconsumed: "No model. The replay counts the event as unmodelled unless it names a task."
    }
  }
}
