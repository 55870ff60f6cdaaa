import XferEvents
import XferLifecycle
import XferReplay

/// An upload whose source file stands for the original: a placeholder of a cloud drive, or a scaled copy.
struct SourceNotMaterialised: TaskRule {
  /// The creation of an upload.
  private static func created(
    _ file: String, size: Int64? = 4_000_000, expected: Int64? = nil, type: TaskType = .upload
  ) -> RuleExample.Step {
    .at(0, TaskCreated(type: type, method: "PUT", sourceFile: file, sourceSize: size, expectedToSend: expected))
  }

  static let description = RuleDescription(
    id: "source-not-materialised", severity: .critical,
    summary: "The file of an upload is a placeholder or a scaled copy, so the server does not receive the original.",
    explanation: """
      With iCloud Drive or “Optimize iPhone Storage”, the original may be in the cloud only. iCloud Drive leaves a placeholder \
      such as .film.mov.icloud in the folder; its few hundred bytes can be read and uploaded. Photos hands out a scaled copy, or \
      no bytes at all, unless the request allows network access and rejects degraded results. The upload succeeds, the server \
      stores the wrong bytes, and the app may then delete the original. The variant says how the log shows it: by the file's name \
      ("placeholder"), or because the app expected to send at least four times the bytes of the file ("smaller").
      """,
    remedy: """
      Before you create the task, call startDownloadingUbiquitousItem(at:) and wait until the file is downloaded, or read it \
      under NSFileCoordinator. Request photos with isNetworkAccessAllowed and the high-quality delivery mode, and ignore results \
      with PHImageResultIsDegradedKey. Compare the size of the file with that of the resource, and with what the server stored.
      """,
    sources: [
      "https://github.com/fluttercandies/flutter_photo_manager/pull/1418", "https://github.com/ryanbr/noop/pull/293",
      "https://github.com/nohana/NohanaImagePicker/pull/166", "https://github.com/team-reflect/reflect-open/pull/896",
      "https://github.com/qiniu/objc-sdk/issues/202",
    ],
    reports: [
      RuleExample(
        "the file is a placeholder of iCloud Drive", .certain, variant: "placeholder", cites: [.taskCreated],
        created("/data/Documents/.film.mov.icloud", size: 192)),
      RuleExample(
        "the file has a tenth of the bytes that the app expected to send", .possible, variant: "smaller", cites: [.taskCreated],
        created("/data/tmp/IMG_0007.jpg", size: 400_000, expected: 4_000_000)),
      RuleExample(
        "the file is empty", .possible, variant: "smaller", cites: [.taskCreated],
        created("/data/tmp/IMG_0007.jpg", size: 0, expected: 4_000_000)),
    ],
    staysSilent: [
      RuleExample("the file is on the device", created("/data/Documents/film.mov", expected: 4_000_500)),
      RuleExample(
        "the app's estimate includes the headers of a small file", created("/data/tmp/note.txt", size: 10, expected: 1000)),
      RuleExample("the app has no estimate", created("/data/tmp/IMG_0007.jpg", size: 400)),
      RuleExample("a visible file has the suffix", created("/data/Documents/backup.icloud", size: 192)),
      RuleExample("a hidden file has another suffix", created("/data/Documents/.film.mov.part", size: 192)),
      RuleExample("the task is a download", created("/data/Documents/.film.mov.icloud", type: .download)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.fileTrouble)]
  static let watches: Set<EventKind> = [.taskCreated]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    switch task.oddities.substitute {
    case nil: return asked.isTaskOver ? .silentSoFar : nil
    case .placeholder(let created):
      return .finding(
        Draft(
          variant: "placeholder",
          summary: "Task \(task.identity.label) uploads a placeholder of iCloud Drive instead of the file.", claim: .presence,
          evidence: created))
    case .smaller(let created, let size, let expected):
      guard asked.isTaskOver else { return nil }
      return .finding(
        Draft(
          variant: "smaller",
          summary: """
            Task \(task.identity.label) uploads a file of \(ByteCount(size)), but the app expected to send \
            \(ByteCount(expected)).
            """,
          claim: .absence(since: created, shownBy: .endOfLog), evidence: created,
          unless: ["the expected size is a maximum, or covers several requests"]))
    }
  }
}
