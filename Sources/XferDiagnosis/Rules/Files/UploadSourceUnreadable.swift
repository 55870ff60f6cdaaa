import XferEvents
import XferLifecycle
import XferReplay

/// Reports a file of an upload that the daemon may not read.
struct UploadSourceUnreadable: ProcessRule {
  static let description = RuleDescription(
    id: "upload-source-unreadable", severity: .error,
    summary: "The file of an upload exists, but the daemon cannot read it.",
    explanation: """
      The daemon reads the file of a background upload with a permission that the app grants. This fails if the file is in a \
      directory that the daemon cannot read, or if its protection class keeps it locked while the device is. The upload never starts.
      """,
    remedy: """
      Copy the file to a directory of the app itself, such as Caches, before you create the task. Give it the protection class \
      completeUntilFirstUserAuthentication or none.
      """,
    sources: [
      "https://developer.apple.com/documentation/foundation/urlsession/uploadtask(with:fromfile:)"
    ],
    isStatedByEvents: true,
    untriggerable: "xferlog's own logs name the failed task, and other rules report that task.",
    reports: [
      RuleExample(
        "the daemon may not read the file", .certain, cites: [.diskOpenFailed],
        .at(1, DiskOpenFailed(file: "/a", osError: 1, exists: true), by: .foreign))
    ],
    staysSilent: [
      RuleExample("the file is missing", .at(1, DiskOpenFailed(file: "/a", osError: 2, exists: false), by: .foreign)),
      RuleExample("the log is one of this package", .at(1, DiskOpenFailed(file: "/a", osError: 13, exists: true))),
    ])

  static let watches: Set<EventKind> = [.diskOpenFailed]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let unreadable = process.verdicts.sourceUnreadable else { return asked.isEndOfLog ? .silent : nil }
    return .finding(
      Draft(
        summary: "A file that was to be uploaded exists, but \(process.executable ?? "the daemon") cannot read it.",
        claim: .presence,
        evidence: unreadable))
  }
}
