package import Foundation
import HTTPTypes
package import XferEngine

/// A task that the daemon has, from its creation until the app has its completion.
package struct CarriedTask: Codable, Sendable {
  package var new: NewTask
  /// The program whose task it is.
  package var app: String
  package var standing = KnownTask.Standing.suspended
  /// What it takes to go on when the daemon has died.
  package var resumeData: Data?
  package var received: Int64 = 0
  package var sent: Int64 = 0
  /// Callbacks that the app has not acknowledged, in their order.
  package var pending: [Pending] = []
  /// When it was first resumed, in nanoseconds since 1970: its time counts from then, whatever becomes of the daemon.
  package var resumedAt: Int64?
  /// Whether its earliest begin date has come, and the app had its say.
  package var hasBegun = false
  /// How many bytes of the partial download are on the disk even after a power cut; `nil` when that is not known.
  package var durable: Int64?
  /// How often the body was lost from the spool and fetched again.
  package var refetches: Int?

  package struct Pending: Codable, Sendable {
    package var id: UInt64
    package var content: BackgroundDelivery.Content
    /// Whether it was sent before; whether it arrived nobody knows.
    package var wasSent = false
    /// What the file of the content has to be. `nil` for a completion, and in rows of versions before 2.
    package var body: BodyRecord?
  }

  init(_ new: NewTask, app: String) { (self.new, self.app) = (new, app) }

  var key: SessionKey { SessionKey(app: app, identifier: new.session) }
  var known: KnownTask { KnownTask(task: new, standing: standing, received: received, sent: sent) }

  /// What waits for the app in files of the spool, and whether the app may have taken it already.
  var bodies: [(record: BodyRecord, wasSent: Bool)] {
    pending.compactMap { pending in pending.record.map { ($0, pending.wasSent) } }
  }

  /// Whether the same request may be made again.
  var isReplayable: Bool { new.kind == .download && [.get, .head].contains(new.request.method) }
}

extension CarriedTask.Pending {
  /// The file of the content; `nil` for a completion.
  var record: BodyRecord? {
    switch content {
    case .file(let path, let inode, let size, _): body ?? BodyRecord(path: path, inode: inode, size: size, digest: nil)
    case .body(let path): body ?? BodyRecord(path: path, inode: nil, size: nil, digest: nil)
    case .completion: nil
    }
  }
}

/// A body in the spool, as it was when it was brought to the disk.
package struct BodyRecord: Codable, Sendable, Equatable {
  package var path: String
  /// `nil` when it is not known, as the size and the digest.
  package var inode: UInt64?
  package var size: Int64?
  /// SHA-256.
  package var digest: Data?

  package init(path: String, inode: UInt64?, size: Int64?, digest: Data?) {
    (self.path, self.inode, self.size, self.digest) = (path, inode, size, digest)
  }
}

/// A session belongs to a program: others may have one of the same identifier.
package struct SessionKey: Hashable, Codable, Sendable, Comparable {
  package var app: String
  package var identifier: String

  package static func < (left: SessionKey, right: SessionKey) -> Bool {
    (left.app, left.identifier) < (right.app, right.identifier)
  }
}

/// A background session, as the daemon keeps it.
package struct CarriedSession: Codable, Sendable {
  package var key: SessionKey
  package var settings: BackgroundSettings
  package var lastNumber: UInt32 = 0
  /// Whether it takes no more tasks, and goes when it has none.
  package var isEnding = false
}

/// A program that may be launched.
package struct CarriedApp: Codable, Sendable {
  /// What the kernel says it runs.
  package var name: String
  package var program: Program
  /// That registered: another one at its place is another program.
  package var file: ProgramFile
  /// Whether its user has swept it away, and not opened it since.
  package var isQuit = false
  package var triggers: [ArmedTrigger] = []
  package var leases: [Lease] = []
  /// Processes that are stopped: a daemon that comes new lets them go on, because nobody else would.
  package var suspended: [Int32] = []

  init(name: String, program: Program, file: ProgramFile) {
    (self.name, self.program, self.file) = (name, program, file)
  }
}

package struct ArmedTrigger: Codable, Sendable, Equatable {
  package var number: UInt64
  package var trigger: LaunchTrigger
}

/// A dead-man switch: what rings when the app does not move it in time.
package struct Lease: Codable, Sendable, Equatable {
  package var number: UInt64
  package var name: String
  /// Nanoseconds since 1970.
  package var firesAt: Int64
  package var count = 0
}

/// The file behind a program's name.
package struct ProgramFile: Codable, Sendable, Equatable {
  package let device: UInt64
  package let inode: UInt64

  package init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }
}
