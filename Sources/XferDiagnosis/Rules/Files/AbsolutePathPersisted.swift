import XferEvents
import XferLifecycle
import XferReplay

/// Reports an app that opens a file below the data directory of an earlier launch.
struct AbsolutePathPersisted: ProcessRule {
  private static let old = "/containers/0A1B"
  private static let new = "/containers/2C3D"

  private static func started(in container: String) -> ProcessStarted {
    ProcessStarted(startReason: .user, executable: "app", container: container)
  }

  private static func failed(
    _ file: String = "\(old)/Documents/a.mp4", _ error: Int = 2, container: String? = old, exists: Bool? = true
  ) -> DiskOpenFailed {
    DiskOpenFailed(file: file, osError: error, container: container, exists: exists)
  }

  /// The steps of an example: the app is launched twice, and the second launch cannot open a file.
  private static func story(_ opening: DiskOpenFailed = failed(), in container: String = new) -> [RuleExample.Step] {
    [
      .at(0, started(in: old)), .at(5, ProcessExited(code: 0, exitReason: .returned)),
      .at(60, started(in: container), by: .nextLife), .at(61, opening, by: .nextLife),
    ]
  }

  static let description = RuleDescription(
    id: "absolute-path-persisted", severity: .error,
    summary: "The app stored an absolute path, and its data directory has moved since.",
    explanation: """
      The system names an app's data directory differently after each installation, and possibly after an update. \
      An absolute path that the app stored (in its own records, or inside resume data) then leads into the old directory, \
      while the file has the same relative path below the new one. The log shows this as a file that could not be opened \
      below the directory of an earlier launch and that exists below the current directory.
      """,
    remedy: """
      Store paths relative to the data directory, or store bookmarks, and build the absolute path when you open the file. \
      After an installation, discard resume data whose temporary file lies in the data directory.
      """,
    sources: [
      "https://developer.apple.com/forums/thread/14855", "https://github.com/Heikowi/HWIFileDownload/issues/11",
      "https://github.com/12207480/TYDownloadManager/issues/3",
    ],
    reports: [
      RuleExample(
        "the app was reinstalled, and the path leads into the old directory", .certain,
        cites: [.first(.processStarted), .diskOpenFailed], steps: story()),
      RuleExample(
        "the path leads into the directory of two launches ago, and the event does not name that directory", .certain,
        cites: [.first(.processStarted), .diskOpenFailed],
        .at(0, started(in: old)), .at(5, ProcessExited(code: 0, exitReason: .returned)),
        .at(60, started(in: "/containers/9"), by: .nextLife),
        .at(65, ProcessExited(code: 0, exitReason: .returned), by: .nextLife),
        .at(90, started(in: new), by: .laterLife), .at(91, failed(container: nil), by: .laterLife)),
    ],
    staysSilent: [
      RuleExample("the file exists in neither directory", steps: story(failed(exists: false))),
      RuleExample("permission to open the file was denied", steps: story(failed("\(old)/Documents/a.mp4", 13))),
      RuleExample("the directory has not moved", steps: story(in: old)),
      RuleExample("the directory never belonged to the app", steps: story(failed("/tmp/a.mp4", container: "/tmp"))),
      RuleExample("the current directory was not checked", steps: story(failed(exists: nil))),
      RuleExample(
        "the old directory belongs to another program",
        .at(0, started(in: old)),
        .at(60, ProcessStarted(startReason: .user, executable: "extension", container: new), by: .appExtension),
        .at(61, failed(), by: .appExtension)),
    ])

  static let watches: Set<EventKind> = [.diskOpenFailed]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    if let path = process.lostPaths.first(where: { $0.life != nil && $0.existsHere == true }), let life = path.life {
      let name = process.executable ?? "The app"
      let task = path.task.map { " for task \($0.label)" } ?? ""
      return .finding(
        Draft(
          summary: """
            \(name) looked for a file\(task) below the data directory of an earlier launch; the file exists below the current one.
            """,
          claim: .presence, evidence: path.fact, [life], tasks: path.task.map { [$0] } ?? []))
    }
    guard asked.isEndOfLog else { return process.endFact == nil ? nil : .silent }
    if process.lostPaths.contains(where: { $0.life != nil && $0.existsHere == nil }) {
      return .undecidable(needs: "whether the file exists below the current data directory")
    }
    if process.lostPaths.contains(where: { $0.existsHere == true && !$0.namesContainer }) {
      return .undecidable(needs: "the data directory that the path begins with")
    }
    return .silent
  }
}
