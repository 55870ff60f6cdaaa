package import HTTPTypes
internal import XferEvents

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The protocol between an app and the daemon that carries its background sessions.
///
/// Both sides have the same version; the daemon refuses any other with its answer to `Hello`.
package enum BackgroundProtocol {
  package static let version = 3

  /// The largest message of an app, in bytes. A task that does not fit into a message is rejected when it is created.
  package static let appFrame = 1 << 20
  /// The largest message of the daemon, in bytes. A message holds at most two of an app's, or a response with the largest head that
  /// the engine accepts, each of whose bytes JSON may write as six.
  package static let daemonFrame = 8 << 20

  /// Limits of an app's end of the connection.
  package static let appLimits = FrameChannel.Limits(sentFrame: appFrame, receivedFrame: daemonFrame)
}

/// From the app to the daemon.
package enum AppMessage: Codable, Sendable {
  /// The first.
  case hello(Hello)
  /// What to launch when something is to be handed over and the app is not there.
  /// - Parameter isSuspendable: whether the daemon may stop and end the process as a device does with apps.
  case register(Program, isSuspendable: Bool)
  case openSession(OpenedSession)
  case createTask(NewTask)
  case resume(String)
  case suspend(String)
  /// - Parameter forResumeData: whether the app wants what it takes to go on.
  case cancel(String, forResumeData: Bool)
  /// The callback has returned.
  case acknowledge(UInt64)
  /// The callback was not made, because what the daemon said of it cannot be true.
  case refuseDelivery(UInt64, reason: String)
  /// Takes no more tasks.
  case invalidate(session: String)
  case handlerCalled(UInt64)
  case report(AppReport)
  case challengeAnswered(ChallengeAnswer)
  case delayAnswered(DelayAnswer)
  /// Of whoever plays the device; answered with `answered`.
  case command(DeviceCommand)
}

/// From the daemon to the app.
package enum DaemonMessage: Codable, Sendable {
  /// - Parameter spool: the absolute path of the directory that all files of deliveries are in.
  case welcome(generation: UInt64, launch: String, spool: String)
  /// Nothing follows.
  case refused(String)
  /// A part of a session's tasks. The rest follows, and `sessionOpened` comes last.
  case sessionTasks(session: String, tasks: [KnownTask])
  /// The session is open. Its tasks are those of the `sessionTasks` before and of this message.
  case sessionOpened(SessionInventory)
  case sessionRefused(session: String, reason: String)
  case deliver(BackgroundDelivery)
  /// Only while the app is there.
  case progress(TaskProgress)
  /// All that was pending when the session was opened, or when the app was woken, has been acknowledged.
  case eventsFinished(session: String, handler: UInt64?)
  case notice(AppNotice)
  /// A server wants to know who is there.
  case challenge(BackgroundChallenge)
  /// A delayed task may begin.
  case mayBegin(session: String, task: String, number: UInt32)
  case answered(DeviceAnswer)
}

package struct Hello: Codable, Sendable {
  package var version: Int
  /// How the app's log calls this process; empty when nothing is logged.
  package var launch: String

  package init(version: Int = BackgroundProtocol.version, launch: String) { (self.version, self.launch) = (version, launch) }
}

/// How an app is started.
package struct Program: Codable, Sendable, Equatable {
  /// Absolute.
  package var executable: String
  /// Without the program's own name.
  package var arguments: [String]
  package var environment: [String: String]

  package init(executable: String, arguments: [String], environment: [String: String]) {
    (self.executable, self.arguments, self.environment) = (executable, arguments, environment)
  }
}

package struct OpenedSession: Codable, Sendable {
  package var identifier: String
  package var instance: UInt64
  package var settings: BackgroundSettings

  package init(identifier: String, instance: UInt64, settings: BackgroundSettings) {
    (self.identifier, self.instance, self.settings) = (identifier, instance, settings)
  }
}

/// The daemon's state of a session, for an app that opens it.
package struct SessionInventory: Codable, Sendable {
  package var identifier: String
  package var instance: UInt64
  /// All that the daemon has not forgotten, in the order of their numbers.
  package var tasks: [KnownTask]
  /// The highest number that a task of the session ever had.
  package var lastNumber: UInt32
  /// Callbacks that wait.
  package var pending: Int

  package init(identifier: String, instance: UInt64, tasks: [KnownTask], lastNumber: UInt32, pending: Int) {
    (self.identifier, self.instance, self.tasks) = (identifier, instance, tasks)
    (self.lastNumber, self.pending) = (lastNumber, pending)
  }
}

package struct NewTask: Codable, Sendable, Equatable {
  package enum Kind: String, Codable, Sendable {
    case download, upload
  }

  package var uid: String
  package var session: String
  package var number: UInt32
  package var kind: Kind
  package var request: HTTPRequest
  /// Of an upload: what is sent.
  package var file: String?
  /// What a download goes on with.
  package var resumeData: Data?
  package var description: String?
  package var metadata: [String: String] = [:]
  package var priority: Float = 0.5
  package var expectedToSend: Int64 = -1
  package var expectedToReceive: Int64 = -1
  /// Seconds since 1970.
  package var earliestBegin: Double?
  /// Seconds; `nil` is no limit.
  package var requestTimeout: Double?
  package var resourceTimeout: Double?
  /// Whether the app was in the background when it made the task.
  package var isFromBackground = false

  package init(uid: String, session: String, number: UInt32, kind: Kind, request: HTTPRequest) {
    (self.uid, self.session, self.number, self.kind, self.request) = (uid, session, number, kind, request)
  }
}

/// A task as the daemon has it, for an app that reconnects.
package struct KnownTask: Codable, Sendable {
  package enum Standing: String, Codable, Sendable {
    case suspended, running, ended
  }

  package var task: NewTask
  package var standing: Standing
  package var received: Int64
  package var sent: Int64

  package init(task: NewTask, standing: Standing, received: Int64, sent: Int64) {
    (self.task, self.standing, self.received, self.sent) = (task, standing, received, sent)
  }
}

/// A callback that the app is to get, at least once.
package struct BackgroundDelivery: Codable, Sendable {
  package enum Content: Codable, Sendable {
    /// A download's file, in the daemon's spool.
    case file(path: String, inode: UInt64, size: Int64, response: TransferredResponse)
    /// The body of the response to an upload, in the daemon's spool.
    case body(path: String)
    case completion(TransferredOutcome)

    /// The file in the daemon's spool; `nil` for a completion.
    package var path: String? {
      switch self {
      case .file(let path, _, _, _), .body(let path): path
      case .completion: nil
      }
    }
  }

  package var id: UInt64
  package var session: String
  package var task: String
  package var number: UInt32
  package var content: Content

  package init(id: UInt64, session: String, task: String, number: UInt32, content: Content) {
    (self.id, self.session, self.task, self.number, self.content) = (id, session, task, number, content)
  }
}

package struct TransferredResponse: Codable, Sendable {
  package var url: String
  package var response: HTTPResponse
  package var protocolName: String
  package var expected: Int64?

  package init(_ response: TransferResponse) {
    (url, self.response) = (response.urlText, response.httpResponse)
    (protocolName, expected) = (response.networkProtocolName, response.expectedContentLength)
  }

  package var transferResponse: TransferResponse {
    TransferResponse(urlText: url, httpResponse: response, networkProtocolName: protocolName, expectedContentLength: expected)
  }
}

package struct TransferredOutcome: Codable, Sendable {
  package var error: TransferredError?
  package var response: TransferredResponse?
  package var received: Int64
  package var sent: Int64
  package var resumeData: Data?

  package init(error: TransferredError?, response: TransferredResponse?, received: Int64, sent: Int64, resumeData: Data?) {
    (self.error, self.response, self.received, self.sent) = (error, response, received, sent)
    self.resumeData = resumeData
  }
}

package struct TransferredError: Codable, Sendable {
  package var code: String
  package var domain: String
  package var number: Int
  package var osError: Int?
  package var stage: String
  package var problem: String
  /// Why the system cancelled the task, as the log's `CancelReason` numbers it.
  package var cancelReason: UInt8?

  package init(_ error: TransferError) {
    (code, domain, number) = (error.code.rawValue, error.domain.name, error.number)
    (osError, stage, problem) = (error.osError, error.stage.rawValue, error.problem)
    cancelReason = error.cancelReason?.rawValue
  }

  package var transferError: TransferError {
    var error = TransferError(
      TransferError.Code(rawValue: code) ?? .unknown,
      domain: ErrorDomain.allCases.first { $0.name == domain } ?? .xfer, number: number, osError: osError,
      stage: TransferError.Stage(rawValue: stage) ?? .body, problem: problem)
    error.cancelReason = cancelReason.flatMap(CancelReason.init)
    return error
  }
}

package struct TaskProgress: Codable, Sendable {
  package var session: String
  package var task: String
  package var number: UInt32
  package var received: Int64
  package var expected: Int64
  package var sent: Int64
  package var expectedToSend: Int64

  package init(
    session: String, task: String, number: UInt32, received: Int64, expected: Int64, sent: Int64, expectedToSend: Int64
  ) {
    (self.session, self.task, self.number) = (session, task, number)
    (self.received, self.expected) = (received, expected)
    (self.sent, self.expectedToSend) = (sent, expectedToSend)
  }
}
