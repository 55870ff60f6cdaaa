import XferEvents
import XferLifecycle
import XferReplay

/// The app was launched in the background repeatedly in a short time.
struct RelaunchStorm: WakeRule {
  /// The steps of `count` launches, one after another.
  private static func launches(_ count: Int, every interval: Duration) -> [RuleExample.Step] {
    (1...count).flatMap { number -> [RuleExample.Step] in
      let (session, handler, time) = ("com.example.img", HandlerID(UInt64(number)), interval * number)
      let launched = WakeLaunched(session: session, handler: handler, executable: "app", wakeCause: .completion)
      return [
        .at(time, WakeWanted(session: session, handler: handler, wakeCause: .completion, pending: 1), by: .daemon),
        .at(time + .seconds(1), launched, by: .daemon),
      ]
    }
  }

  static let description = RuleDescription(
    id: "relaunch-storm", severity: .warning,
    summary: "The app was launched in the background more than six times within an hour.",
    explanation: """
      Each launch costs power and time, and the system increases the delay between launches. An app that receives one \
      completion per launch, and then creates the next task, slows down with every file: forty files take a minute in the \
      foreground and hours in the background.
      """,
    remedy: """
      Create all tasks at once and let the system carry them; it wakes the app when all are complete. Combine many small files \
      into one transfer.
      """,
    sources: ["https://developer.apple.com/forums/thread/14854", "https://github.com/seethroughlab/familiar/pull/317"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "seven launches in seven minutes", .certain, cites: [.first(.wakeLaunched), .last(.wakeLaunched)],
        steps: launches(7, every: .seconds(60)) + [.at(900, LogClosed(), by: .daemon)]),
      RuleExample(
        "nine launches in nine minutes", .certain, cites: [.first(.wakeLaunched), .number(7, .wakeLaunched)],
        steps: launches(9, every: .seconds(60)) + [.at(900, LogClosed(), by: .daemon)]),
    ],
    staysSilent: [
      RuleExample("six launches in six minutes", steps: launches(6, every: .seconds(60))),
      RuleExample("ten launches, one every fifteen minutes", steps: launches(10, every: .seconds(900))),
      RuleExample(
        "the user had the app in the foreground between the launches",
        steps: (launches(9, every: .seconds(60)) + [
          .at(330, ProcessStarted(startReason: .user, executable: "app")),
          .at(331, ProcessStateChanged(state: .foreground)),
        ]).sorted { $0.offset < $1.offset }),
    ])

  static let watches: Set<EventKind> = [.wakeLaunched]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let launched = wake.launched else { return asked.isEndOfLog ? .silent : nil }
    guard let storm = wake.storm else { return .silent }
    return .finding(
      Draft(
        summary: Self.summary(storm),
        claim: .presence, evidence: launched, [storm.first]))
  }

  private static func summary(_ storm: WakeLifecycle.Storm) -> String {
    "The app was launched \(storm.count) times within an hour for its background sessions."
  }

  func finalSummary(of finding: Finding, about place: Int, in world: World) -> String? {
    world.wakes[place].storm.map(Self.summary)
  }
}
