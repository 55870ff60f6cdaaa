import ArgumentParser
import CXferPlatform
import Foundation
import HTTPTypes
import XferEngine
import XferEvents
import XferLogStore
import XferReport

struct Ship: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ship",
    abstract: "Send logs to S3-compatible storage, or to a server that accepts PUT.",
    usage: "xfer ship [<options>] <log> ... <destination>",
    discussion: """
      Each segment of a log becomes an object: a sealed copy, in which private values are masked. Downloaded into a directory, the \
      objects are a log that `xferlog` reads. What was shipped is noted in a journal, so that the next run sends only what is new, \
      also after a run that was killed. The segment to which a program still writes is sent as it is, and replaced by the next run.

      A destination s3://BUCKET/PREFIX takes the credentials from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and \
      AWS_REGION. For other storage than AWS, name its URL with --endpoint or AWS_ENDPOINT_URL.

      Each copy is searched for the masked values and for texts that look like secrets. A copy in which anything is found is not \
      sent, the place is named, and the exit code is 1, unless --allow names the kind.

      With --background, xferd sends the objects, also after the command has ended. The next run, with or without --background, \
      notes the results, and hands over or sends what is missing. All destinations are supported. xferd does not get the secret \
      key: a request to S3 is signed for seven days when it is handed over (for less time with AWS_SESSION_TOKEN, which expires), \
      and is signed again by the next run if it has not been sent by then. Until the result of a request is noted, xferd stores \
      its URL and the header fields of --header, encrypted with a key that only you can read. The copies are kept in a directory \
      with the journal's path and the suffix .outbox.

      Segments that were removed from a log before they were shipped are reported. Exit codes: 0 shipped, 1 private values found, \
      2 wrong usage or failed, 3 no log, 4 incomplete (with --strict).

      Examples:

        xfer ship run.xlog s3://logs/ios
        xfer ship --device ipad-17 --every 60 app.xlog daemon.xlog https://logs.example.com/devices
        xfer ship --background run.xlog s3://logs/ios
        xfer ship --endpoint https://storage.example.com run.xlog s3://logs
      """)

  @Argument(help: "Logs, or directories with logs, and the destination.", completion: .file())
  var words: [String] = []

  @Option(
    help: ArgumentHelp(
      "The file that notes what was shipped, or a directory for it (default: the log's path with .shipped).", valueName: "path"),
    completion: .file())
  var journal: String?

  @Option(help: ArgumentHelp("Put the logs below app=NAME.", valueName: "name"))
  var app: String?

  @Option(help: ArgumentHelp("Put the logs below device=NAME.", valueName: "name"))
  var device: String?

  @Option(help: ArgumentHelp("The URL of S3-compatible storage.", valueName: "url"))
  var endpoint: String?

  @Option(
    help: ArgumentHelp(
      "Add a header field to each request (repeatable; @FILE reads fields from a file, for secrets).", valueName: "name: value"))
  var header: [String] = []

  @Option(
    help: ArgumentHelp("Trust the certificates in this file instead of the system's.", valueName: "file"), completion: .file())
  var cacert: String?

  @Option(help: ArgumentHelp("Maximum number of retries of a request.", valueName: "n"))
  var retries = 5

  @Option(help: ArgumentHelp("Ship again and again, with a pause of this many seconds, until interrupted.", valueName: "seconds"))
  var every: Int?

  @Option(
    help: ArgumentHelp(
      "Send a copy even with values of this kind (\(LeakKind.allCases.map(\.rawValue).joined(separator: ", ")); repeatable).",
      valueName: "kind"))
  var allow: [LeakKind] = []

  @Flag(help: "Let xferd send the objects, so that the command need not wait.")
  var background = false

  @Flag(help: "Leave out segments to which a program still writes.")
  var finishedOnly = false

  @Flag(help: "Exit with 4 if a part of a log could not be shipped.")
  var strict = false

  @Flag(name: .shortAndLong, help: "Print no results, only problems.")
  var quiet = false

  func run() async throws {
    let environment = ProcessInfo.processInfo.environment.withoutEmptyVariables
    guard words.count > 1, let last = words.last else {
      throw CommandExit(ShipRun.failed, "name a log and a destination, such as: xfer ship run.xlog s3://BUCKET/PREFIX")
    }
    guard 0...100 ~= retries else {
      throw CommandExit(ShipRun.failed, "--retries \(retries) is not possible; give a number from 0 to 100")
    }
    guard every.map({ 1...86_400 ~= $0 }) ?? true else {
      throw CommandExit(ShipRun.failed, "--every \(every ?? 0) is not possible; give a number of seconds from 1 to 86400")
    }
    guard !background || every == nil else {
      throw CommandExit(
        ShipRun.failed, "--background and --every cannot be combined; run xfer ship --background from a timer instead"
      )
    }
    let endpoint =
      endpoint ?? (last.hasPrefix("s3://") ? environment["AWS_ENDPOINT_URL_S3"] ?? environment["AWS_ENDPOINT_URL"] : nil)
    let destination = try ShipDestination(last, endpoint: endpoint, region: ShipCredentials.region(environment))
    let credentials = destination.isSigned ? try ShipCredentials(environment) : nil
    let above = try [("app", app), ("device", device)].compactMap { name, value throws(CommandExit) in
      try value.map { value throws(CommandExit) in "\(name)=\(try Self.checked(value, "--\(name)"))" }
    }
    let store = ObjectStore(destination, credentials: credentials, fields: try fields(), retries: retries, authorities: cacert)
    let scratch = try scratchDirectory()
    let logs = try logs()
    let journals = try logs.map { log throws(CommandExit) in try journalPath(of: log, isOnly: logs.count == 1) }
    if let twice = Dictionary(grouping: journals, by: \.self).first(where: { $0.value.count > 1 })?.key {
      throw CommandExit(ShipRun.failed, "two logs would have the journal \(twice); ship them one by one, with --journal")
    }
    let isQuiet = quiet
    let shippers = zip(logs, journals).map { log, journal in
      LogShipper(
        directory: log, above: above, journalPath: journal, isBackground: background, finishedOnly: finishedOnly, allowed: allow,
        store: store,
        destination: destination, scratch: scratch.path, environment: environment, say: { if !isQuiet { ShipRun.say($0) } })
    }
    try await ShipRun(shippers: shippers, pause: every.map { .seconds($0) }, isStrict: strict)()
    withExtendedLifetime(scratch) {}
  }

  // MARK: Arguments

  /// Returns the directories of the named logs.
  private func logs() throws(CommandExit) -> [String] {
    var logs: [String] = []
    for path in words.dropLast() {
      switch LogRecognition(path: path) {
      case .inputs(let inputs, _):
        for input in inputs {
          guard case .directory(let directory) = input else {
            throw CommandExit(ShipRun.failed, "\(path) is a segment; name the .xlog directory that contains it")
          }
          if !logs.contains(directory) { logs.append(directory) }
        }
      case .emptyDirectory: throw CommandExit(ShipRun.nothing, "\(path) has no events yet")
      case .nothing: throw CommandExit(ShipRun.nothing, "there is no log at \(path)")
      case .refused(let error): throw CommandExit(ShipRun.failed, error.description)
      }
    }
    return logs
  }

  /// Returns a temporary directory for the copies of segments.
  private func scratchDirectory() throws(CommandExit) -> ScratchDirectory {
    do throws(SystemError) {
      return try ScratchDirectory(prefix: "\(ScratchDirectory.parent)/xfer-ship-")
    } catch {
      throw CommandExit(
        ShipRun.failed,
        "a temporary directory in \(ScratchDirectory.parent) cannot be created: \(String(cString: strerror(error.number)))")
    }
  }

  private func journalPath(of log: String, isOnly: Bool) throws(CommandExit) -> String {
    var base = log
    while base.count > 1, base.hasSuffix("/") { base.removeLast() }
    guard let journal else { return "\(base).shipped" }
    if LogDirectory.exists(journal) { return "\(journal)/\(base.fileName ?? "log").shipped" }
    guard isOnly else {
      throw CommandExit(
        ShipRun.failed, "--journal \(journal) is a file for one log; name a directory that exists for several logs")
    }
    return journal
  }

  /// Returns a name for an object, or throws if it has characters that servers treat differently.
  private static func checked(_ name: String, _ option: String) throws(CommandExit) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      Character(UnicodeScalar(byte)).isASCII
        && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
        || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains(byte)
    }
    guard !name.isEmpty, isPlain else {
      throw CommandExit(ShipRun.failed, "\(option) '\(name)' is not possible; use letters, digits, '-', '_' and '.'")
    }
    return name
  }

  private func fields() throws(CommandExit) -> HTTPFields {
    var fields = HTTPFields()
    for word in header {
      var lines = [word]
      if word.hasPrefix("@") {
        guard let text = try? String(contentsOfFile: String(word.dropFirst()), encoding: .utf8) else {
          throw CommandExit(ShipRun.failed, "the file \(word.dropFirst()) of --header cannot be read")
        }
        lines = text.split(whereSeparator: \.isNewline).map(String.init)
      }
      for line in lines {
        // The value may be a secret, so it is not shown.
        guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])),
          !line.contains(where: \.isNewline)
        else { throw CommandExit(ShipRun.failed, "a header field of --header is not of the form 'NAME: VALUE'") }
        fields[name] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      }
    }
    return fields
  }
}

extension LeakKind: ExpressibleByArgument {}
