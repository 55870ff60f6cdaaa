extension Postmortem {
  /// All session objects with one identifier.
  public struct Session: Sendable, Equatable, Codable {
    public let identifier: String
    /// The kind of the session, such as `background`.
    public let kind: String?
    /// The session objects, one for each process life that created one.
    public let incarnations: [Incarnation]
  }

  /// One session object.
  public struct Incarnation: Sendable, Equatable, Codable {
    /// The process life that created the session object.
    public let launch: String?
    public let created: Time?
    /// The time at which the daemon accepted the session.
    public let connected: Time?
    public let invalidated: Time?
  }

  /// One life of a process.
  public struct ProcessLife: Sendable, Equatable, Codable {
    public enum End: String, Sendable, Codable { case closed, exit, signal, observedMissing, unknown }

    public let launch: String?
    /// The role of the process, such as `app` or `daemon`.
    public let role: String?
    public let pid: Int?
    public let boot: String?
    /// The file name of the program.
    public let executable: String?
    /// The time of the start, or of the first event when the start is missing.
    public let started: Time?
    /// The time of the end, or of the event in which another process noticed the end.
    public let ended: Time?
    /// The last sign of life before an end that another process noticed.
    public let endedAfter: Time?
    /// How the process life ended, if the log says so.
    public let end: End
    public let code: Int?
    public let signal: Int?
    public let startReason: String?
  }

  /// One wake of an app for a background session.
  public struct Wake: Sendable, Equatable, Codable {
    public enum Outcome: String, Sendable, Codable { case called, late, early, twice, never, open, unknown }

    /// The identifier of the completion handler.
    public let handler: String
    public let session: String?
    /// The process life that was woken.
    public let launch: String?
    public let wanted: Time?
    public let launched: Time?
    public let delivered: Time?
    /// The time at which the app stored the completion handler.
    public let stored: Time?
    public let eventsFinished: Time?
    /// The time at which the completion handler was called.
    public let called: Time?
    /// The time at which the completion handler was released without a call.
    public let released: Time?
    /// The thread on which the completion handler was called: `main` or `other`.
    public let thread: String?
    /// What happened to the completion handler.
    public let outcome: Outcome
  }

  /// One log and the figures of its records.
  public struct Input: Sendable, Equatable, Codable {
    public let path: String
    /// `xferlog`, the name of another program's format, or `unknown`.
    public let format: String
    public let events: Int
    /// The number of events that no lifecycle consumes.
    public let unmodelled: Int
    /// The number of places where bytes are damaged, torn or truncated.
    public let damaged: Int
    /// The number of records that are known to be lost, including those that were never written.
    public let missing: Int
    /// Whether the log holds everything that was recorded.
    public let complete: Bool
    /// The number of lines of a log of another program.
    public let lines: Int?
    /// The number of records of a log of another program, after their lines were joined.
    public let records: Int?
    /// The number of records of a log of another program whose meaning is known.
    public let recognised: Int?
    /// Why the log, or the first unreadable part of it, could not be read.
    public let error: String?

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(path, forKey: .path)
      try container.encode(format, forKey: .format)
      try container.encode(events, forKey: .events)
      try container.encode(unmodelled, forKey: .unmodelled)
      try container.encode(damaged, forKey: .damaged)
      try container.encode(missing, forKey: .missing)
      try container.encode(complete, forKey: .complete)
      if let lines { try container.encode(lines, forKey: .lines) }
      if let records { try container.encode(records, forKey: .records) }
      if let recognised { try container.encode(recognised, forKey: .recognised) }
      try container.encode(error, forKey: .error)
    }
  }
}
