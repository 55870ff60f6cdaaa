/// The events that a kind of foreign log can contain.
///
/// A log of another program was not written for this package: it never has most events of the vocabulary, and an excerpt has neither a
/// known beginning nor a known end. The absence of an event from it proves nothing.
package struct ImportCoverage: Hashable, Sendable {
  /// The kind of log for messages, for example "Apple's unified log".
  package let log: String
  /// The kinds of events that such a log can contain.
  package let kinds: Set<EventKind>
  /// Whether the log is the unified log of Apple's systems, of which the command `log` can extract more.
  package let isApple: Bool
  /// Whether the writer is known to leave out the ends of tasks, so that a task without an end says nothing about the task.
  package let mayLeaveOutEnds: Bool

  package init(log: String, kinds: Set<EventKind>, isApple: Bool = false, mayLeaveOutEnds: Bool = false) {
    (self.log, self.kinds, self.isApple, self.mayLeaveOutEnds) = (log, kinds, isApple, mayLeaveOutEnds)
  }
}
