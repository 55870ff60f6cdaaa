import XferDiagnosis
import XferEvents

/// A capture that would decide a question: what to record, and the command that records it.
struct DecidingCapture: Hashable {
  /// A sentence without the full stop.
  let text: String
  /// The command for a shell; `nil` if there is none.
  let command: String?

  private init(_ text: String, _ command: String? = nil) { (self.text, self.command) = (text, command) }

  /// What is known about a log and constrains the commands.
  struct Context {
    /// The coverage of a foreign log; `nil` for a log of this package.
    var coverage: ImportCoverage?
    /// The names of the programs that the question is about.
    var programs: [String] = []
    /// The time of the first event that the question is about.
    var from: WallTime?
    /// The time of the last one.
    var to: WallTime?
  }

  /// Returns the captures that would decide a question, each once.
  static func deciding(_ lacks: [Lack], _ context: Context) -> [DecidingCapture] {
    var captures: [DecidingCapture] = []
    for lack in lacks {
      for capture in Self.captures(for: lack, context) where !captures.contains(capture) { captures.append(capture) }
    }
    return captures
  }

  private static func captures(for lack: Lack, _ context: Context) -> [DecidingCapture] {
    switch lack {
    case .level(let kind):
      let category = kind.name.prefix { $0 != "." }
      return [Self("Log \(kind.name), whose level was disabled", "xferlog config level xferlog:\(category)=debug")]
    case .log(let name): return [Self("Replay the log of \(name), too")]
    case .records(let place): return [Self("Replay an undamaged copy of \(place)")]
    case .continuation:
      return context.coverage.map { [excerpt(of: $0, context)] } ?? [Self("Replay the log again when it covers more time")]
    case .events(let kinds):
      guard let coverage = context.coverage else {
        return [Self(kinds.isEmpty ? "Record more of the same transfer" : "Record \(names(kinds)) in the same log")]
      }
      let never = kinds.filter { !coverage.kinds.contains($0) }
      let request = never.filter(Self.tellsRequest)
      var captures: [DecidingCapture] = []
      if !request.isEmpty, coverage.isApple {
        captures.append(
          Self(
            "Set CFNETWORK_DIAGNOSTICS to 3 for the app's process: its blocks contain \(names(request))",
            "SIMCTL_CHILD_CFNETWORK_DIAGNOSTICS=3 xcrun simctl launch booted com.example.app"))
      }
      let ours = never.filter { !(coverage.isApple && Self.tellsRequest($0)) }
      if !ours.isEmpty {
        captures.append(
          coverage.isApple
            ? Self("Record the app with xferlog, which writes \(names(ours)): \(recorderCall(for: ours))")
            : Self(
              "Only the program itself can record \(names(ours)), in an xferlog log as xfer writes it; \(coverage.log) never contains it"
            ))
      }
      if never.count < kinds.count || kinds.isEmpty { captures.append(excerpt(of: coverage, context)) }
      return captures
    }
  }

  /// A fuller capture of the same kind of log.
  private static func excerpt(of coverage: ImportCoverage, _ context: Context) -> DecidingCapture {
    guard coverage.isApple else { return Self("Capture \(coverage.log) from before the transfer until after it") }
    let processes = (context.programs.isEmpty ? ["YourApp"] : context.programs) + ["nsurlsessiond", "runningboardd"]
    var span = "--last 1h"
    if let from = context.from, let to = context.to {
      span = "--start '\(local(from, adding: -60))' --end '\(local(to, adding: 600))'"
    }
    return Self(
      "Show the messages of the app and the transfer daemon from before the transfer until after it",
      "log show --archive incident.logarchive --style ndjson --info --debug \(span) --predicate '\(CollectionRecipe.predicate(processes))'"
    )
  }

  /// Returns a time for `log show`, in UTC.
  private static func local(_ time: WallTime, adding seconds: Int64) -> String {
    let shifted = WallTime(nanoseconds: time.nanoseconds.addingClamped(seconds * 1_000_000_000))
    let text = "\(shifted)"
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))+0000"
  }

  /// The events that tell the method, the URL or the header fields of a request.
  private static func tellsRequest(_ kind: EventKind) -> Bool {
    [.taskCreated, .attemptRequestSent, .attemptRedirectReceived].contains(kind)
  }

  /// The call of the recorder that writes an event, for the events that an app has to report itself.
  private static func recorderCall(for kinds: [EventKind]) -> String {
    for kind in kinds {
      switch kind.name.prefix(while: { $0 != "." }) {
      case "app":
        if kind == .appIntentDeclared { return "recorder.app.declare(_:durable:)" }
        if kind == .appOutcomeRecorded { return "recorder.app.record(_:of:intent:)" }
        return "recorder.app"
      case "file": return "recorder.app.move(_:to:of:)"
      case "wake": return "recorder.handleEvents(forBackgroundURLSession:completionHandler:)"
      default: continue
      }
    }
    return "SessionRecorder(sink:).session(configuration:delegate:delegateQueue:)"
  }

  /// Returns the names of up to three kinds of events.
  private static func names(_ kinds: [EventKind]) -> String {
    var unique: [String] = []
    for kind in kinds where !unique.contains(kind.name) { unique.append(kind.name) }
    let shown = unique.prefix(3)
    let rest = unique.count - shown.count
    if rest > 0 { return shown.joined(separator: ", ") + " and \(rest) more" }
    return shown.count < 2 ? shown.joined() : shown.dropLast().joined(separator: ", ") + " and " + shown[shown.count - 1]
  }
}
