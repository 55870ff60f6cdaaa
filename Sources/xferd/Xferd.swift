import ArgumentParser
import CXferPlatform
import Foundation
import XferEngine
import XferEvents
import XferLogStore
import XferService

/// The `xferd` command: the daemon that runs background sessions. Each user has one daemon, started by the first app that needs
/// it.
@main
struct Xferd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "xferd", abstract: "Run background transfers for apps, even while the apps are not running.",
    discussion: """
      The first app that creates a background session starts xferd. Start it directly to choose its directories:

        xferd --directory ~/.xferd --log ~/transfers.xlog
      """,
    version: LogConfiguration.libraryVersion)

  @Option(
    help: "Directory of the daemon's socket (default: $XFERD_DIR, else $XDG_RUNTIME_DIR/xferd).",
    completion: .directory)
  var directory: String?

  @Option(
    help: "Directory of the task database and downloads (default: $XDG_STATE_HOME/xferd, else ~/.local/state/xferd).",
    completion: .directory)
  var state: String?

  @Option(
    help: "Log directory to write to (default: $XFERLOG_DIR, else ${XDG_STATE_HOME:-~/.local/state}/xferlog/log.xlog).",
    completion: .directory)
  var log: String?

  func run() throws {
    umask(0o077)
    signal(SIGPIPE, SIG_IGN)
    // Each connection and transfer uses descriptors, and the default soft limit of a login session is too low, so the limit is
    // raised.
    xp_raise_descriptor_limit()
    var environment = ProcessInfo.processInfo.environment.withoutEmptyVariables
    if let directory { environment["XFERD_DIR"] = directory }
    let location = ServiceLocation(environment: environment, executable: CommandLine.arguments.first ?? "xferd")
    do {
      let listener = try ServiceListener(location, inherited: SocketActivation.socket(environment))
      // Before the log is opened: a refused daemon leaves no events that could be taken for those of a successor.
      // Two daemons with the same tasks would transfer each of them twice and overwrite each other's records.
      let state = stateDirectory(environment)
      let lock = try DirectoryLock(
        "\(state)/lock", in: state,
        refusal: "another xferd has its tasks in \(state). Use it, stop it, or choose another --state and --directory.")
      defer { withExtendedLifetime(lock) {} }
      // Follows the clock file before opening the log, because the previous daemon may have moved the simulated clock.
      _ = xp_clock_follow(location.clock, true)
      let segments = SegmentWatch()
      let log = try open(environment, segments)
      let service = try service(log, environment, location)
      segments.begin(service)
      TerminationSignals.handle([SIGTERM, SIGINT]) { _ in
        service.end(reason: "terminated")
        log.close()
        Foundation.exit(0)
      }
      listener.run(service)
    } catch let error as ServiceError where error.code == .alreadyServing {
      Self.printError("\(error)")
      throw ExitCode(ServiceLocation.alreadyServed)
    } catch let error as ServiceError {
      Self.printError("\(error)")
      throw ExitCode(71)
    } catch let error as LogError {
      Self.printError("\(error)")
      throw ExitCode(73)
    }
  }

  /// Opens the database and starts the service. An error is also logged, because users look in the log when the daemon does not
  /// start.
  private func service(_ log: EventLog, _ environment: [String: String], _ location: ServiceLocation) throws -> Service {
    do {
      let directory = log.directory
      let store = try ServiceStore(directory: stateDirectory(environment)) { EarlierDaemons.inventory(of: directory) }
      return try Service(store, sink: log, version: LogConfiguration.libraryVersion, clockFile: location.clock)
    } catch {
      log.emit(
        MessageFault(
          subsystem: "xferd", category: "store", eventMessage: "the daemon cannot start: \("\(error)", privacy: .public)"))
      log.close(exitCode: 71, reason: .exitCall)
      throw error
    }
  }

  private static func printError(_ text: String) { FileHandle.standardError.write(Data("xferd: \(text)\n".utf8)) }

  /// The maximum age of a log segment: one day. Each new segment begins with the list of current tasks.
  private static let segmentAge: Duration = .seconds(86_400)

  private func open(_ environment: [String: String], _ segments: SegmentWatch) throws(LogError) -> EventLog {
    let key = try MaskKey.load(stateDirectory: LogDirectory.stateDirectory(environment: environment))
    var configuration = LogConfiguration(role: .daemon, privacy: PrivacyPolicy(key: key), startReason: .command)
    configuration.segmentBegun = { segments.noteSegment() }
    let age = environment["XFERLOG_TEST_SEGMENT_AGE"].flatMap { Int64($0) }.map { Duration.milliseconds($0) }
    configuration.maximumSegmentAge = age ?? Self.segmentAge
    configuration.killHook = environment["XFERLOG_TEST_KILL"].flatMap(KillHook.init)
    return try EventLog(directory: log ?? LogDirectory.standard(environment: environment), configuration: configuration)
  }

  private func stateDirectory(_ environment: [String: String]) -> String {
    if let state { return state }
    return LogDirectory.parent(of: LogDirectory.stateDirectory(environment: environment)) + "/xferd"
  }
}
