import XferEvents
import XferLifecycle
import XferReplay

/// The wall clock was set.
struct ClockJump: BootRule {
  private static let noon: Int64 = 1_780_000_000_000_000_000
  private static func sample(_ seconds: Int64, wall: Int64? = nil) -> ClockSampled {
    ClockSampled(
      wallClock: WallTime(nanoseconds: noon + (wall ?? seconds) * 1_000_000_000), boottimeClock: .seconds(seconds),
      sampleReason: .periodic)
  }

  static let description = RuleDescription(
    id: "clock-jump", severity: .warning,
    summary: "The wall clock went another way than time did: somebody, or the network, set it.",
    explanation: """
      Wall clocks are set: by the network after a start, by the user, by a virtual machine that is continued. Whatever is \
      computed from two readings of one, a time limit, the age of a stored answer, how long a connection was idle, is wrong \
      when it was set in between: connections that are seconds old are dropped, retries wait for hours, tokens expire early. \
      The clocks of a machine that only slept agree with each other. The variant says which way it went; what this log tells \
      by wall clock across that moment is to be read with care.
      """,
    remedy: """
      Measure durations with a monotonic clock, one that goes on in sleep for deadlines; keep the wall clock for what people \
      read and for dates that a server has given.
      """,
    sources: [
      "https://github.com/oxidezap/whatsapp-rust/pull/1379", "https://github.com/warmcat/libwebsockets/issues/274",
      "https://github.com/leynier/alera/pull/210",
    ],
    reports: [
      RuleExample(
        "set forward by an hour", .certain, variant: "forward", cites: [.number(2, .clockSampled), .last(.clockSampled)],
        .at(1, sample(1)), .at(61, sample(61)), .at(121, sample(121, wall: 3721))),
      RuleExample(
        "set back by three seconds", .certain, variant: "back", cites: [.first(.clockSampled), .number(2, .clockSampled)],
        .at(1, sample(1)), .at(61, sample(61, wall: 58)), .at(121, sample(121, wall: 118))),
    ],
    staysSilent: [
      RuleExample("the clocks agree", .at(1, sample(1)), .at(61, sample(61))),
      RuleExample("the machine slept for twelve hours", .at(1, sample(1)), .at(2, sample(43_201))),
      RuleExample("corrected by a second", .at(1, sample(1)), .at(61, sample(61, wall: 62))),
      RuleExample(
        "slowed down over a day, as the network's time asks for",
        .at(1, sample(1)), .at(86_401, sample(86_401, wall: 86_391))),
    ])

  static let watches: Set<EventKind> = [.clockSampled]

  /// Less is seldom worth a word.
  var tolerance: Duration = .seconds(2)

  static let limits = [RuleLimit("tolerance", \Self.tolerance, "by how much the wall clock may be set")]

  /// A system that sets its clock gently makes it go that much faster or slower at most.
  private static let gentlePartsPerMillion: Int64 = 500

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
    let gentle = Duration.nanoseconds(passed / 1_000_000 * Self.gentlePartsPerMillion)
    return max(step.size, .zero - step.size) > tolerance + gentle
  }
}
