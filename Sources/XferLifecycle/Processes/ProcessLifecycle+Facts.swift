package import XferEvents

// Read access to the facts.
extension ProcessLifecycle {
  package var launch: LaunchID? { facts.launch }
  package var boot: BootID? { facts.boot }
  package var pid: Int? { facts.pid }
  package var role: WriterRole? { facts.role }
  package var executable: String? { facts.executable }
  package var levels: LevelHistory { facts.levels }
  package var startReason: StartReason? { facts.startReason }
  package var hasDebugger: Bool { facts.hasDebugger }
  package var mainThreadContract: Bool { facts.mainThreadContract }
  package var isSynthetic: Bool { facts.isSynthetic }
  package var isSimulated: Bool { facts.isSimulated }
  package var version: String? { facts.version }
  package var osVersion: String? { facts.osVersion }
  package var startedInBackground: Bool? { facts.startedInBackground }
  package var isPrewarmed: Bool { facts.isPrewarmed }
  package var capabilities: String? { facts.capabilities }
  package var started: Fact? { facts.started }
  package var exited: Fact? { facts.exited }
  package var exitCode: Int? { facts.exitCode }
  package var exitReason: ExitReason? { facts.exitReason }
  package var exitObserved: Fact? { facts.exitObserved }
  package var exitSignal: Int? { facts.exitSignal }
  package var logClosed: Fact? { facts.logClosed }
  package var state: AppState? { facts.state }
  package var stateChanged: Fact? { facts.stateChanged }
  package var cameToFront: Fact? { facts.cameToFront }
  package var assertions: Set<CorrelationID> { facts.assertions }
  package var terminationAnnounced: Fact? { facts.terminationAnnounced }
  package var launchCause: Fact? { facts.launchCause }
  package var earlierLife: Int? { facts.earlierLife }
  package var place: WriterContext.Place? { facts.place }
  package var nextLife: Int? { facts.nextLife }
  package var link: LinkLife { facts.link }
  package var daemon: DaemonLife? { facts.daemon }
  package var work: WorkTrail { facts.work }
  package var silentProgress: SilentProgress? { facts.silentProgress }
  package var sessions: SessionTally { facts.sessions }
  package var container: RecordedText? { facts.container }
  package var openFiles: OpenFiles? { facts.openFiles }
  package var leftOvers: LeftOverFiles? { facts.leftOvers }
  package var lostPaths: [LostPath] { facts.lostPaths }
  package var log: LogTroubles { facts.log }
  package var spans: OpenSpans { facts.spans }
  package var firstSeen: Fact? { facts.firstSeen }
  package var coveredUntil: Int64 { facts.coveredUntil }
  package var coverage: ImportCoverage? { facts.coverage }
  package var verdicts: SystemVerdicts { facts.verdicts }
  package var suspension: Suspension? { facts.suspension }
  package var secrets: SecretTrail? { facts.secrets }
  package var isUnseen: Bool { facts.isUnseen }
}
