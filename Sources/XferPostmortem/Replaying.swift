import CXferPlatform
import Foundation
import XferDiagnosis
import XferEvents
import XferImport
import XferLogStore
import XferReading
import XferReplay
import XferReport
import XferRules

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The replay of logs with the options of a postmortem.
struct Replaying {
  private let inputs: LogInputs
  private let rules: RuleSet
  private let acceptance: XferDiagnosis.Acceptance?
  private let options: Postmortem.Options

  /// - Parameter mayAppear: whether a log that does not exist is accepted, because it is about to be followed.
  init(_ logs: [String], _ options: Postmortem.Options, mayAppear: Bool = false) throws {
    if logs.isEmpty { throw PostmortemError(.invalidOptions, "no log was named; name at least one") }
    self.options = options
    // Mistakes in the options are reported even if there is no log.
    let plain = try Self.rules(options, over: [])
    let named = try Self.named(options)
    _ = try Self.acceptance(named.suppressions + [named.baseline].compactMap(\.self))
    inputs = try LogInputs(logs, Context(options), mayAppear: mayAppear, mayBeAbsent: options.allowsEmpty)
    let bundles = try inputs.decisions()
    rules = bundles.isEmpty ? plain : try Self.rules(options, over: bundles)
    acceptance = try Self.acceptance(
      AcceptanceSource.inForce(suppressions: named.suppressions, baseline: named.baseline, bundles: bundles))
  }

  /// The documents say which inputs were left out, so remarks are not needed.
  private struct Context: ReadingContext {
    let environment: [String: String] = [:]
    let importers: [any EventImporter]
    let importOptions: ImportOptions
    let input = STDIN_FILENO

    init(_ options: Postmortem.Options) throws {
      var importers = Importers.all
      if let mapping = options.mapping { importers.append(NDJSONImporter(try MappingFile(mapping).mapping)) }
      self.importers = importers
      var importOptions = ImportOptions()
      if let text = options.date {
        guard let date = ImportOptions.Date(text) else {
          throw PostmortemError(.invalidOptions, "'\(text)' is not a date; write it as 2026-11-20")
        }
        importOptions.date = date
      }
      if let offset = options.secondsFromGMT { importOptions.zone = { _ in offset } }
      self.importOptions = importOptions
    }

    func remark(_ message: UserMessage) {}
    func absence(of argument: String) -> UserMessage { "\(argument) does not exist" }
  }

  private struct Policy: OutcomePolicy {
    let strict: Bool
    let allowEmpty: Bool
  }

  // MARK: Options

  private static func rules(_ options: Postmortem.Options, over bundles: [BundleDecisions]) throws -> RuleSet {
    let files = try RuleSources.files(rules: options.rules, config: options.configuration ?? "-", environment: [:])
    let limits = try options.limits.sorted { $0.key < $1.key }.map { name, value in
      let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw PostmortemError(
          .invalidOptions, "'\(name)' is not a limit; write \"RULE.LIMIT\", for example \"lost-completion.patience\"")
      }
      return RuleFile.WrittenLimit(rule: String(parts[0]), limit: String(parts[1]), value: value, place: nil)
    }
    return try RuleSources(files, limits: limits, optionsText: [], bundles: bundles).rules
  }

  private static func named(
    _ options: Postmortem.Options
  ) throws -> (suppressions: [AcceptanceSource], baseline: AcceptanceSource?) {
    (
      try options.suppressions.map { try AcceptanceSource($0, .suppression) },
      try options.baseline.map { try AcceptanceSource($0, .baseline) }
    )
  }

  private static func acceptance(_ sources: [AcceptanceSource]) throws -> XferDiagnosis.Acceptance? {
    if sources.isEmpty { return nil }
    return XferDiagnosis.Acceptance(try sources.flatMap { try $0.entries() }, today: ExpiryDay(of: now))
  }

  private static var now: WallTime {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return WallTime(nanoseconds: Int64(clamping: now.tv_sec) * 1_000_000_000 + Int64(clamping: now.tv_nsec))
  }

  // MARK: Results

  func postmortem(each: ((LogMember) -> Void)?) throws -> Postmortem {
    var writer = ReplayWriter(.document)
    var text = TextBuffer(capacity: 1 << 16)
    var log = try DiagnosedLog(
      inputs, rules: rules, recovery: options.recovery,
      onTaskEnd: { task, world in writer.append(task, world, to: &text) }, each: each)
    var acceptance = acceptance
    if var present = acceptance {
      log.accept(with: &present)
      acceptance = present
    }
    let limit = options.failOn.flatMap { XferDiagnosis.Severity(rawValue: $0.rawValue) }
    let counted = log.counted(from: limit, withPossible: options.countsPossible)
    let conclusion = log.conclusion(
      counted: counted, acceptance: acceptance, judgesUse: true,
      Policy(strict: options.isStrict, allowEmpty: options.allowsEmpty))
    if conclusion.status == .failed { throw CommandExit(.failed, conclusion.reason) }
    log.prepareQuotes(of: log.diagnosis.findings.flatMap { $0.evidence.map(\.reference) })
    let document = ReplayDocument(
      diagnosis: log.diagnosis, inversions: log.inversions, inputs: log.accounts, exitCode: conclusion.status.code,
      countsPossible: options.countsPossible, rules: rules, incompleteness: log.incompleteness, sourceLines: log.sourceLines,
      acceptance: acceptance)
    writer.end(document) { $0(&text) }
    var postmortem = try JSONDecoder().decode(Postmortem.self, from: Data(text.bytes))
    postmortem.explain(with: rules)
    postmortem.reason = conclusion.reason.isEmpty ? nil : conclusion.reason.description
    return postmortem
  }

  /// Writes an HTML report.
  func report(to path: String) throws {
    let draft: FileDraft
    do throws(SystemProblem) {
      draft = try FileDraft(for: path)
    } catch {
      throw PostmortemError(.unreadable, "\(path) cannot be created: \(error).\nChoose a path in a writable directory.")
    }
    let descriptor = xp_open(draft.path, O_WRONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw PostmortemError(.unreadable, "\(path) cannot be created: \(systemText(errno))") }
    defer { close(descriptor) }
    let output = StandardOutput(descriptor: descriptor, name: path)
    let run = ReportRun(
      inputs: inputs, rules: rules, recovery: options.recovery,
      outcome: Policy(strict: options.isStrict, allowEmpty: true), now: Self.now)
    _ = try run.write(to: output)
    try output.flush()
    do throws(SystemProblem) {
      try draft.place()
    } catch {
      throw PostmortemError(.unreadable, "\(path) cannot be created: \(error).\nChoose a path in a writable directory.")
    }
  }

  /// Opens the logs without judging them.
  func source() throws -> any EventSource { try inputs.source(recovery: options.recovery) }

  /// Opens the logs, to which events may still be added.
  func followedSource() throws -> any FollowableSource { try inputs.followedSource(selection: nil) }
}

extension Postmortem {
  /// Adds what the rules say about their findings.
  mutating func explain(with rules: RuleSet) {
    let explanations = Dictionary(rules.descriptions.map { ($0.id, $0.explanation) }) { first, _ in first }
    for place in findings.indices { findings[place].explanation = explanations[findings[place].rule] }
  }
}
