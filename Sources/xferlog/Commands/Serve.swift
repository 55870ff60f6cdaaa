import ArgumentParser
import XferReading
import XferReport
import XferServing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

struct Serve: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Show the report of a log in a browser, and keep it up to date.",
    discussion: """
      Prints the address of the report and serves it until Ctrl-C. When programs write to the log, the page shows the new state \
      within about a second. The command waits for logs that do not exist yet.

      Only this machine can connect, and only with the token in the address, which the first answer moves to a cookie. With \
      --port, the token is kept in xferlog's state directory (serve-PORT.token), so that an open page continues after a restart.

      Private values are masked as in `xferlog report`, which writes the report to a file.

      Examples:

        xferlog serve run.xlog
        xferlog serve --port 8080 app.xlog daemon.xlog
        xferlog serve -o json run.xlog
      """)

  enum Form: String, ArgumentChoice { case text, json }

  @Argument(help: "Logs to report on together (default: the standard log, see xferlog --help).", completion: .file())
  var log: [String] = []

  @Option(help: ArgumentHelp("The port of 127.0.0.1 (default: a free one).", valueName: "port"))
  var port: Int?

  @Option(name: .shortAndLong, help: "How to print the address (json: one document with url, port and pid).")
  var output: Form = .text

  @Option(
    help: ArgumentHelp("Also show what differs from the transfers of this earlier run.", valueName: "log"), completion: .file())
  var against: String?

  @OptionGroup(title: "Rules")
  var rules: RuleOptions

  @OptionGroup(title: "Damaged logs")
  var damage: RecoveryOptions

  @OptionGroup(title: "Logs of other programs")
  var imported: ImportedLogOptions

  /// The page states the exit code of `xferlog replay` with its default options.
  private struct Outcome: OutcomePolicy {
    let strict = false
    let allowEmpty = false
  }

  func run(_ surroundings: Surroundings) throws {
    let surroundings = try imported.applied(to: surroundings)
    guard (0...65_535).contains(port ?? 0) else {
      throw CommandExit(.wrongUsage, "--port \(port ?? 0) is not a port; choose one from 1024 to 65535, or 0 for a free one")
    }
    let context = RemarksOnce(surroundings)
    let rules = try rules.inForce()
    let inputs = try LogInputs(log, context, mayAppear: true)
    inputs.remarkRefusals()
    let other = try against.map {
      try ReportRun.Other(
        reading: $0, beside: log, rules: rules, recovery: damage.recovery, outcome: Outcome(), context)
    }
    let wakeUp = WakeUp()
    let report = LiveReport(version: ReportPage.servedVersion) { wakeUp.signal() }
    let server = try started(report, surroundings)
    defer {
      server.stop()
      Interruption.endAsSignalled()
    }
    for signal in Interruption.endings { Interruption.handleUnlessIgnored(signal) }
    try announce(server, surroundings)
    let mask = ReportRun.newMask()
    var seen: Set<String> = []
    var maker = ReportMaker(report: report, wakeUp: wakeUp, watch: InputWatch(inputs, arguments: log)) {
      let inputs = try LogInputs(log, context, mayAppear: true)
      let absent = inputs.absent
      // The page keeps what is known about a log that was deleted.
      if let path = absent.first(where: seen.contains) { throw CommandExit(.nothingAnalysed, "\(path) no longer exists") }
      var run = ReportRun(
        inputs: inputs, rules: rules, recovery: damage.recovery, outcome: Outcome(), now: surroundings.now(), mask: mask)
      run.other = other
      let made = try run.make()
      seen.formUnion(Set(inputs.inputs.map(\.path)).subtracting(absent))
      return made
    }
    try maker.run(following: inputs.followedLogs())
  }

  private func started(_ report: LiveReport, _ surroundings: Surroundings) throws -> ReportServer {
    var token = AccessToken()
    if let port, port != 0 { token = TokenFile(port: port, environment: surroundings.environment).token() }
    var page = TextBuffer(capacity: 1 << 18)
    ReportPage.appendServed(nil, in: &page)
    do {
      return try ReportServer(
        port: port ?? 0, token: token, report: report,
        page: ServedPages.Page(policy: ReportPage.servedPolicy, withoutReport: Array(page.bytes)), now: surroundings.now)
    } catch {
      throw CommandExit(.failed, "\(error)")
    }
  }

  /// Prints the address at once, because a script may wait for it.
  private func announce(_ server: ReportServer, _ surroundings: Surroundings) throws {
    let output = StandardOutput(descriptor: surroundings.output)
    switch self.output {
    case .text: output.buffer.append("\(server.url)\n")
    case .json:
      let document = ServingDocument(url: server.url, port: server.port, pid: getpid())
      try output.appendLine { document.writeJSON(to: &$0) }
    }
    // The server runs even if nobody reads the address.
    do { try output.flush() } catch is OutputClosed {}
  }
}
