/// One step of a scripted app: an action, and when and where it runs.
package struct ActorStep: Sendable {
  /// The name of the action.
  package var verb: String
  package var arguments: ActorArguments
  /// The file, line and column of the step.
  package var place: String
  package var line: Int
  package var condition: ActorCondition?
  /// The delay after which the step runs. `nil` means that it runs in its turn.
  package var delay: Duration?
  /// The queue on which the step runs asynchronously. `nil` means the current one.
  package var queue: Queue?
  package var times = 1
  /// The time between repetitions. `nil` means that they follow each other directly.
  package var interval: Duration?
  /// The steps to run if the action fails.
  package var otherwise: [ActorStep]

  package enum Queue: String, Sendable, CaseIterable {
    case main, delegate, global
  }
}

/// Conditions of a step, all of which must hold.
package struct ActorCondition: Sendable {
  package var task: String?
  package var session: String?
  /// The end of the path of the task's URL.
  package var url: String?
  package var status: String?
  package var error: String?
  package var hasResumeData: Bool?
  /// Whether the callback has a downloaded file.
  package var hasFile: Bool?
  /// The number of the call of this callback in this process, from 1.
  package var nth: Int?
  /// The number of the launch, from 1.
  package var launch: Int?
  package var isWoken: Bool?
  package var isBackground: Bool?
  /// The minimum number of bytes received.
  package var received: Int?
  package var delegate: String?
  package var trigger: String?
  package var isAvailable: Bool?
  package var existing: String?
  package var missing: String?
  package var once = false
}
