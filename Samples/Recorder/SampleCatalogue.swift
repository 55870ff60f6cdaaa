/// All samples, by name.
enum SampleCatalogue {
  /// The samples run by default, as in the demo. They use the real clock and take little time.
  static let shown: [Sample] = [
    CleanRun.sample,
    NotFoundTakenForSuccess.sample,
    ResetInMidBody.sample,
    FileNeverMoved.sample,
    KilledInMidTransfer.sample,
    KilledBeforeDelivery.sample,
  ]

  /// The samples stored in the repository.
  static let samples: [Sample] =
    shown + [
      MovedWithForce.sample,
      ResumeDataReadTooEarly.sample,
      HundredTasks.sample,
      UnknownLength.sample,
      OneFetch.sample,
      ProgressTree.sample,
      EmptyTaskList.sample,
      MissedHandler.sample,
    ]

  /// Variants of the samples with the fault corrected or with another fault. They are recorded only by tests.
  static let variants: [Sample] = [
    NotFoundTakenForSuccess.nearMiss,
    ResetInMidBody.nearMiss,
    FileNeverMoved.nearMiss,
    FileNeverMoved.tooLate,
    KilledInMidTransfer.nearMiss,
    KilledBeforeDelivery.nearMiss,
    MovedWithForce.nearMiss,
    ResumeDataReadTooEarly.nearMiss,
    HundredTasks.nearMiss,
    UnknownLength.nearMiss,
    MissedHandler.nearMiss,
  ]

  static var all: [Sample] { samples + variants }

  /// - Returns: The samples with the given names, in the given order.
  static func named(_ names: [String]) throws(RecordingError) -> [Sample] {
    var found: [Sample] = []
    for name in names {
      guard let sample = all.first(where: { $0.name == name }) else {
        throw RecordingError(
          "unknown sample \(name)", advice: "Run `sample-recorder list` to see all names.")
      }
      found.append(sample)
    }
    return found
  }
}

/// An error that prevents the recording of a sample, and its remedy.
struct RecordingError: Error, CustomStringConvertible {
  let problem: String
  let advice: String

  init(_ problem: String, advice: String) {
    self.problem = problem
    self.advice = advice
  }

  var description: String { "\(problem). \(advice)" }
}
