import XferEvents
import XferLifecycle
import XferReplay

/// The run is not what users have.
struct NonRepresentativeRun: ProcessRule {
  static let description = RuleDescription(
    id: "non-representative-run", severity: .notice,
    summary: "The process ran under a debugger or in a simulator: much of what it does there it does nowhere else.",
    explanation: """
      A debugger keeps the app from being suspended and from being killed by the watchdog, and keeps logs that are not kept \
      otherwise; a simulator has no lock, no daemon of its own and no limits. What works there can fail on every device, and \
      what fails there may be nobody’s problem. Rules about suspension say nothing of such a life. The variant says which \
      it was.
      """,
    remedy: "Start the app from its icon, on a device, and read the log afterwards.",
    sources: ["https://developer.apple.com/forums/thread/14855", "https://github.com/aws-amplify/aws-sdk-ios/issues/769"],
    reports: [
      RuleExample(
        "started by the debugger", .certain, variant: "debugger", cites: [.processStarted],
        .at(0, ProcessStarted(debugger: true, executable: "app"))),
      RuleExample(
        "in a simulator", .certain, variant: "simulator", cites: [.processStarted],
        .at(0, ProcessStarted(simulator: true, executable: "app"))),
    ],
    staysSilent: [
      RuleExample("on a device", .at(0, ProcessStarted(debugger: false, simulator: false, executable: "app"))),
      RuleExample("nobody says", .at(0, ProcessStarted(executable: "app"))),
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
