import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore

/// Tests that write random text from code and scripts and show it on a terminal.
struct HostileTerminalTests {
  private let directory = TemporaryDirectory()
  private var log: String { directory.path("log.xlog") }
  private var environment: [String: String] {
    ["XFERLOG_DIR": log, "XDG_STATE_HOME": directory.path("state"), "TERM": "dumb", "SHELL": "/bin/bash"]
  }

  private static func text(_ random: inout SeededRandom) -> String {
    let bytes = random.bytes(Int.random(in: 0..<16, using: &random))
    let scalars = (0..<4).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0..<0x3000, using: &random)) }
    return String(decoding: bytes, as: UTF8.self) + String(String.UnicodeScalarView(scalars)) + "\u{1b}[2J\u{202e}"
  }

  /// Returns the output of a command on a terminal, with CR LF line ends.
  private func onTerminal(_ arguments: String) throws -> String {
    let command = "stty cols 1000; '\(ToolRun.directory)/xferlog' \(arguments)"
    let run = try ToolRun("/usr/bin/script", ["-qec", command, "/dev/null"], environment: environment)
    #expect(run.status == 0, "\(arguments)")
    return run.text.replacing("\r\n", with: "\n")
  }

  private func raw(_ text: String) -> Set<String> {
    Set(
      text.unicodeScalars.filter { scalar in
        switch scalar.properties.generalCategory {
        case .control: scalar != "\n"
        case .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
      }.map { "U+" + String($0.value, radix: 16) })
  }

  /// A campaign runs 100 seeds, which produce 10,000 texts.
  @Test(arguments: seeds(4, campaign: 100))
  func `Control characters in a message are escaped on a terminal`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let log = try EventLog(
      directory: self.log, configuration: LogConfiguration(role: .app, privacy: PrivacyPolicy(mode: .full, key: (1, 2))))
    for _ in 0..<500 {
      let texts = (0..<5).map { _ in Self.text(&random) }
      let logger = EventLogger(subsystem: texts[0], category: texts[1], log: log)
      var message: LogMessage = "said \(texts[2]) \(texts[3], align: .right(columns: 30), privacy: .public)"
      message.attach(texts[4], texts[0])
      logger.error(message)
    }
    log.close()
    for arguments in ["show \(self.log)", "show \(self.log) -o verbose", "show \(self.log) -o json", "tail -n all \(self.log)"] {
      let text = try onTerminal(arguments)
      #expect(raw(text) == [], "\(arguments), seed \(seed)")
      #expect(text.contains(#"\x1b[2J\u202e"#) || text.contains(#"\u001b[2J\u202e"#), "\(arguments), seed \(seed)")
    }
  }

  @Test(arguments: seeds(4, campaign: 100))
  func `Control characters in script input and in error messages about it are escaped`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let lines = (0..<500).map { _ in Self.text(&random).replacing("\n", with: "") }
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: directory.path("lines")))
    #expect(raw(try onTerminal("emit --ack --subsystem \"$(printf '\\033[2J')\" < '\(directory.path("lines"))'")) == [])
    #expect(raw(try onTerminal("show")) == [], "seed \(seed)")
    #expect(try raw(onTerminal("sql 'SELECT * FROM events'")) == [], "seed \(seed)")
    let refused = try ToolRun("xferlog", ["emit", "--level", lines[0].filter { $0 != "\0" }, "x"], environment: environment)
    #expect(refused.status == 2 && raw(refused.standardError) == [], "seed \(seed)")
  }
}
