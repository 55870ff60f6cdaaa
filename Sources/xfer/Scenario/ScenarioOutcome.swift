import Foundation
import XferScript

/// The results of a scenario, read from its log, files and server.
struct ScenarioOutcome {
  private let sandbox: Sandbox
  private let server: ScriptedServer
  private let apps: [String: String]
  private let replay: ReplayDocument
  private let events: [LoggedEvent]

  init(_ sandbox: Sandbox, _ server: ScriptedServer, _ apps: [String: String]) throws(CommandExit) {
    (self.sandbox, self.server, self.apps) = (sandbox, server, apps)
    do {
      let xferlog = try sandbox.program("xferlog")
      replay = try JSONDecoder().decode(ReplayDocument.self, from: Self.output(xferlog, ["replay", "-o", "json", sandbox.log]))
      events = try Self.output(xferlog, ["show", "-o", "ndjson", sandbox.log]).split(separator: UInt8(ascii: "\n"))
        .compactMap { LoggedEvent(line: Data($0)) }
    } catch let error as CommandExit {
      throw error
    } catch {
      throw CommandExit(1, "the log cannot be read: \(error)")
    }
  }

  private static func output(_ program: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { process.waitUntilExit() }
    return pipe.fileHandleForReading.readDataToEndOfFile()
  }

  // MARK: Comparison

  /// Returns a description of each difference from the expectation. Empty when every expectation is met.
  func differences(from expected: Scenario.Expectation) -> [String] {
    var differences: [String] = []
    func compare<Value: Equatable>(_ what: String, _ expected: Value?, _ found: Value, _ shown: (Value) -> String) {
      if let expected, expected != found {
        differences.append("\(what): expected \(shown(expected)), found \(shown(found))")
      }
    }
    let list = { (words: [String]) in words.isEmpty ? "none" : words.joined(separator: ", ") }
    compare("findings", expected.findings, replay.roots.filter { !dependsOnTiming($0, expected) }, list)
    let rules = replay.rules
    for rule in expected.included where !rules.contains(rule) {
      differences.append("findings: expected \(rule) among them, found \(list(rules))")
    }
    for rule in expected.excluded where rules.contains(rule) { differences.append("findings: unexpected \(rule)") }
    for (rule, words) in expected.certainties.sorted(by: { $0.key < $1.key }) {
      compare("certainty of \(rule)", words.sorted(), replay.certainties(of: rule), list)
    }
    for (rule, words) in expected.variants.sorted(by: { $0.key < $1.key }) {
      compare("variant of \(rule)", words.sorted(), replay.variants(of: rule), list)
    }
    compare("verdict", expected.verdict, replay.verdict) { $0 }
    for (app, lives) in expected.ends.sorted(by: { $0.key < $1.key }) { compare("ends of \(app)", lives, endings(of: app), list) }
    compare("tasks", expected.tasks, replay.outcomes) { counts in
      list(counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })
    }
    compare("requests", expected.requests, server.requests.count) { "\($0)" }
    for file in expected.files { if let problem = problem(with: file) { differences.append(problem) } }
    for name in expected.absentFiles where FileManager.default.fileExists(atPath: "\(sandbox.files)/\(name)") {
      differences.append("the file \(name) exists but must not")
    }
    for pattern in expected.events where !events.contains(where: { $0.matches(pattern) }) {
      differences.append("no event matches \(pattern.text)")
    }
    for pattern in expected.absentEvents {
      let count = events.count { $0.matches(pattern) }
      if count > 0 { differences.append("\(count) unexpected events match \(pattern.text)") }
    }
    return differences
  }

  // An unexpected torn record is ignored: whether a kill interrupts a write depends on timing, which a script cannot control.
  private func dependsOnTiming(_ rule: String, _ expected: Scenario.Expectation) -> Bool {
    rule == "log-tail-torn" && expected.findings?.contains(rule) != true
  }

  private func endings(of app: String) -> [String] {
    events.filter { $0["by"] == "daemon" && $0["executable"] == apps[app] }.compactMap(\.ending)
  }

  private func problem(with file: Scenario.File) -> String? {
    guard let bytes = FileManager.default.contents(atPath: "\(sandbox.files)/\(file.name)") else {
      return "the file \(file.name) is missing"
    }
    if bytes.count != file.content.count {
      return "the file \(file.name) has \(bytes.count) bytes, expected \(file.content.count)"
    }
    return file.content.firstDifference(from: Array(bytes)).map { "the file \(file.name) differs from byte \($0) on" }
  }
}

extension Scenario.EventPattern {
  fileprivate var text: String {
    let fields = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value ?? "null")" }
    return ([event] + fields).joined(separator: " ")
  }
}

/// The parts of the output of `xferlog replay -o json` that scenarios check.
struct ReplayDocument: Decodable {
  let verdict: String
  private let tasks: [Task]
  private let findings: [Finding]

  private struct Task: Decodable {
    let outcome: String
  }

  private struct Finding: Decodable {
    let rule: String
    let variant: String?
    let certainty: String
    let causedBy: Int?
  }

  /// The rules of the root findings, which are not caused by another finding.
  var roots: [String] { findings.filter { $0.causedBy == nil }.map(\.rule).sorted() }

  /// The rules of all findings.
  var rules: [String] { findings.map(\.rule).sorted() }

  func certainties(of rule: String) -> [String] { findings.filter { $0.rule == rule }.map(\.certainty).sorted() }

  func variants(of rule: String) -> [String] { findings.filter { $0.rule == rule }.compactMap(\.variant).sorted() }

  var outcomes: [String: Int] { Dictionary(tasks.map { ($0.outcome, 1) }, uniquingKeysWith: +) }
}
