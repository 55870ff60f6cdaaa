package import Synchronization

/// The user pressed Ctrl-C.
package struct Interrupted: Error {
  package init() {}
}

/// A request to end the process. A program that handles signals notes them here, and reading a log ends at its next check.
package enum Interruption {
  /// The signal that was received, or 0.
  // A signal handler can access only globals.
  package static let received = Atomic<Int32>(0)

  /// Whether the user has asked to end.
  package static var isPending: Bool { received.load(ordering: .relaxed) != 0 }

  package static func check() throws {
    if isPending { throw Interrupted() }
  }
}
