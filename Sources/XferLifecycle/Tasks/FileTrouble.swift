package import XferEvents

/// What the file system refused a task, and how things stood then.
package struct FileTrouble: Sendable {
  package let kind: Kind
  package let fact: Fact
  /// errno; `nil` when the system gave none.
  package let osError: Int?
  /// Bytes for which there had to be room; `nil` when nobody knows.
  package let needed: Int64?
  package let surroundings: Surroundings

  package enum Kind: Sendable {
    /// The file that the app was offered was not there.
    case offer
    /// The app could not take it over.
    case claim
    /// A file could not be opened.
    case open
    /// An attempt, or the task, ended with it.
    case transfer
  }

  /// Set by the replay, which knows the device and the process.
  package struct Surroundings: Sendable {
    /// Whether protected files could not be read; `nil` when the log had not said.
    package let protection: Switch?
    /// The last look at the disk before it.
    package let disk: DiskSample?
    /// Session objects of the process that were alive.
    package let liveSessions: Int
    package let openFiles: OpenFiles?

    package init(protection: Switch?, disk: DiskSample?, liveSessions: Int, openFiles: OpenFiles?) {
      (self.protection, self.disk, self.liveSessions, self.openFiles) = (protection, disk, liveSessions, openFiles)
    }
  }

  package init(_ kind: Kind, _ fact: Fact, osError: Int?, needed: Int64?, _ surroundings: Surroundings) {
    (self.kind, self.fact, self.osError, self.needed, self.surroundings) = (kind, fact, osError, needed, surroundings)
  }

  // The same on all systems that the engine runs on.
  package static let noSuchFile = 2
  package static let notPermitted = 1
  package static let accessDenied = 13
  package static let noSpace = 28
  /// EDQUOT of Linux and of Darwin.
  package static let quotaExceeded: Set<Int> = [122, 69]

  package var isDenied: Bool { osError == Self.notPermitted || osError == Self.accessDenied }
  package var isOutOfQuota: Bool { osError.map(Self.quotaExceeded.contains) ?? false }
}

/// A look at a file system.
package struct DiskSample: Sendable {
  package let fact: Fact
  package let free: Int64?
  /// Descriptors that the process which looked had open.
  package let openFiles: Int64?
  /// How many files there is room for; `nil` where that has no limit or was not looked at.
  package let freeFiles: Int64?

  package init(_ event: EventView, _ fact: Fact) {
    (free, openFiles, freeFiles) = (event.free, event.openFiles, event.freeFiles)
    self.fact = fact
  }
}

/// How many descriptors a process has open, from one look at them to the next.
package struct OpenFiles: Sendable {
  package let first: DiskSample
  package private(set) var last: DiskSample
  /// It has never become less.
  package private(set) var isRising = true

  package init?(_ sample: DiskSample) {
    guard sample.openFiles != nil else { return nil }
    (first, last) = (sample, sample)
  }

  package mutating func note(_ sample: DiskSample) {
    guard let count = sample.openFiles else { return }
    if count < last.openFiles ?? 0 { isRising = false }
    last = sample
  }
}

/// Something that is on or off.
package struct Switch: Sendable {
  package let isOn: Bool
  package let changed: Fact

  package init(isOn: Bool, changed: Fact) { (self.isOn, self.changed) = (isOn, changed) }
}
