import ArgumentParser
import CXferPlatform
import Foundation
import XferEngine
import XferEvents
import XferLogStore
import XferService

/// The daemon that carries background sessions: one for a user, started by the first app that needs it.
@main
struct Xferd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "xferd", abstract: "Carries background transfers out, for apps that may not be there.",
    version: LogConfiguration.libraryVersion)

  @Option(help: "The directory of the socket; $XFERD_DIR, else $XDG_RUNTIME_DIR/xferd.")
  var directory: String?

  @Option(help: "The directory of what must not be lost; $XDG_STATE_HOME/xferd, else ~/.local/state/xferd.")
  var state: String?

  @Option(help: "The log to write; $XFERLOG_DIR, else the standard one.")
  var log: String?

  func run() throws {
    umask(0o077)
    signal(SIGPIPE, SIG_IGN)
    // Each connection and each transfer takes some, and the soft limit of a login session is set for programs that use select.
    xp_raise_descriptor_limit()
    var environment = ProcessInfo.processInfo.environment
    if let directory { environment["XFERD_DIR"] = directory }
    let location = ServiceLocation(environment: environment, executable: CommandLine.arguments[0])
    do {
      let listener = try ServiceListener(location, inherited: SocketActivation.socket(environment))
      // Before the log: the daemon that was there may have moved the clocks.
      _ = xp_clock_follow(location.clock, true)
      let segments = SegmentWatch()
      let log = try open(environment, segments)
      let service = try service(log, environment, location)
      segments.begin(service)
      Signals.onTermination {
        service.end(reason: "terminated")
        log.close()
        Foundation.exit(0)
      }
      listener.run(service)
    } catch let error as ServiceError where error.code == .alreadyServing {
      Self.say("\(error)")
      throw ExitCode(75)
    } catch let error as ServiceError {
      Self.say("\(error)")
      throw ExitCode(71)
    } catch let error as LogError {
      Self.say("\(error)")
      throw ExitCode(73)
    }
  }

  /// - Throws: what the log says, too: whoever looks for a daemon that does not come looks there.
  private func service(_ log: EventLog, _ environment: [String: String], _ location: ServiceLocation) throws -> Service {
    do {
      let directory = log.directory
      let store = try ServiceStore(directory: stateDirectory(environment)) { EarlierDaemons.inventory(of: directory) }
      return try Service(store, sink: log, version: LogConfiguration.libraryVersion, clockFile: location.clock)
    } catch {
      log.emit(
        MessageFault(subsystem: "xferd", category: "store", eventMessage: "does not serve: \("\(error)", privacy: .public)"))
      log.close(exitCode: 71, reason: .exitCall)
      throw error
    }
  }

  private static func say(_ text: String) { FileHandle.standardError.write(Data("xferd: \(text)\n".utf8)) }

  /// A day: then the log goes on in another segment, which begins with the tasks that there are.
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
    let base = environment["XDG_STATE_HOME"] ?? "\(environment["HOME"] ?? "/")/.local/state"
    return "\(base)/xferd"
  }
}
