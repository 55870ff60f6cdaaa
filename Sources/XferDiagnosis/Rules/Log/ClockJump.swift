import XferEvents
import XferLifecycle
import XferReplay

/// A wall clock that was set.
struct ClockJump: BootRule {
  private static let noon: Int64 = 1_780_000_000_000_000_000
  /// A step in which both clocks are read. If `wall` is not `nil`, the wall clock differs from the time that has passed.
  private static func sample(at seconds: Int64, wall: Int64? = nil, logged time: Double? = nil) -> RuleExample.Step {
    .at(
      time ?? Double(seconds),
      ClockSampled(
        wallClock: WallTime(nanoseconds: noon + (wall ?? seconds) * 1_000_000_000), boottimeClock: .seconds(seconds),
        sampleReason: .periodic))
  }

  static let description = RuleDescription(
    id: "clock-jump", severity: .warning,
    summary: "The wall clock was set: it advanced by more or less than the time that passed.",
    explanation: """
      Wall clocks are set by the network after a start, by the user, or when a virtual machine is resumed. A duration that is \
      computed from two wall-clock readings, such as a timeout, the age of a cached response or the idle time of a connection, \
      is wrong if the clock was set in between: connections that are seconds old are closed, retries wait for hours, tokens \
      expire early. The rule compares the wall clock with the clock that counts the time since the machine started, including \
      sleep, so sleep alone is not reported. The variant says in which direction the clock was set. Wall-clock times in this \
      log are unreliable across that moment.
      """,
    remedy: """
      Measure durations with a monotonic clock, and deadlines with one that continues during sleep. Use the wall clock only \
      for display and for dates from a server.
      """,
    sources: [
      "https://github.com/oxidezap/whatsapp-rust/pull/1379", "https://github.com/warmcat/libwebsockets/issues/274",
      "https://github.com/leynier/alera/pull/210",
    ],
    untriggerable: "A program would have to set the wall clock of the machine on which other programs run.",
    reports: [
      RuleExample(
        "the clock was set forward by an hour", .certain, variant: "forward",
        cites: [.number(2, .clockSampled), .last(.clockSampled)],
        sample(at: 1), sample(at: 61), sample(at: 121, wall: 3721)),
      RuleExample(
        "the clock was set back by three seconds", .certain, variant: "back",
        cites: [.first(.clockSampled), .number(2, .clockSampled)],
        sample(at: 1), sample(at: 61, wall: 58), sample(at: 121, wall: 118)),
    ],
    staysSilent: [
      RuleExample("the clocks agree", sample(at: 1), sample(at: 61)),
      RuleExample("the machine slept for twelve hours", sample(at: 1), sample(at: 43_201, logged: 2)),
      RuleExample("the clock was corrected by a second", sample(at: 1), sample(at: 61, wall: 62)),
      RuleExample("time synchronization slowed the clock down over a day", sample(at: 1), sample(at: 86_401, wall: 86_391)),
    ])

  static let watches: Set<EventKind> = [.clockSampled]

  /// The largest step of the wall clock that is not reported.
  var tolerance: Duration = .seconds(2)

  static let limits = [RuleLimit("tolerance", \Self.tolerance, "the largest step of the wall clock that is not reported")]

  /// The maximum rate at which systems speed up or slow down a clock to correct it gradually, in parts per million.
  private static let maximumSlewRate: Int64 = 500

  func verdict(on boot: BootLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let step = boot.steps.first(where: exceeds) else { return asked.isEndOfLog ? .silent : nil }
    let isForward = step.size > .zero
    let size = isForward ? step.size : .zero - step.size
    return .finding(
      Draft(
        variant: isForward ? "forward" : "back",
        summary: "The wall clock was set \(isForward ? "forward" : "back") by \(size.inSeconds).",
        claim: .presence, evidence: step.before.fact, [step.after.fact]))
  }

  private func exceeds(_ step: BootLifecycle.Step) -> Bool {
    let passed = (step.after.boottime - step.before.boottime).nanoseconds
    let slewed = Duration.nanoseconds(passed / 1_000_000 * Self.maximumSlewRate)
    return max(step.size, .zero - step.size) > tolerance + slewed
  }
}
