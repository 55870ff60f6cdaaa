/// A set of writer roles.
package struct WriterRoles: OptionSet, Sendable {
  /// One bit per role, at the position of the role's raw value.
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package init(_ role: WriterRole) { rawValue = 1 << role.rawValue }

  package init(_ roles: [WriterRole]) { rawValue = roles.reduce(0) { $0 | 1 << $1.rawValue } }

  package func contains(_ role: WriterRole) -> Bool { contains(WriterRoles(role)) }

  // MARK: Sets that the vocabulary names

  /// The processes that use this library for an app: an app, its extensions and commands.
  package static let library = WriterRoles([.app, .appExtension, .engine])
  /// The processes of apps: those that use this library, and those that use Foundation's `URLSession` with `XferRecorder`.
  package static let apps: WriterRoles = [.library, WriterRoles(.recorder)]
  package static let daemon = WriterRoles(.daemon)
  /// The processes that run this library's engine.
  package static let engines: WriterRoles = [.library, .daemon]
  /// The processes that carry transfers: all but the reading tool.
  package static let carriers: WriterRoles = [.apps, .daemon]
  package static let tool = WriterRoles(.tool)
  /// The processes of the operating system. Only logs of other programs have their events.
  package static let system = WriterRoles(.system)
  package static let all: WriterRoles = [.carriers, .tool, .system]
}

extension EventKind {
  /// Whether a writer of this role can write the event. If the writer cannot, the event's absence from its log proves nothing.
  package func isWritten(by role: WriterRole) -> Bool { writerRoles.contains(role) }

  /// The roles that can write the event, in the order of the vocabulary.
  package var writers: [WriterRole] { WriterRole.allCases.filter(isWritten) }
}
