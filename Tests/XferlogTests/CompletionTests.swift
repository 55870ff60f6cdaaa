import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferReport

@testable import xferlog

/// Completion of command lines, in real shells on a pseudo-terminal and by the program alone.
@Suite struct CompletionTests {
  enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

  /// A folder with a log, a configuration, and the programs' directory.
  private static func folder() throws -> TemporaryDirectory {
    let folder = TemporaryDirectory()
    _ = try RecordedLog.sample(in: folder)
    _ = try folder.write(Array("queries:\n  slow: 'took>10s | tasks'\n".utf8), to: ".xferlog.yaml")
    return folder
  }

  /// Starts a shell without the user's settings, with the generated completions of `xferlog` and `xfer`.
  private static func start(_ shell: Shell, in folder: TemporaryDirectory) throws -> PseudoTerminal {
    var environment = [
      "PATH": ToolRun.directory + ":/usr/bin:/bin", "TERM": "xterm", "HOME": folder.path, "XFERLOG_DIR": folder.path("run.xlog"),
      "XDG_CONFIG_HOME": folder.path("config"), "XDG_DATA_HOME": folder.path("data"), "ZDOTDIR": folder.path,
    ]
    for program in ["xferlog", "xfer"] {
      let script = try ToolRun(program, ["--generate-completion-script", shell.rawValue])
      #expect(script.status == 0)
      _ = try folder.write(script.standardOutput, to: ".\(program).\(shell.rawValue)")
    }
    let load = ["xferlog", "xfer"].map { "source ~/.\($0).\(shell.rawValue)" }.joined(separator: "; ")
    let terminal: PseudoTerminal
    switch shell {
    case .bash:
      environment["PS1"] = "READY"
      environment["BASH_SILENCE_DEPRECATION_WARNING"] = "1"
      terminal = try PseudoTerminal("bash", ["--norc", "--noprofile", "-i"], environment: environment, in: folder.path)
      try terminal.wait(for: "READY")
      terminal.type("bind 'set enable-bracketed-paste off'; \(load); echo LOA''DED\n")
    case .zsh:
      environment["PS1"] = "READY"
      terminal = try PseudoTerminal("zsh", ["-f", "-i"], environment: environment, in: folder.path)
      try terminal.wait(for: "READY")
      terminal.type("unset zle_bracketed_paste; autoload -Uz compinit; compinit -u -D; \(load); echo LOA''DED\n")
    case .fish:
      terminal = try PseudoTerminal("fish", ["--no-config", "-i"], environment: environment, in: folder.path)
      terminal.type("function fish_prompt; printf READY; end; \(load); echo LOA''DED\n")
    }
    try terminal.wait(for: "LOADED")
    try terminal.wait(for: "READY")
    return terminal
  }

  /// Types a line, presses the tab key, and returns the words of the completed line.
  private static func complete(_ line: String, _ terminal: PseudoTerminal) throws -> [String] {
    // Ctrl-A and Ctrl-E move to the beginning and the end, so that the line becomes the arguments of printf. A shell closes an open
    // quotation mark after a unique completion.
    terminal.type("\(line)\t\u{1}printf '{%s}' \u{5} ; echo E''ND\n")
    let output = try terminal.wait(for: "END\r\n")
    try terminal.wait(for: "READY")
    return output.matches(of: /\{([^{}%\r\n\x1b]*)\}/).map { String($0.1) }
  }

  /// A line up to the tab key, and the last word of the completed line.
  static let lines: [(line: String, word: String)] = [
    // Commands, options and their values.
    ("xferlog repl", "replay"),
    ("xferlog replay --fail-on crit", "critical"),
    ("xferlog show --allow-e", "--allow-empty"),
    // Tasks and sessions of the log that the line names, or of the standard log.
    ("xferlog show run.xlog --task do", "docs/1"),
    ("xferlog why im", "img/7"),
    ("xferlog replay --session doc", "docs"),
    // Rules, limits, events, fields and saved queries.
    ("xferlog rules explain lost-comp", "lost-completion"),
    ("xferlog replay --limit lost-completion.pat", "lost-completion.patience="),
    ("xferlog show --event attempt.connectionAc", "attempt.connectionAcquired"),
    ("xferlog query task.outc", "task.outcome"),
    ("xferlog query 'level>=error task.outc", "level>=error task.outcome"),
    ("xferlog query @sl", "@slow"),
    // Files.
    ("xferlog stats ru", "run.xlog/"),
    ("xferlog query level=error ru", "run.xlog/"),
    // Options of transfers.
    ("xfer get --parallel-m", "--parallel-max"),
    ("xfer put ru", "run.xlog/"),
    ("xfer conditions --network cell", "cellular"),
  ]

  @Test(arguments: Shell.allCases)
  func `A shell completes commands, options, ids, rules, fields and files`(_ shell: Shell) throws {
    let folder = try Self.folder()
    let terminal = try Self.start(shell, in: folder)
    for (given, word) in Self.lines {
      // In bash, @ ends a word except within quotation marks.
      let line = shell == .bash ? given.replacing(" @", with: " '@") : given
      let words = try Self.complete(line, terminal)
      let completed = words.last { !$0.isEmpty } ?? ""
      #expect(
        completed == word || completed == word.dropLast(word.hasSuffix("/") ? 1 : 0), "\(shell.rawValue): \(line) -> \(words)")
    }
    terminal.type("exit\n")
    #expect(terminal.finish().status == 0)
  }

  /// Names that are harmful if a shell executes them.
  private static let hostile = [
    "a$(touch pwned)", "a`touch pwned`", "a;touch pwned", "a'$(touch pwned)'", "a\"b", "a b", "a*", "a\nb", "a:b", "~a",
  ]

  @Test(arguments: Shell.allCases)
  func `Text from a log is never executed by a shell`(_ shell: Shell) throws {
    let folder = try Self.folder()
    let log = try RecordedLog(in: folder, name: "hostile.xlog")
    for (number, session) in Self.hostile.enumerated() {
      let task = TaskIdentity(uid: TaskUID(high: 1, low: UInt64(number)), session: session, number: UInt32(number))
      log.emit(at: Int64(number), TaskResumed(task: task))
    }
    log.close()
    _ = try folder.write([], to: "zz$(touch pwned)")
    let terminal = try Self.start(shell, in: folder)
    // Ctrl-U discards the line.
    for line in [
      "xferlog show hostile.xlog --session ", "xferlog why a", "xferlog query 'x=\"$(touch pwned)\" task.outc", "xfer put zz",
    ] {
      terminal.type("\(line)\t\t\u{15}echo E''ND\n")
      try terminal.wait(for: "END")
      try terminal.wait(for: "READY")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("pwned")))
  }

  static let escapes: [(shell: String?, candidates: [String])] = [
    ("bash", ["a/1", "a\\ b", "\\$\\(x\\)", "\\'"]), ("zsh", ["a/1", "a b", "$(x)", "'"]), ("fish", ["a/1", "a b", "$(x)", "'"]),
    (nil, ["a/1", "a b", "$(x)", "'"]),
  ]

  @Test(arguments: escapes)
  func `Candidates are escaped as the shell's script expands them`(_ escape: (shell: String?, candidates: [String])) {
    #expect(ShellCandidate.prepared(["a/1", "a b", "$(x)", "a\nb", "'"], for: escape.shell) == escape.candidates)
    #expect(ShellCandidate.prepared(["a:b"], for: escape.shell) == [escape.shell == "zsh" ? "a\\:b" : "a:b"])
    let isEscaped = escape.shell == "zsh" || escape.shell == "bash"
    #expect(ShellCandidate.prepared([#"a\b"#], for: escape.shell) == [isEscaped ? #"a\\b"# : #"a\b"#])
  }

  // MARK: The program alone

  /// Returns the candidates for the last word of a line.
  private static func candidates(
    _ command: String, _ argument: String, _ words: [String], environment: [String: String] = [:]
  ) throws -> [String] {
    let place = words.count - 1
    let run = try ToolRun.xferlog(
      ["---completion"] + command.split(separator: " ").map(String.init) + ["--", argument, "\(place)", "\(words[place].count)"]
        + words,
      environment: environment)
    #expect(run.status == 0)
    #expect(run.standardError == "")
    return run.lines
  }

  @Test func `Tasks come from the log that the line names, the newest segment first`() throws {
    let folder = TemporaryDirectory()
    let log = try RecordedLog.sample(in: folder)
    let later = try RecordedLog(in: folder, seed: 2, pid: 4002, at: 200_000)
    later.emit(at: 200_001, TaskResumed(task: TaskIdentity(uid: TaskUID(high: 5, low: 5), session: "new", number: 3)))
    later.close()
    let tasks = ["new/3", "docs/1", "img/7"]
    #expect(try Self.candidates("why", "positional@0", ["xferlog", "why", ""], environment: ["XFERLOG_DIR": log]) == tasks)
    #expect(try Self.candidates("show", "--task", ["xferlog", "show", log, "--task", ""]) == tasks)
    #expect(try Self.candidates("show", "--task", ["xferlog", "show", "'\(log)'", "--task", "im"]) == ["img/7"])
    #expect(
      try Self.candidates("show", "--session", ["xferlog", "show", log, "--session", ""]).sorted() == ["docs", "img", "new"])
    // A space is written with a backslash.
    _ = try RecordedLog.sample(in: folder, name: "my log.xlog")
    let escaped = folder.path(#"my\ log.xlog"#)
    #expect(try Self.candidates("show", "--task", ["xferlog", "show", escaped, "--task", "im"]) == ["img/7"])
    // The word at the cursor names no log, even if there is one with its name.
    let named = try RecordedLog(in: folder, name: "named.xlog", seed: 3)
    named.emit(at: 1, TaskResumed(task: TaskIdentity(uid: TaskUID(high: 6, low: 6), session: log, number: 1)))
    named.close()
    #expect(
      try Self.candidates("why", "positional@0", ["xferlog", "why", log], environment: ["XFERLOG_DIR": named.path]) == [
        "\(log)/1"
      ])
  }

  @Test func `The word at the cursor may stand before others`() throws {
    let folder = TemporaryDirectory()
    let log = try RecordedLog.sample(in: folder)
    let run = try ToolRun.xferlog("---completion", "why", "--", "positional@0", "2", "2", "xferlog", "why", "do", log)
    #expect(run.lines == ["docs/1"])
    // In zsh, the cursor's place is that within the last word of the quotation.
    let quoted = try ToolRun.xferlog(
      "---completion", "query", "--", "positional@0", "2", "9", "xferlog", "query", "'level>=error task.outc",
      environment: ["SAP_SHELL": "zsh"])
    #expect(quoted.lines.first == "level>=error task.outcome")
  }

  @Test func `Tasks of a sealed log come from its index`() throws {
    let folder = TemporaryDirectory()
    let log = try RecordedLog.sample(in: folder)
    #expect(try ToolRun.xferlog("index", log, "--seal", "--to", folder.path("index.sqlite")).status == 0)
    let known = KnownSubjects([log], .current())
    #expect(known.tasks.sorted() == ["docs/1", "img/7"])
    #expect(known.sessions.sorted() == ["docs", "img"])
  }

  @Test func `A completion stops reading logs at its time limit`() throws {
    let folder = TemporaryDirectory()
    let log = try RecordedLog.sample(in: folder)
    #expect(KnownSubjects([log], .current(), patience: 0).tasks == [])
    #expect(KnownSubjects.patience <= 300_000_000)
  }

  @Test func `Tasks of another program's log complete too`() throws {
    let log = ToolRun.checkout + "/Samples/ForeignLogs/curl/trace-ids.txt"
    #expect(!KnownSubjects([log], .current()).tasks.isEmpty)
  }

  @Test func `A missing log and a broken configuration give no candidates and no message`() throws {
    #expect(
      try Self.candidates("why", "positional@0", ["xferlog", "why", ""], environment: ["XFERLOG_DIR": "/nowhere.xlog"]) == [])
    let folder = TemporaryDirectory()
    let config = try folder.write(Array("colr: never\n".utf8), to: "config.yaml")
    let ids = try Self.candidates(
      "rules explain", "positional@0", ["xferlog", "rules", "explain", "lost-comp"], environment: ["XFERLOG_CONFIG": config])
    #expect(ids == ["lost-completion"])
  }

  static let queries: [(typed: String, candidates: [String])] = [
    ("task.outc", ["task.outcome"]),
    ("level>=error and task.outc", ["level>=error and task.outcome"]),
    ("(task.outc", ["(task.outcome"]),
    ("level>=error | fin", ["level>=error | findings"]),
    ("level>=error |fin", ["level>=error |findings"]),
    ("eventMessage CONTAINS \"task.outc", []),
    ("no-such-fie", []),
  ]

  @Test(arguments: queries)
  func `A query completes fields and, after a bar, stages`(_ query: (typed: String, candidates: [String])) {
    let word = "'\(query.typed)"
    let line = CompletionLine(words: ["xferlog", "query", word], place: 2, prefix: word, shell: "bash")
    #expect(Candidates.matching(Candidates.conditions(line), line) == query.candidates)
  }

  static let words = [
    ("plain", "plain"), ("'two words", "two words"), ("\"a \\\"b\"", "a \"b"), ("a\\ b", "a b"), ("'a'\\''b'", "a'b"), ("", ""),
  ]

  @Test(arguments: words)
  func `Quotation marks of the shell are removed`(_ word: (typed: String, text: String)) {
    #expect(CompletionLine.unquoted(word.typed) == word.text)
  }
}
