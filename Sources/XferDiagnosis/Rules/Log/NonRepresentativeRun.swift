import XferEvents
import XferLifecycle
import XferReplay

/// A process that ran under a debugger or in a simulator.
struct NonRepresentativeRun: ProcessRule {
  static let description = RuleDescription(
    id: "non-representative-run", severity: .notice,
    summary: "The process ran under a debugger or in a simulator, where it behaves differently from an app on a user's device.",
    explanation: """
      A debugger prevents the app from being suspended and from being killed by the watchdog, and stores messages that are \
      otherwise not stored; a simulator has no device lock, no daemon of its own and no resource limits. An app that works \
      there may fail on every device, and a failure there may not affect any user. Rules about suspension do not judge such a \
      run. The variant is "debugger" or "simulator".
      """,
    remedy: "Launch the app from its icon on a device, and read the log afterwards.",
    sources: ["https://developer.apple.com/forums/thread/14855", "https://github.com/aws-amplify/aws-sdk-ios/issues/769"],
    isStatedByEvents: true,
    reports: [
      RuleExample(
        "the debugger started the process", .certain, variant: "debugger", cites: [.processStarted],
        .at(0, ProcessStarted(debugger: true, executable: "app"))),
      RuleExample(
        "the process ran in a simulator", .certain, variant: "simulator", cites: [.processStarted],
        .at(0, ProcessStarted(simulator: true, executable: "app"))),
    ],
    staysSilent: [
      RuleExample("the process ran on a device", .at(0, ProcessStarted(debugger: false, simulator: false, executable: "app"))),
      RuleExample("the log does not say how the process ran", .at(0, ProcessStarted(executable: "app"))),
    ])

  static let watches: Set<EventKind> = [.processStarted]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let started = process.started else { return process.endFact == nil && !asked.isEndOfLog ? nil : .silent }
    guard process.hasDebugger || process.isSimulated else { return .silent }
    let name = process.executable ?? "A process"
    return .finding(
      Draft(
        variant: process.hasDebugger ? "debugger" : "simulator",
        summary: process.hasDebugger ? "\(name) ran under a debugger." : "\(name) ran in a simulator or a test.",
        claim: .presence, evidence: started))
  }
}
