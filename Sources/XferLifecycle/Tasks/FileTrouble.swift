package import XferEvents

/// A file operation of a task that failed, and the state of the device at that time.
package struct FileTrouble: Sendable {
  package let kind: Kind
  package let fact: Fact
  /// The errno; `nil` if unknown.
  package let osError: Int?
  /// The number of bytes to write; `nil` if unknown.
  package let needed: Int64?
  package let surroundings: Surroundings

  package enum Kind: Sendable {
    /// The offered file did not exist.
    case offer
    /// The app could not claim the file.
    case claim
    /// A file could not be opened.
    case open
    /// An attempt or the task ended with the error, or the daemon could not open the task's file.
    case transfer
  }

  /// The state of the device and the process; set by the replay.
  package struct Surroundings: Sendable {
    /// Whether the device was locked; `nil` if unknown.
    package let protection: Switch?
    /// The last sample of the disk before the failure.
    package let disk: DiskSample?
    /// The number of live session objects in the process.
    package let liveSessions: Int
    package let openFiles: OpenFiles?

    package init(protection: Switch?, disk: DiskSample?, liveSessions: Int, openFiles: OpenFiles?) {
      (self.protection, self.disk, self.liveSessions, self.openFiles) = (protection, disk, liveSessions, openFiles)
    }
  }

  package init(_ kind: Kind, _ fact: Fact, osError: Int?, needed: Int64?, _ surroundings: Surroundings) {
    (self.kind, self.fact, self.osError, self.needed, self.surroundings) = (kind, fact, osError, needed, surroundings)
  }

  // The `errno` values below are the same on all systems that the engine runs on.
  package static let noSuchFile = 2
  package static let notPermitted = 1
  package static let accessDenied = 13
  package static let noSpace = 28
  /// EDQUOT on Linux (122) and Darwin (69).
  package static let quotaExceeded: Set<Int> = [122, 69]

  package var isDenied: Bool { osError == Self.notPermitted || osError == Self.accessDenied }
  package var isOutOfQuota: Bool { osError.map(Self.quotaExceeded.contains) ?? false }
}

/// A sample of a file system's free space.
package struct DiskSample: Sendable {
  package let fact: Fact
  package let free: Int64?
  /// The number of open file descriptors of the process that took the sample.
  package let openFiles: Int64?
  /// The number of files that can still be created; `nil` if unlimited or unknown.
  package let freeFiles: Int64?

  package init(_ event: EventView, _ fact: Fact) {
    (free, openFiles, freeFiles) = (event.free, event.openFiles, event.freeFiles)
    self.fact = fact
  }
}

/// The numbers of open file descriptors of a process in successive samples.
package struct OpenFiles: Sendable {
  package let first: DiskSample
  package private(set) var last: DiskSample
  /// Whether the number has never decreased.
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

/// A condition that is on or off, and the event in which it last changed.
package struct Switch: Sendable {
  package let isOn: Bool
  package let changed: Fact

  package init(isOn: Bool, changed: Fact) { (self.isOn, self.changed) = (isOn, changed) }
}
