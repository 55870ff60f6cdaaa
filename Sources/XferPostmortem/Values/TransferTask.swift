extension Postmortem {
  /// The life of one task.
  public struct TransferTask: Sendable, Equatable, Codable {
    public enum State: String, Sendable, Codable {
      case created, queued, running, held, suspended, transferred, delivered, completed, acknowledged, failed, cancelled
    }

    public enum Outcome: String, Sendable, Codable {
      case succeeded, failed, cancelled, lost, open, unknown
      /// The task was lost with its process, and a later task continued its partial download.
      case resumed
    }

    /// The identifier that the task keeps for its whole life.
    public let uid: String
    /// The identifier of the session.
    public let session: String
    /// The number of the task within its session.
    public let number: Int
    /// The type of the task, such as `download`.
    public let type: String?
    /// The state at the end of the log.
    public let state: State
    public let outcome: Outcome
    /// The HTTP status of the response.
    public let http: Int?
    /// The error with which the task was completed.
    public let error: Failure?
    /// The number of attempts.
    public let attempts: Int
    /// The received bytes of the body.
    public let bytes: Int?
    /// The time spent in each stage.
    public let timing: Timing
    /// The delivery of the file and the delivery of the completion.
    public let deliveries: [Delivery]
    /// The number of other callbacks that were delivered.
    public let otherDeliveries: Int
    /// The number of events in an impossible order.
    public let unexpected: Int
    /// The uid of the earlier task whose partial download the task continues.
    public let continues: String?
    /// The uid of the later task that continues the task's partial download.
    public let continuedBy: String?
    /// The HTTP error status that the app accepts on purpose.
    public let acceptedStatus: Int?
    /// The outcome that the app recorded.
    public let appOutcome: String?
  }

  /// The error of a task.
  public struct Failure: Sendable, Equatable, Codable {
    public let domain: String?
    public let number: Int
    public let name: String?
  }

  /// The time that a task spent in each stage, in nanoseconds. `nil` means unknown.
  public struct Timing: Sendable, Equatable, Codable {
    /// From resume to the start of the last attempt.
    public let queue: Int?
    /// From the start of the last attempt to a new or reused connection.
    public let connect: Int?
    /// From the connection to the response's header.
    public let firstByte: Int?
    /// From the response's header to the end of the body.
    public let body: Int?
    /// From the end of the body to the app's completion callback.
    public let delivery: Int?
    /// From resume to completion.
    public let total: Int?
  }

  /// The delivery of one callback to the app.
  public struct Delivery: Sendable, Equatable, Codable {
    public let id: String
    /// The callback, such as `didComplete`.
    public let kind: String
    public let sent: Time?
    /// The time at which the app's process received the callback.
    public let received: Time?
    /// The time at which the app's code was entered.
    public let entered: Time?
    /// The time at which the app's code returned.
    public let left: Time?
    public let acknowledged: Time?
    /// The process lives in which the callback arrived.
    public let lives: [Arrival]
  }

  /// The arrival of a delivery in one process life.
  public struct Arrival: Sendable, Equatable, Codable {
    public let launch: String?
    public let received: Time?
    public let entered: Time?
    public let left: Time?
  }
}
