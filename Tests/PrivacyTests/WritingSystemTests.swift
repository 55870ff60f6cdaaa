import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore
import XferScript

/// Tests of names and descriptions in non-Latin scripts, which must be masked like others and shown unchanged.
struct WritingSystemTests {
  struct Words: Sendable {
    let name: String
    let description: String
  }

  static let words = [
    Words(name: "تقرير الربع الأول.pdf", description: "صور العائلة ١٤٤٧"),
    Words(name: "第一四半期の報告書.pdf", description: "家族の写真、二〇二六年"),
    Words(name: "مخلوط mixed 混合.txt", description: "e\u{301}té — naïve 🎌"),
  ]

  /// Names with bidirectional controls, which change the displayed order: `invoice‮fdp.exe` is displayed as `invoiceexe.pdf`.
  static let attacks = [
    "invoice\u{202e}fdp.exe", "\u{2067}تقرير\u{2069}\u{2066}.exe", "a\u{200f}b\u{200e}c\u{061c}d",
    "\u{202b}x\u{202c}\u{202a}y\u{202d}z",
  ]

  private let directory = TemporaryDirectory()
  private var log: String { directory.path("log.xlog") }
  private var environment: [String: String] {
    ["XFERLOG_DIR": log, "XDG_STATE_HOME": directory.path("state"), "XDG_CACHE_HOME": directory.path("cache")]
  }

  private func write(_ words: Words, _ mode: CaptureMode) throws {
    let log = try EventLog(
      directory: self.log, configuration: LogConfiguration(role: .app, privacy: PrivacyPolicy(mode: mode, key: (1, 2))))
    let task = TaskIdentity(uid: TaskUID(high: 1, low: 2), session: "photos", number: 1)
    log.emit(TaskCreated(task: task, type: .download, label: words.description, destination: "/tmp/\(words.name)"))
    EventLogger(subsystem: "app", category: "photos", log: log).notice("\(words.description) and \(words.name, privacy: .public)")
    log.close()
  }

  private func shown(_ arguments: String...) throws -> String {
    let run = try ToolRun("xferlog", arguments, environment: environment)
    #expect(run.status == 0, "\(arguments) \(run.standardError)")
    return run.text
  }

  private func onTerminal(_ command: String) throws -> String {
    let script = "stty cols 2000; '\(ToolRun.directory)/xferlog' \(command)"
    let run = try ToolRun(
      "/usr/bin/script", ["-qec", script, "/dev/null"],
      environment: ["TERM": "dumb", "SHELL": "/bin/bash"].merging(environment) { $1 })
    #expect(run.status == 0)
    return run.text.replacing("\r\n", with: "\n")
  }

  /// Returns all texts of fields and message arguments in the JSON output.
  private func texts() throws -> Set<String> {
    func collect(_ value: Any, _ found: inout Set<String>) {
      if let text = value as? String { found.insert(text) }
      for element in value as? [Any] ?? [] { collect(element, &found) }
      for element in (value as? [String: Any])?.values ?? [:].values { collect(element, &found) }
    }
    var found: Set<String> = []
    collect(try JSONSerialization.jsonObject(with: Data(shown("show", log, "-o", "json").utf8)), &found)
    return found
  }

  @Test(arguments: words)
  func `Non-Latin texts are shown unchanged by every command in full capture mode`(words: Words) throws {
    try write(words, .full)
    for text in [
      try shown("show", log), try shown("tail", log), try onTerminal("show \(log) -o verbose"), try onTerminal("tail \(log)"),
    ] {
      for wanted in [words.description, words.name] { #expect(text.contains(wanted), "\(wanted)") }
    }
    #expect(try texts().isSuperset(of: [words.description, "/tmp/\(words.name)"]))
  }

  @Test(arguments: words)
  func `Non-Latin private texts are masked by default, and public ones are shown`(words: Words) throws {
    try write(words, .hashed)
    for text in [try shown("show", log, "-o", "verbose"), try shown("tail", log), try onTerminal("tail \(log)")] {
      #expect(!text.contains(words.description) && !text.contains("/tmp/\(words.name)"))
      #expect(text.contains("> and \(words.name)"))
    }
    let found = try texts()
    #expect(found.contains(words.name) && !found.contains(words.description))
  }

  @Test(arguments: words)
  func `A download to a non-Latin file name is stored and logged under this name`(words: Words) async throws {
    try await ScriptedServer.serving(ServerScript([.init("/*", ScriptedResponse(body: .text("x")))])) { server in
      let run = try ToolRun("xfer", ["get", server.url("/f"), "-o", directory.path(words.name)], environment: environment)
      #expect(run.status == 0, "\(run.standardError)")
      #expect(FileManager.default.fileExists(atPath: directory.path(words.name)))
      #expect(try shown("show", log).contains(words.name) && onTerminal("tail -n all \(log)").contains(words.name))
      #expect(try texts().contains(directory.path(words.name)))
      try FileManager.default.removeItem(atPath: log)
      let masked = try ToolRun(
        "xfer", ["get", "--private", server.url("/f"), "-o", directory.path(words.name)], environment: environment)
      #expect(masked.status == 0)
      #expect(try !shown("show", log, "-o", "verbose").contains(words.name))
    }
  }

  @Test(arguments: attacks)
  func `Bidirectional controls are escaped on the terminal and unchanged in JSON`(attack: String) throws {
    try write(Words(name: attack, description: attack), .full)
    for text in [try shown("show", log), try onTerminal("show \(log) -o verbose"), try onTerminal("tail \(log)")] {
      #expect(!text.contains(attack))
      #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .format })
      let escaped = attack.unicodeScalars.map { scalar in
        let number = String(scalar.value, radix: 16)
        return scalar.properties.generalCategory == .format
          ? "\\u" + String(repeating: "0", count: 4 - number.count) + number : String(scalar)
      }.joined()
      #expect(text.contains(escaped), "\(escaped)")
    }
    #expect(try texts().isSuperset(of: [attack, "/tmp/\(attack)"]))
  }
}
