package import XferEvents

/// Reports of the operating system about one process life. Only logs of the system contain them.
package struct SystemVerdicts: Sendable, EmptyInitializable {
  /// The first event in which the system took back an assertion on the process because its time was over.
  package var assertionTimedOut: Fact?
  /// The first event in which the system could not launch the process.
  package var launchFailed: Fact?
  /// The first event in which the system did not terminate the process although it had exceeded the limit of a watchdog.
  package var watchdogWithheld: Fact?
  /// The first event in which the process could not read a file that was to be uploaded, although it exists.
  package var sourceUnreadable: Fact?

  package init() {}
}
