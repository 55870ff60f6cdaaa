import Foundation

/// The instructions for `lifecycle-probe`. Every process of the app reads them when it starts, so a relaunch can behave
/// differently.
package struct AppPlan: Codable, Sendable {
  /// The directory for downloaded files.
  package var files: String
  /// The file in which the app records its callbacks.
  package var said: String
  /// The directory in which a test creates files to let the app continue.
  package var signals: String
  package var sessions: [String]
  package var tasks: [PlannedTask]
  package var flaw: Flaw?
  /// The session or the task name affected by the flaw.
  package var flawed = ""
  /// Whether the session is created before its completion handler is called too early.
  package var isSessionThere = false
  /// Whether the first process exits right after it has resumed its tasks, instead of when all work is done.
  package var leavesAtOnce = false

  package init(files: String, said: String, signals: String, sessions: [String], tasks: [PlannedTask]) {
    (self.files, self.said, self.signals, self.sessions, self.tasks) = (files, said, signals, sessions, tasks)
  }

  package struct PlannedTask: Codable, Sendable {
    /// The name of the file, which is also the last component of the URL.
    package var name: String
    package var session: String
    package var url: String
    /// The path of the file to upload. `nil` for a download.
    package var source: String?
    /// Whether the uploaded file was created for this task only and is deleted when the task ends.
    package var isTemporary = false
    /// The timeout of the whole task, in seconds. `nil` means the session's timeout.
    package var resourceTimeout: Double?

    package init(name: String, session: String, url: String, source: String? = nil, resourceTimeout: Double? = nil) {
      (self.name, self.session, self.url, self.source, self.resourceTimeout) = (name, session, url, source, resourceTimeout)
    }
  }

  /// A programming error of the app in one session or one task.
  package enum Flaw: String, Codable, Sendable, CaseIterable {
    /// The app does not store the completion handler, so it is never called.
    case forgetsHandler
    /// The app stores the completion handler but never calls it.
    case keepsHandler
    /// The app calls the completion handler immediately when it receives it.
    case callsHandlerAtOnce
    /// The app calls the completion handler in the session's first completion callback.
    case callsHandlerInCompletion
    /// A relaunched app creates all sessions except this one.
    case makesNoSession
    /// A relaunched app creates a different session instead of this one.
    case makesAnother
    /// The app moves the file only after the callback has returned.
    case movesLater
    /// The app never moves the file.
    case neverMoves
    /// The app moves the file to a missing directory.
    case movesToMissing
    /// The app moves the file to the path of an existing directory.
    case movesOntoDirectory
    /// The app deletes the file to upload right after it has resumed the task.
    case deletesSource
    /// The app treats every response without an error as the file.
    case takesErrorForSuccess
  }

  package init(contentsOf path: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Writes the plan atomically, because the app may read it at any moment.
  package func write(to path: String) throws {
    try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
