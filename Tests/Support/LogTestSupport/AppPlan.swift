import Foundation

/// What `lifecycle-probe` is to do in all its lives: each reads it when it starts, so that a later life may be a better program.
package struct AppPlan: Codable, Sendable {
  /// Where files go.
  package var files: String
  /// Where the app writes what it was told.
  package var said: String
  /// Where a test leaves files that say that something may go on.
  package var signals: String
  package var sessions: [String]
  package var tasks: [PlannedTask]
  package var flaw: Flaw?
  /// The session, or the task's name, that the flaw is about.
  package var flawed = ""
  /// Whether the session is made before its handler is called too early.
  package var isSessionThere = false
  /// Whether the first life ends right after it has resumed its tasks, and not when nothing is left to do.
  package var leavesAtOnce = false

  package init(files: String, said: String, signals: String, sessions: [String], tasks: [PlannedTask]) {
    (self.files, self.said, self.signals, self.sessions, self.tasks) = (files, said, signals, sessions, tasks)
  }

  package struct PlannedTask: Codable, Sendable {
    /// Of the file, and the last part of the URL.
    package var name: String
    package var session: String
    package var url: String
    /// The file that is sent; `nil` for a download.
    package var source: String?
    /// Whether that file was made for this task alone, and is deleted when the task is over.
    package var isTemporary = false
    /// Seconds for all of the task; `nil` for the session's limit.
    package var resourceTimeout: Double?

    package init(name: String, session: String, url: String, source: String? = nil, resourceTimeout: Double? = nil) {
      (self.name, self.session, self.url, self.source, self.resourceTimeout) = (name, session, url, source, resourceTimeout)
    }
  }

  /// What the app does wrong, to one session or one task.
  package enum Flaw: String, Codable, Sendable, CaseIterable {
    /// The hook keeps no completion handler, and nobody calls it.
    case forgetsHandler
    /// The handler is kept, and nobody calls it.
    case keepsHandler
    /// The handler is called where it is handed over.
    case callsHandlerAtOnce
    /// The handler is called in the session's first completion.
    case callsHandlerInCompletion
    /// A life that is woken makes all sessions but this one.
    case makesNoSession
    /// A life that is woken makes another session in this one's place.
    case makesAnother
    /// The file is moved when the callback has returned.
    case movesLater
    /// The file is never moved.
    case neverMoves
    /// The file is moved to a directory that is not there.
    case movesToMissing
    /// The name that the file is moved to is a directory's.
    case movesOntoDirectory
    /// The file that is sent is deleted as soon as its task was resumed.
    case deletesSource
    /// What comes without an error is the file.
    case takesErrorForSuccess
  }

  package init(contentsOf path: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// In one step: a life may read it at any moment.
  package func write(to path: String) throws {
    try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
