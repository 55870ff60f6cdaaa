/// All recordings, by name.
enum SampleCatalogue {
  /// Those that are run when none is named, as the demo does: on the real clock, and over in a moment.
  static let shown: [Sample] = [
    CleanRun.sample,
    NotFoundTakenForSuccess.sample,
    ResetInMidBody.sample,
    FileNeverMoved.sample,
    KilledInMidTransfer.sample,
    KilledBeforeDelivery.sample,
  ]

  /// Those that lie beside this program.
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

  /// The same with the one thing right that was wrong, and other ways to go wrong; tests record them anew each time.
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

  /// - Returns: the samples of these names, in the order given.
  static func named(_ names: [String]) throws(RecordingError) -> [Sample] {
    var found: [Sample] = []
    for name in names {
      guard let sample = all.first(where: { $0.name == name }) else {
        throw RecordingError(
          "there is no sample called \(name)", advice: "`sample-recorder list` names them all.")
      }
      found.append(sample)
    }
    return found
  }
}

/// Why a sample could not be recorded, and what to do.
struct RecordingError: Error, CustomStringConvertible {
  let problem: String
  let advice: String

  init(_ problem: String, advice: String) {
    self.problem = problem
    self.advice = advice
  }

  var description: String { "\(problem). \(advice)" }
}
