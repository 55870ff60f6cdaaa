import LogTestSupport
import Testing
import XferEvents
import XferLifecycle

@testable import XferDiagnosis
@testable import XferQuery
@testable import XferReplay

/// Tests that the logs of two installations are never joined, and that those of two boots of one installation are.
struct InstallationTests {
  private static let one = InstallationID(high: 1, low: 1)
  private static let other = InstallationID(high: 2, low: 2)

  /// Returns the findings as text, without their places in lists.
  private static func text(_ findings: [Finding]) -> [String] {
    findings.map { finding in
      let root = finding.causedBy.map { findings[$0].rule }
      return """
        \(finding.rule) \(finding.variant ?? "") \(finding.certainty) \(finding.summary) \(finding.lowered) \(root ?? "") \
        \(finding.evidence.map { "\($0.kind.name) \($0.monotonic ?? 0)" }) \(finding.missing)
        """
    }.sorted()
  }

  /// Merges two logs by the monotonic clock, as a reader does if both were written in one boot.
  private static func merged(_ one: [LogMember], _ other: [LogMember]) -> [LogMember] {
    func time(_ member: LogMember) -> Int64 {
      switch member {
      case .event(let event): event.monotonic ?? 0
      case .gap(let gap): gap.after?.monotonic ?? 0
      }
    }
    var (rest, others, merged) = (one[...], other[...], [LogMember]())
    while let first = rest.first, let second = others.first {
      merged.append(time(first) <= time(second) ? rest.removeFirst() : others.removeFirst())
    }
    return merged + rest + others
  }

  private static func diagnosed(_ members: [LogMember]) throws -> JointDiagnosis {
    var diagnosis = JointDiagnosis()
    var batch = EventBatch()
    for member in members { batch.append(member) }
    try diagnosis.apply(batch)
    diagnosis.finish()
    return diagnosis
  }

  /// Every example has the same sessions, task numbers, process ids, programs and even identifiers in both logs.
  @Test(arguments: RuleCatalogue.descriptions)
  func `Two installations with equal histories have the findings of each, once for each`(_ rule: RuleDescription) throws {
    for example in rule.reports + rule.staysSilent where example.steps.count <= 200 {
      let alone = try Self.diagnosed(example.members(installation: Self.one))
      let both = try Self.diagnosed(
        Self.merged(
          example.members(installation: Self.one),
          example.members(installation: Self.other, firstIndex: ExampleProcess.allCases.count)))
      #expect(Self.text(both.findings) == (Self.text(alone.findings) + Self.text(alone.findings)).sorted(), "\(example.name)")
      #expect(both.processes.count == 2 * alone.processes.count, "\(example.name)")
      #expect(both.incompleteness.isEmpty == alone.incompleteness.isEmpty, "\(example.name)")
    }
  }

  @Test(arguments: RuleCatalogue.descriptions)
  func `An example read with the log of another installation has the findings of both`(_ rule: RuleDescription) throws {
    let all = RuleCatalogue.descriptions
    let place = all.firstIndex { $0.id == rule.id } ?? 0
    let neighbour = all[(place + 1) % all.count]
    guard let example = rule.reports.first, let second = neighbour.reports.first else { return }
    let separate = try [example, second].flatMap { try Self.text(Self.diagnosed($0.members(installation: Self.one)).findings) }
    let both = try Self.diagnosed(
      Self.merged(
        example.members(installation: Self.one),
        second.members(installation: Self.other, firstIndex: ExampleProcess.allCases.count)))
    #expect(Self.text(both.findings) == separate.sorted())
  }

  @Test func `Stepping through two installations lists the entities of each`() {
    let example = RuleCatalogue.descriptions.first { $0.id == "lost-completion" }!.reports[0]
    var (alone, both) = (SteppingReplay(), SteppingReplay())
    for member in example.members(installation: Self.one) { alone.apply(member) }
    let members = Self.merged(
      example.members(installation: Self.one),
      example.members(installation: Self.other, firstIndex: ExampleProcess.allCases.count))
    for member in members { both.apply(member) }
    for kind in StateDocument.Kind.allCases {
      #expect(both.state[kind].count == 2 * alone.state[kind].count, "\(kind)")
      #expect(Set(both.state[kind].map(\.id)).count == both.state[kind].count, "\(kind): identifiers are unique")
    }
  }

  // MARK: Boots

  /// A background download that one boot begins and the next one finishes. The second boot's clock starts again from zero.
  private static func acrossBoots(installation: InstallationID?) -> [LogMember] {
    let task = TaskIdentity(uid: TaskUID(high: 7, low: 7), session: "com.example.maps", number: 1)
    let wall: Int64 = 1_780_000_000_000_000_000
    var members: [LogMember] = []
    func write(
      _ archive: EventArchive, _ boot: Int64, _ seconds: Double, _ events: any TransferEvent...
    ) {
      let time = Int64(seconds * 1e9)
      // The first boot has run for a day, and the second one starts an hour after the first one's last event.
      let monotonic = boot == 1 ? 86_400_000_000_000 + time : time
      let moment = Moment(
        monotonic: monotonic, boottime: monotonic,
        wall: WallTime(nanoseconds: wall + time + (boot == 1 ? 0 : 3_600_000_000_000)))
      for event in events { members.append(.event(History.record(event, in: archive, at: moment, lane: 1))) }
    }
    func archive(_ index: Int, _ boot: UInt64, _ role: WriterRole, _ name: String) -> EventArchive {
      EventArchive(
        number: UInt32(index + 1), name: "\(index + 1).seg",
        writer: WriterContext(
          launch: LaunchID(high: 9, low: UInt64(index)), boot: BootID(high: boot, low: 1), pid: 100 + index, role: role,
          executable: name, captureMode: .full, lowestLevel: .debug, installation: installation), index: index)
    }
    let (app, daemon) = (archive(0, 1, .app, "maps"), archive(1, 1, .daemon, "xferd"))
    let session = SessionCreated(session: task.session, instance: CorrelationID(1), sessionKind: .background)
    write(app, 1, 0, ProcessStarted(startReason: .user, executable: "maps"), session)
    write(daemon, 1, 0.5, DaemonStarted(generation: 1))
    write(app, 1, 1, TaskCreated(task: task, type: .download, method: "GET", scheme: "https", host: "example.com", path: "/a"))
    write(app, 1, 1.1, TaskResumed(task: task, by: .app))
    write(daemon, 1, 2, AttemptStarted(task: task, attempt: 1))
    let (second, later) = (archive(2, 2, .daemon, "xferd"), archive(3, 2, .app, "maps"))
    write(
      second, 2, 20, ProcessExitObserved(launch: LaunchID(high: 9, low: 1), exitReason: .rebooted, by: .engine),
      ProcessExitObserved(launch: LaunchID(high: 9, low: 0), exitReason: .rebooted, by: .engine),
      DaemonStarted(generation: 2), DaemonRecovered(generation: 2, count: 1, tasks: [task]))
    write(second, 2, 21, AttemptStarted(task: task, attempt: 2))
    write(second, 2, 22, AttemptResponseReceived(task: task, attempt: 2, status: 200, expected: 10))
    write(second, 2, 23, AttemptEnded(task: task, attempt: 2, end: .finished, received: 10))
    write(second, 2, 23.1, TaskTransferred(task: task, received: 10, status: 200))
    write(later, 2, 30, ProcessStarted(startReason: .user, executable: "maps"), session)
    write(later, 2, 30.1, TaskAdopted(task: task))
    write(second, 2, 30.2, DeliverySent(task: task, delivery: DeliveryID(1), callback: .didComplete))
    write(
      later, 2, 30.3, DeliveryReceived(task: task, delivery: DeliveryID(1), callback: .didComplete),
      DeliveryEntered(task: task, delivery: DeliveryID(1), callback: .didComplete),
      DeliveryLeft(task: task, delivery: DeliveryID(1), callback: .didComplete),
      TaskCompleted(task: task, received: 10, status: 200))
    write(second, 2, 30.4, TaskAcknowledged(task: task))
    write(later, 2, 200, LogHeartbeatWritten())
    return members
  }

  @Test func `Two boots of one installation are joined by the task's uid`() throws {
    let diagnosis = try Self.diagnosed(Self.acrossBoots(installation: Self.one))
    #expect(diagnosis.parts.count == 1)
    let tasks = diagnosis.parts[0].world.tasks
    #expect(tasks.seen == 1)
    #expect(tasks.indexes.map { tasks[$0].result } == [.succeeded])
    #expect(diagnosis.findings.filter { $0.certainty == .certain }.map(\.summary) == [])
  }

  @Test func `Durations across boots are taken from the wall clock`() throws {
    let diagnosis = try Self.diagnosed(Self.acrossBoots(installation: Self.one))
    let world = diagnosis.parts[0].world
    let task = world.tasks[try #require(world.tasks.indexes.first)]
    let (created, completed) = (try #require(task.created), try #require(task.completed))
    #expect(created.duration(to: completed) == .milliseconds(3_629_300))
    let app = try #require(world.processes.last { $0.role == .app })
    #expect(app.runningTime(since: created) == .seconds(170), "no longer than the log of the second boot")
    #expect(!app.isCovered(after: created))
  }

  @Test func `Boots of two machines that name no installation are not joined`() throws {
    let diagnosis = try Self.diagnosed(Self.acrossBoots(installation: nil))
    #expect(diagnosis.parts.count == 2)
  }
}
