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
    seconds.map { .at(.seconds($0), LogHeartbeatWritten(), by: process) }
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
        "no part for an hour", .probable, variant: "abandoned", cites: [.multipartStarted, .last(.multipartPartStored)],
        steps: [.at(0, started()), .at(10, part(1)), .at(20, part(2))] + heartbeats(1800, 3630)),
      RuleExample(
        "the app ended, and its next life knows nothing of it", .probable, variant: "abandoned",
        cites: [.multipartStarted, .multipartPartStored],
        steps: [
          .at(0, ProcessStarted(executable: "app")), .at(1, started()), .at(10, part(1)),
          .at(20, ProcessExited(code: 0, exitReason: .returned)), .at(100, ProcessStarted(executable: "app"), by: .nextLife),
        ] + heartbeats(1800, 3710, by: .nextLife)),
      RuleExample(
        "to be gone on with, and not for a week", .probable, variant: "too old",
        cites: [.multipartStarted, .multipartPartStored],
        steps: [.at(0, started(resumable: true)), .at(10, part(1))] + heartbeats(3630, week + 20)),
    ],
    staysSilent: [
      RuleExample("completed", steps: [.at(0, started()), .at(10, part(1)), .at(20, completed)] + heartbeats(3630)),
      RuleExample(
        "given up",
        steps: [.at(0, started()), .at(10, part(1)), .at(20, MultipartAborted(upload: upload))] + heartbeats(3630)),
      RuleExample("no part was stored", steps: [.at(0, started())] + heartbeats(3630)),
      RuleExample("to be gone on with later", steps: [.at(0, started(resumable: true)), .at(10, part(1))] + heartbeats(3630)),
      RuleExample(
        "a part is on its way",
        steps: [
          .at(0, started()), .at(10, part(1)), .at(11, TaskCreated(type: .upload)), .at(11, TaskResumed()),
          .at(12, AttemptStarted(attempt: 1)),
        ] + heartbeats(1800, 3630)),
      RuleExample(
        "the next life completed it",
        steps: [
          .at(0, ProcessStarted(executable: "app")), .at(1, started()), .at(10, part(1)),
          .at(20, ProcessExited(code: 0, exitReason: .returned)), .at(100, ProcessStarted(executable: "app"), by: .nextLife),
          .at(110, part(2), by: .nextLife), .at(120, completed, by: .nextLife),
        ] + heartbeats(3800, by: .nextLife)),
      RuleExample("the log ends within the hour", steps: [.at(0, started()), .at(10, part(1))] + heartbeats(3500)),
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
