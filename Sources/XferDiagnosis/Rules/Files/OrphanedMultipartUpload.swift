import XferEvents
import XferLifecycle
import XferReplay

/// Parts of an upload lie at the server, and nobody makes them one or gives them up.
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
    seconds.map { .event(LogHeartbeatWritten(), at: .seconds($0), by: process) }
  }
  private static let week = 7 * 86_400

  static let description = RuleDescription(
    id: "orphaned-multipart-upload", severity: .warning,
    summary: "An upload in parts was neither completed nor given up, and its parts stay at the server.",
    explanation: """
      An object store keeps the parts of an upload until it is told to join them or to forget them. A client that fails in \
      between, or is ended, and begins anew with another upload leaves them behind: they are in no listing and on every bill. \
      The variant is "abandoned" when no part has come for an hour and no upload of the app is under way, and "too old" for \
      one that the app means to go on with later and has not for a week.
      """,
    remedy: """
      Abort the upload on every path that gives it up, and at the next launch the ones that your journal still has. Have the \
      store remove incomplete uploads after some days by a rule of its own.
      """,
    sources: [
      "https://hub.pointfive.co/inefficiencies/missing-s3-lifecycle-policy-for-incomplete-multipart-uploads",
      "https://qsok.com/display/KB/Check+incomplete+multipart+uploads+if+AWS+S3+storage+size+is+abnormally+big+huge+compared+to+the+origin+storage",
    ],
    reports: [
      RuleExample(
        "no part for an hour", certainty: .probable, variant: "abandoned",
        steps: [
          .evidence(started(), at: .zero), .event(part(1), at: .seconds(10)), .evidence(part(2), at: .seconds(20)),
        ] + heartbeats(1800, 3630)),
      RuleExample(
        "the app ended, and its next life knows nothing of it", certainty: .probable, variant: "abandoned",
        steps: [
          .event(ProcessStarted(executable: "app"), at: .zero), .evidence(started(), at: .seconds(1)),
          .evidence(part(1), at: .seconds(10)), .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(20)),
          .event(ProcessStarted(executable: "app"), at: .seconds(100), by: .nextLife),
        ] + heartbeats(1800, 3710, by: .nextLife)),
      RuleExample(
        "to be gone on with, and not for a week", certainty: .probable, variant: "too old",
        steps: [.evidence(started(resumable: true), at: .zero), .evidence(part(1), at: .seconds(10))]
          + heartbeats(3630, week + 20)),
    ],
    staysSilent: [
      RuleExample(
        "completed",
        steps: [
          .event(started(), at: .zero), .event(part(1), at: .seconds(10)), .event(completed, at: .seconds(20)),
        ] + heartbeats(3630)),
      RuleExample(
        "given up",
        steps: [
          .event(started(), at: .zero), .event(part(1), at: .seconds(10)),
          .event(MultipartAborted(upload: upload), at: .seconds(20)),
        ] + heartbeats(3630)),
      RuleExample("no part was stored", steps: [.event(started(), at: .zero)] + heartbeats(3630)),
      RuleExample(
        "to be gone on with later",
        steps: [.event(started(resumable: true), at: .zero), .event(part(1), at: .seconds(10))] + heartbeats(3630)),
      RuleExample(
        "a part is on its way",
        steps: [
          .event(started(), at: .zero), .event(part(1), at: .seconds(10)),
          .event(TaskCreated(task: .example, type: .upload), at: .seconds(11)),
          .event(TaskResumed(task: .example), at: .seconds(11)),
          .event(AttemptStarted(task: .example, attempt: 1), at: .seconds(12)),
        ] + heartbeats(1800, 3630)),
      RuleExample(
        "the next life completed it",
        steps: [
          .event(ProcessStarted(executable: "app"), at: .zero), .event(started(), at: .seconds(1)),
          .event(part(1), at: .seconds(10)), .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(20)),
          .event(ProcessStarted(executable: "app"), at: .seconds(100), by: .nextLife),
          .event(part(2), at: .seconds(110), by: .nextLife), .event(completed, at: .seconds(120), by: .nextLife),
        ] + heartbeats(3800, by: .nextLife)),
      RuleExample(
        "the log ends within the hour",
        steps: [.event(started(), at: .zero), .event(part(1), at: .seconds(10))] + heartbeats(3500)),
    ])

  static let watches: Set<EventKind> = [.multipartStarted, .multipartPartStored, .processStarted]

  /// Who is still at it stores a part now and then.
  var patience: Duration = .seconds(3600)
  /// What is not gone on with in so much time will not be.
  var expiry: Duration = .seconds(7 * 86_400)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long no part may come while no upload is under way"),
    RuleLimit("expiry", \Self.expiry, "how long an upload may rest that the app means to go on with"),
  ]

  func verdict(on upload: MultipartLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard upload.isOpen else { return .silent }
    guard let started = upload.started ?? upload.firstPart, let last = upload.lastPart else {
      return asked.isEndOfLog ? .silent : nil
    }
    let process = world.processes[upload.process]
    // A life that began later has had its time since then.
    let since = process.started.flatMap { last.duration(to: $0) ?? .zero > .zero ? $0 : nil } ?? last
    let limit = upload.isResumable ? expiry : patience
    let covered = asked.covered(since: since, by: process)
    guard covered >= limit else { return asked.isEndOfLog ? nil : .wait(limit, after: since) }
    let isBusy = world.tasks.indexes(ofProcess: upload.process).contains { place in
      world.tasks[place].type == .upload && world.tasks[place].isLive && world.tasks[place].resumed != nil
    }
    if isBusy, !upload.isResumable { return asked.isEndOfLog ? nil : .wait(covered + limit, after: since) }
    let due = since.due(within: limit)
    return .finding(
      Draft(
        variant: upload.isResumable ? "too old" : "abandoned",
        summary: """
          An upload in parts has \(upload.parts) \(upload.parts == 1 ? "part" : "parts") at the server, and was neither \
          completed nor given up in \(limit.inSeconds).
          """,
        claim: .absence(since: since, shownBy: .coverage), evidence: started, [last],
        missing: [
          .init(.multipartCompleted, dueBy: due), .init(.multipartAborted, dueBy: due),
        ],
        unless: ["the store removes incomplete uploads by a rule of its own"]))
  }
}
