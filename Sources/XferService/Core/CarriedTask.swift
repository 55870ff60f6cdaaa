package import Foundation
import HTTPTypes
package import XferEngine

/// A task that the daemon keeps from its creation until the app acknowledges its completion.
package struct CarriedTask: Codable, Sendable {
  package var new: NewTask
  /// The path of the program that created the task.
  package var app: String
  package var standing = KnownTask.Standing.suspended
  /// The data needed to resume the transfer after a daemon restart. `nil` until the engine has provided some.
  package var resumeData: Data?
  package var received: Int64 = 0
  package var sent: Int64 = 0
  /// Callbacks that the app has not acknowledged, in delivery order.
  package var pending: [Pending] = []
  /// The time of the first resume, in nanoseconds since 1970. `nil` before the first resume. The resource timeout counts from
  /// this time, across daemon restarts.
  package var resumedAt: Int64?
  /// Whether the task may start: its earliest begin date has passed, and the app, if connected, has answered `mayBegin`.
  package var hasBegun = false
  /// The number of bytes of the partial download that would survive a power loss. `nil` when unknown.
  package var durable: Int64?
  /// The number of times that the body was lost from the spool and downloaded again. `nil` means zero.
  package var refetches: Int?
  /// Whether a request that must not be sent again may have reached the server. `nil` means no.
  package var wasSent: Bool?

  package struct Pending: Codable, Sendable {
    package var id: UInt64
    package var content: BackgroundDelivery.Content
    /// Whether the callback was sent at least once. The app may or may not have received it.
    package var wasSent = false
    /// The expected state of the file in `content`. `nil` for a completion, and in rows written before this property existed.
    package var body: BodyRecord?
  }

  init(_ new: NewTask, app: String) { (self.new, self.app) = (new, app) }

  var key: SessionKey { SessionKey(app: app, identifier: new.session) }
  var known: KnownTask { KnownTask(task: new, standing: standing, received: received, sent: sent) }

  /// The spool files of the pending callbacks, and whether the app may already have taken each file.
  var bodies: [(record: BodyRecord, wasSent: Bool)] {
    pending.compactMap { pending in pending.record.map { ($0, pending.wasSent) } }
  }

  /// Whether the download can be repeated: a request with GET or HEAD, or one that the app allows to be sent again.
  var isReplayable: Bool { new.kind == .download && (new.allowsRepetition ?? [.get, .head].contains(new.request.method)) }
}

extension CarriedTask.Pending {
  /// The recorded state of the callback's file. `nil` for a completion.
  var record: BodyRecord? {
    switch content {
    case .file(let path, let inode, let size, _): body ?? BodyRecord(path: path, inode: inode, size: size, digest: nil)
    case .body(let path): body ?? BodyRecord(path: path, inode: nil, size: nil, digest: nil)
    case .completion: nil
    }
  }
}

/// The state of a body in the spool when it was flushed to disk.
package struct BodyRecord: Codable, Sendable, Equatable {
  package var path: String
  /// The inode, size and digest are `nil` when unknown.
  package var inode: UInt64?
  package var size: Int64?
  /// The SHA-256 digest of the contents. `nil` when unknown.
  package var digest: Data?

  package init(path: String, inode: UInt64?, size: Int64?, digest: Data?) {
    (self.path, self.inode, self.size, self.digest) = (path, inode, size, digest)
  }
}

/// The key of a session. Includes the program, because different programs may use the same session identifier.
package struct SessionKey: Hashable, Codable, Sendable, Comparable {
  package var app: String
  package var identifier: String

  package static func < (left: SessionKey, right: SessionKey) -> Bool {
    (left.app, left.identifier) < (right.app, right.identifier)
  }
}

/// The stored state of a background session.
package struct CarriedSession: Codable, Sendable {
  package var key: SessionKey
  package var settings: BackgroundSettings
  package var lastNumber: UInt32 = 0
  /// Whether the session was invalidated. It accepts no new tasks and is removed when its last task is gone.
  package var isEnding = false
}

/// A registered program that the daemon may launch.
package struct CarriedApp: Codable, Sendable {
  /// The path of the executable as reported by the kernel.
  package var name: String
  package var program: Program
  /// The file that registered. A different file at the same path is not launched.
  package var file: ProgramFile
  /// Whether the user force-quit the app and has not opened it since.
  package var isQuit = false
  package var triggers: [ArmedTrigger] = []
  package var leases: [Lease] = []
  /// The pids of suspended processes. A restarted daemon resumes them, because they cannot connect to it while suspended.
  package var suspended: [Int32] = []

  init(name: String, program: Program, file: ProgramFile) {
    (self.name, self.program, self.file) = (name, program, file)
  }
}

package struct ArmedTrigger: Codable, Sendable, Equatable {
  package var number: UInt64
  package var trigger: LaunchTrigger
}

/// A dead-man switch, which fires when the app does not renew it in time.
package struct Lease: Codable, Sendable, Equatable {
  package var number: UInt64
  package var name: String
  /// The time at which the dead-man switch fires, in nanoseconds since 1970.
  package var firesAt: Int64
  package var count = 0
}

/// The identity of a program's file.
package struct ProgramFile: Codable, Sendable, Equatable {
  package let device: UInt64
  package let inode: UInt64

  package init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }
}
