package import HTTPTypes
internal import XferEvents

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The protocol between an app and the daemon that carries out the tasks of the app's background sessions.
///
/// The app and the daemon must have the same version; the daemon answers `Hello` with `refused` otherwise.
package enum BackgroundProtocol {
  package static let version = 5

  /// The size of the largest message from an app, in bytes. Creating a task that does not fit into one message fails.
  package static let appFrame = 1 << 20
  /// The size of the largest message from the daemon, in bytes.
  ///
  /// Suffices for the content of two app messages, and for the largest response head that the engine accepts, even if JSON
  /// escapes each byte of the head as six bytes.
  package static let daemonFrame = 8 << 20

  /// The limits that the app's end of the connection applies.
  package static let appLimits = FrameChannel.Limits(sentFrame: appFrame, receivedFrame: daemonFrame)
}

/// A message from the app to the daemon.
package enum AppMessage: Codable, Sendable {
  /// The first message, which states the protocol version.
  case hello(Hello)
  /// Registers the program that the daemon launches when callbacks are pending and the app is not running.
  ///
  /// - Parameter isSuspendable: Whether the daemon may suspend and terminate the process as iOS does with apps.
  case register(Program, isSuspendable: Bool)
  case openSession(OpenedSession)
  case createTask(NewTask)
  /// Changes the app's description, priority and expected sizes of a task.
  case describe(TaskDescription)
  case resume(String)
  case suspend(String)
  /// - Parameter forResumeData: Whether the app requests resume data.
  case cancel(String, forResumeData: Bool)
  /// Reports that the callback for a delivery has returned.
  case acknowledge(UInt64)
  /// Reports that the app rejected a delivery as invalid, without calling back.
  case refuseDelivery(UInt64, reason: String)
  /// Reports that the session creates no more tasks.
  case invalidate(session: String)
  case handlerCalled(UInt64)
  case report(AppReport)
  case challengeAnswered(ChallengeAnswer)
  case delayAnswered(DelayAnswer)
  /// A command of `xfer conditions` or `xfer app`. The daemon replies with `answered`.
  case command(DeviceCommand)
}

/// A message from the daemon to the app.
package enum DaemonMessage: Codable, Sendable {
  /// Accepts the connection.
  ///
  /// - Parameter spool: The absolute path of the directory of delivered files.
  case welcome(generation: UInt64, launch: String, spool: String)
  /// Rejects the connection, with the reason. The daemon sends nothing more.
  case refused(String)
  /// Some of a session's tasks. The remaining tasks follow in further messages, the last of which is `sessionOpened`.
  case sessionTasks(session: String, tasks: [KnownTask])
  /// Confirms that the session is open. Its tasks are those of the preceding `sessionTasks` messages and of this message.
  case sessionOpened(SessionInventory)
  /// Refuses to open a session, because another process of the program has the session open.
  ///
  /// - Parameter holder: The launch of that process. `nil` if unknown.
  case sessionRefused(session: String, reason: String, holder: String?)
  case deliver(BackgroundDelivery)
  /// A task's progress. Sent only while the app is running.
  case progress(TaskProgress)
  /// Reports that all callbacks that were pending when the session was opened or the app was woken have been acknowledged.
  /// `handler` identifies the wake's completion handler; it is `nil` if the app opened the session without a wake.
  case eventsFinished(session: String, handler: UInt64?)
  case notice(AppNotice)
  /// Reports that the device's clocks were moved forward.
  case clockMoved
  /// A server's authentication challenge.
  case challenge(BackgroundChallenge)
  /// Asks whether a delayed task, whose earliest begin date has passed, may begin.
  case mayBegin(session: String, task: String, number: UInt32)
  case answered(DeviceAnswer)
}

package struct Hello: Codable, Sendable {
  package var version: Int
  /// The launch identifier of this process in the app's log. Empty when the app has no log.
  package var launch: String

  package init(version: Int = BackgroundProtocol.version, launch: String) { (self.version, self.launch) = (version, launch) }
}

/// The program, arguments and environment with which an app is launched.
package struct Program: Codable, Sendable, Equatable {
  /// The absolute path of the program.
  package var executable: String
  /// The arguments, without the program's name.
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

/// The daemon's state of a session, sent to an app that opens the session.
package struct SessionInventory: Codable, Sendable {
  package var identifier: String
  package var instance: UInt64
  /// All tasks of the session that the daemon knows, ordered by number.
  package var tasks: [KnownTask]
  /// The highest task number ever used in the session.
  package var lastNumber: UInt32
  /// The number of callbacks that the app has not acknowledged.
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
  /// The absolute path of the file to upload. `nil` for a download.
  package var file: String?
  /// The resume data of a partial download. `nil` if the task starts from the beginning.
  package var resumeData: Data?
  package var description: String?
  package var metadata: [String: String] = [:]
  package var priority: Float = 0.5
  package var expectedToSend: Int64 = -1
  package var expectedToReceive: Int64 = -1
  /// The earliest time at which the transfer may begin, in seconds since 1970. `nil` means immediately.
  package var earliestBegin: Double?
  /// The time without progress after which a request fails, in seconds. `nil` means unlimited.
  package var requestTimeout: Double?
  /// The time limit for the whole task, in seconds. `nil` means unlimited.
  package var resourceTimeout: Double?
  /// Whether the app was in the background when it created the task.
  package var isFromBackground = false
  /// Whether the request may be sent again. `nil` means by method and header field.
  package var allowsRepetition: Bool?
  /// Whether requests carry `traceparent`. `nil` means the session's setting.
  package var sendsTraceContext: Bool?

  package init(uid: String, session: String, number: UInt32, kind: Kind, request: HTTPRequest) {
    (self.uid, self.session, self.number, self.kind, self.request) = (uid, session, number, kind, request)
  }
}

/// The properties of a task that the app can change after the task was created.
package struct TaskDescription: Codable, Sendable, Equatable {
  package var uid: String
  package var description: String?
  package var priority: Float
  package var expectedToSend: Int64
  package var expectedToReceive: Int64

  package init(_ task: NewTask) {
    (uid, description, priority) = (task.uid, task.description, task.priority)
    (expectedToSend, expectedToReceive) = (task.expectedToSend, task.expectedToReceive)
  }

  init(_ uid: TaskUID, _ state: TaskState) {
    (self.uid, description) = ("\(uid)", state.description)
    // JSON cannot represent infinity or NaN, so such a priority is replaced by the default.
    priority = state.priority.isFinite ? state.priority : TransferTask.defaultPriority
    (expectedToSend, expectedToReceive) = (state.expectedToSend, state.expectedToReceive)
  }
}

extension NewTask {
  package mutating func apply(_ change: TaskDescription) {
    (description, priority) = (change.description, change.priority)
    (expectedToSend, expectedToReceive) = (change.expectedToSend, change.expectedToReceive)
  }
}

/// The daemon's state of a task, sent to an app that opens the task's session.
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

/// A callback that the daemon delivers to the app at least once.
package struct BackgroundDelivery: Codable, Sendable {
  package enum Content: Codable, Sendable {
    /// A download's file, in the daemon's spool.
    case file(path: String, inode: UInt64, size: Int64, response: TransferredResponse)
    /// The body of the response to an upload, in the daemon's spool.
    case body(path: String)
    case completion(TransferredOutcome)

    /// The path of the file in the daemon's spool. `nil` for a completion.
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
  /// The raw value of the `CancelReason` with which the system cancelled the task. `nil` if the system did not cancel it.
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
