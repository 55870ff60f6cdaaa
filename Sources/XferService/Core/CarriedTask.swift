package import Foundation
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

  package struct Pending: Codable, Sendable {
    package var id: UInt64
    package var content: BackgroundDelivery.Content
    /// Whether it was sent before; whether it arrived nobody knows.
    package var wasSent = false
  }

  init(_ new: NewTask, app: String) { (self.new, self.app) = (new, app) }

  var key: SessionKey { SessionKey(app: app, identifier: new.session) }
  var known: KnownTask { KnownTask(task: new, standing: standing, received: received, sent: sent) }
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
  /// Of the file that registered: another one at its place is another program.
  package var device: UInt64
  package var inode: UInt64
}
