import XferEvents
import XferLifecycle
import XferReplay

/// The app looks for a file where its data directory was in an earlier life.
struct AbsolutePathPersisted: ProcessRule {
  private static let old = "/containers/0A1B"
  private static let new = "/containers/2C3D"

  private static func started(in container: String?) -> ProcessStarted {
    ProcessStarted(startReason: .user, executable: "app", container: container)
  }

  private static func failed(
    _ file: String, _ error: Int = 2, container: String? = old, exists: Bool? = true
  ) -> DiskOpenFailed {
    DiskOpenFailed(file: file, osError: error, container: container, exists: exists)
  }

  private static func story(_ file: DiskOpenFailed, to now: String? = new) -> [RuleExample.Step] {
    [
      .at(0, started(in: old)), .at(5, ProcessExited(code: 0, exitReason: .returned)),
      .at(60, started(in: now), by: .nextLife), .at(61, file, by: .nextLife),
    ]
  }

  static let description = RuleDescription(
    id: "absolute-path-persisted", severity: .error,
    summary: "The app stored a whole path, and its data directory has moved since.",
    explanation: """
      The directory that an app is given for its data has another name after each installation, and may have after an update. \
      A path that was stored whole (in the app's own records, or inside resume data) then leads to where the file was, \
      while the file itself lies at the same place below the new directory. The log shows it by a file that is not found \
      below an earlier life's directory and is there below the present one.
      """,
    remedy: """
      Store paths relative to the directory that they lie in, or a bookmark, and put the whole path together when the file is \
      opened. Keep no resume data of which the temporary file lies in such a directory over an installation.
      """,
    sources: [
      "https://developer.apple.com/forums/thread/14855", "https://github.com/Heikowi/HWIFileDownload/issues/11",
      "https://github.com/12207480/TYDownloadManager/issues/3",
    ],
    reports: [
      RuleExample(
        "installed again, and the path leads into the old directory", .certain,
        cites: [.first(.processStarted), .diskOpenFailed],
        .at(0, started(in: old)), .at(5, ProcessExited(code: 0, exitReason: .returned)),
        .at(60, started(in: new), by: .nextLife), .at(61, failed("\(old)/Documents/a.mp4"), by: .nextLife)),
      RuleExample(
        "two lives ago, and only the path itself says whose directory it was", .certain,
        cites: [.first(.processStarted), .diskOpenFailed],
        .at(0, started(in: old)), .at(5, ProcessExited(code: 0, exitReason: .returned)),
        .at(60, started(in: "/containers/9"), by: .nextLife),
        .at(65, ProcessExited(code: 0, exitReason: .returned), by: .nextLife), .at(90, started(in: new), by: .laterLife),
        .at(91, failed("\(old)/Documents/a.mp4", container: nil), by: .laterLife)),
    ],
    staysSilent: [
      RuleExample("the file is in neither directory", steps: story(failed("\(old)/Documents/a.mp4", exists: false))),
      RuleExample("it may not be opened", steps: story(failed("\(old)/Documents/a.mp4", 13))),
      RuleExample("the directory has not moved", steps: story(failed("\(old)/Documents/a.mp4"), to: old)),
      RuleExample("a directory that was never the app's", steps: story(failed("/tmp/a.mp4", container: "/tmp", exists: true))),
      RuleExample("nobody looked below the present one", steps: story(failed("\(old)/Documents/a.mp4", exists: nil))),
      RuleExample(
        "another program's directory",
        .at(0, started(in: old)),
        .at(60, ProcessStarted(startReason: .user, executable: "extension", container: new), by: .appExtension),
        .at(61, failed("\(old)/Documents/a.mp4"), by: .appExtension)),
    ])

  static let watches: Set<EventKind> = [.diskOpenFailed]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    if let path = process.lostPaths.first(where: { $0.life != nil && $0.existsHere == true }), let life = path.life {
      let name = process.executable ?? "The app"
      let task = path.task.map { " for task \($0.text)" } ?? ""
      return .finding(
        Draft(
          summary: """
            \(name) looked for a file\(task) below the data directory of an earlier life; it is there below the present one.
            """,
          claim: .presence, evidence: path.fact, [life], tasks: path.task.map { [$0] } ?? []))
    }
    guard asked.isEndOfLog else { return process.endFact == nil ? nil : .silent }
    if process.lostPaths.contains(where: { $0.life != nil && $0.existsHere == nil }) {
      return .undecidable(needs: "whether the file is there below the present data directory")
    }
    if process.lostPaths.contains(where: { $0.existsHere == true && !$0.namesContainer }) {
      return .undecidable(needs: "which data directory the path begins with")
    }
    return .silent
  }
}
