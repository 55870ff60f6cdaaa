import XferEvents
import XferLifecycle
import XferReplay

/// Reports a multipart upload whose parts stay on the server because it was neither completed nor aborted.
struct OrphanedMultipartUpload: MultipartRule {
  private static let upload = CorrelationID(0xAB)
  private static func started(resumable: Bool? = nil) -> MultipartStarted {
    MultipartStarted(upload: upload, resumable: resumable)
  }
  private static func part(_ number: Int) -> MultipartPartStored {
    MultipartPartStored(upload: upload, part: number, sent: 5_000_000)
  }
  private static let completed = MultipartCompleted(upload: upload)
  private static func heartbeats(_ seconds: Int..., by process: ExampleProcess = .app) -> [RuleExample.Step] {
    seconds.map { .at(.seconds($0), LogHeartbeatWritten(), by: process) }
  }
  /// The steps in which the app exits with an open upload and is launched again.
  private static let relaunched: [RuleExample.Step] = [
    .at(0, ProcessStarted(executable: "app")), .at(1, started()), .at(10, part(1)),
    .at(20, ProcessExited(code: 0, exitReason: .returned)), .at(100, ProcessStarted(executable: "app"), by: .nextLife),
  ]

  static let description = RuleDescription(
    id: "orphaned-multipart-upload", severity: .warning,
    summary: "A multipart upload was neither completed nor aborted; its parts remain on the server.",
    explanation: """
      An object store keeps the parts of a multipart upload until a client completes or aborts the upload. A client that fails \
      or terminates in between, and then starts another upload, leaves the parts behind: they are billed, but a listing of the \
      stored objects does not show them (ListMultipartUploads does). The variant is "abandoned" when no part was stored for an \
      hour and no upload task of the app is in flight. It is "too old" when the app recorded that it would continue the \
      multipart upload in a later launch (resumable) but did not within a week.
      """,
    remedy: """
      Abort the upload (AbortMultipartUpload) on every path that gives it up, and at launch abort the ones that your journal \
      still lists. Configure a lifecycle rule in the store that removes incomplete uploads after some days.
      """,
    sources: [
      "https://hub.pointfive.co/inefficiencies/missing-s3-lifecycle-policy-for-incomplete-multipart-uploads",
      "https://qsok.com/display/KB/Check+incomplete+multipart+uploads+if+AWS+S3+storage+size+is+abnormally+big+huge+compared+to+the+origin+storage",
    ],
    reports: [
      RuleExample(
        "no part was stored for an hour", .probable, variant: "abandoned",
        cites: [.multipartStarted, .last(.multipartPartStored)],
        steps: [.at(0, started()), .at(10, part(1)), .at(20, part(2))] + heartbeats(1800, 3630)),
      RuleExample(
        "the app exited, and the next launch did not continue it", .probable, variant: "abandoned",
        cites: [.multipartStarted, .multipartPartStored], steps: relaunched + heartbeats(1800, 3710, by: .nextLife)),
      RuleExample(
        "a resumable upload was not continued for a week", .probable, variant: "too old",
        cites: [.multipartStarted, .multipartPartStored],
        steps: [.at(0, started(resumable: true)), .at(10, part(1))] + heartbeats(3630, 604_820)),
    ],
    staysSilent: [
      RuleExample(
        "the upload was completed", steps: [.at(0, started()), .at(10, part(1)), .at(20, completed)] + heartbeats(3630)),
      RuleExample(
        "the upload was aborted",
        steps: [.at(0, started()), .at(10, part(1)), .at(20, MultipartAborted(upload: upload))] + heartbeats(3630)),
      RuleExample("no part was stored at all", steps: [.at(0, started())] + heartbeats(3630)),
      RuleExample(
        "a resumable upload was not continued for an hour",
        steps: [.at(0, started(resumable: true)), .at(10, part(1))] + heartbeats(3630)),
      RuleExample(
        "another part is in flight",
        steps: [
          .at(0, started()), .at(10, part(1)), .at(11, TaskCreated(type: .upload)), .at(11, TaskResumed()),
          .at(12, AttemptStarted(attempt: 1)),
        ] + heartbeats(1800, 3630)),
      RuleExample(
        "the next launch completed the upload",
        steps: relaunched + [.at(110, part(2), by: .nextLife), .at(120, completed, by: .nextLife)]
          + heartbeats(3800, by: .nextLife)),
      RuleExample("the log ends within the hour", steps: [.at(0, started()), .at(10, part(1))] + heartbeats(3500)),
    ])

  static let watches: Set<EventKind> = [.multipartStarted, .multipartPartStored, .processStarted]

  /// The longest time without a new part while no upload task is in flight.
  var patience: Duration = .seconds(3600)
  /// The longest time that a resumable upload may pause.
  var expiry: Duration = .seconds(7 * 86_400)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long no part may be stored while no upload is in flight"),
    RuleLimit("expiry", \Self.expiry, "how long a resumable upload may pause"),
  ]

  func verdict(on upload: MultipartLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard upload.isOpen else { return .silent }
    guard let started = upload.started ?? upload.firstPart, let last = upload.lastPart else {
      return asked.isEndOfLog ? .silent : nil
    }
    let process = world.processes[upload.process]
    // If the process started after the last part was stored, the time limit begins at the start of the process.
    let since = process.started.flatMap { last.duration(to: $0) ?? .zero > .zero ? $0 : nil } ?? last
    let limit = upload.isResumable ? expiry : patience
    let covered = asked.covered(since: since, by: process)
    guard covered >= limit else { return asked.isEndOfLog ? nil : .wait(limit, after: since) }
    let isBusy = world.tasks.indexes(ofProcess: upload.process).contains { place in
      world.tasks[place].type == .upload && world.tasks[place].isLive && world.tasks[place].resumed != nil
    }
    if isBusy, !upload.isResumable { return asked.isEndOfLog ? nil : .wait(covered + limit, after: since) }
    let due = since.due(within: limit)
    let start = since == last ? "its last part was stored" : "the app was launched again"
    return .finding(
      Draft(
        variant: upload.isResumable ? "too old" : "abandoned",
        summary: """
          A multipart upload has \(upload.parts.counted("part")) on the server and was neither \
          completed nor aborted within \(limit.inSeconds) after \(start).
          """,
        claim: .absence(since: since, shownBy: .coverage), evidence: started, [last],
        missing: [
          .init(.multipartCompleted, dueBy: due), .init(.multipartAborted, dueBy: due),
        ],
        unless: ["a lifecycle rule of the store removes incomplete uploads"]))
  }
}
