import Foundation
import LogTestSupport
import Testing

/// `Samples/install` with programs that are already built.
@Suite struct InstallTests {
  /// An installation that the tests share, because copying and stripping the programs takes a few seconds. It is next to the built
  /// programs, and every run of the tests replaces it.
  private static let installation = Result {
    let folder = URL(fileURLWithPath: ToolRun.directory).deletingLastPathComponent().appendingPathComponent("install-test").path
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let run = try ToolRun(
      ToolRun.checkout + "/Samples/install", ["--prefix", "usr"], environment: ["XFERLOG_BIN": ToolRun.directory], in: folder)
    return (prefix: folder + "/usr", run: run)
  }

  @Test func `Programs, manual pages, completions, samples and units are installed below the prefix`() throws {
    let (prefix, run) = try Self.installation.get()
    #expect(run.status == 0, "\(run.text)\(run.standardError)")
    for program in ["xferlog", "xfer", "xferd"] {
      #expect(try ToolRun("\(prefix)/bin/\(program)", ["--version"]).status == 0)
      for file in [
        "share/man/man1/\(program).1", "share/bash-completion/completions/\(program)", "share/zsh/site-functions/_\(program)",
        "share/fish/vendor_completions.d/\(program).fish",
      ] {
        let size = try FileManager.default.attributesOfItem(atPath: "\(prefix)/\(file)")[.size] as? Int
        #expect(size ?? 0 > 500, "\(file)")
      }
    }
    let unit = try String(contentsOfFile: prefix + "/lib/systemd/user/xferd.service", encoding: .utf8)
    #expect(unit.contains("\nExecStart=\(prefix)/bin/xferd\n"))
  }

  @Test func `The tutorial runs on the installed samples`() throws {
    let prefix = try Self.installation.get().prefix
    let run = try ToolRun("\(prefix)/bin/xferlog", ["tutorial"])
    #expect(run.status == 0)
    #expect(run.text.contains("lost-completion (certain)"))
    let start = try #require(run.text.range(of: "The sample logs are in "))
    #expect(
      run.text[start.upperBound...].prefix { $0 != "\n" }.hasSuffix(
        "/usr/share/xferlog/samples. To repeat a command, run it in that directory."))
  }

  @Test func `Every command has a manual page without warnings, with its synopsis and options`() throws {
    let prefix = try Self.installation.get().prefix
    let pages = try FileManager.default.contentsOfDirectory(atPath: prefix + "/share/man/man1").sorted()
    for page in ["xferlog-replay.1", "xferlog-rules-explain.1", "xferlog-config-show.1", "xfer-get.1", "xfer-app-launch.1"] {
      #expect(pages.contains(page))
    }
    #expect(pages.count > 30)
    for page in pages {
      let run = try ToolRun.bash("MANWIDTH=78 LC_ALL=C.UTF-8 man --warnings=all -l \(prefix)/share/man/man1/\(page) | cat")
      #expect(run.standardError == "", "\(page): \(run.standardError)")
      for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "SEE ALSO"] {
        #expect(run.lines.contains(heading), "\(page) lacks \(heading)")
      }
    }
    let replay = try ToolRun.bash("MANWIDTH=78 man -l \(prefix)/share/man/man1/xferlog-replay.1 | col -b").text
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(replay.contains("xferlog-replay - report lost completions and other faults in a log, with evidence"))
    for text in ["--fail-on", "--since", "xferlog replay run.xlog --step", "xferlog(1)"] {
      #expect(replay.contains(text), "\(text)")
    }
    let get = try ToolRun.bash("MANWIDTH=78 man -l \(prefix)/share/man/man1/xfer-get.1 | col -b").text
    for text in ["xfer get [OPTION...] URL...", "--parallel-max", "CONNECTION"] {
      #expect(get.contains(text), "\(get.prefix(400))")
    }
  }

  @Test func `A completion that is installed for bash completes a task`() throws {
    let prefix = try Self.installation.get().prefix
    let folder = TemporaryDirectory()
    let log = try RecordedLog.sample(in: folder, name: "completed.xlog")
    // What bash sets before it calls a completion function.
    let script = """
      source \(prefix)/share/bash-completion/completions/xferlog
      COMP_WORDS=(\(prefix)/bin/xferlog show \(log) --task im) COMP_CWORD=4
      COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE}
      _xferlog xferlog im --task
      printf '<%s>' "${COMPREPLY[@]}"
      """
    let run = try ToolRun.bash(script)
    #expect(run.text == "<img/7>", "\(run.standardError)")
  }

  static let mistakes: [(arguments: [String], message: String)] = [
    (["--prefix"], "--prefix needs a directory"), (["--prefx", "/tmp"], "unknown argument '--prefx'"),
    (["--prefix", "/proc/nowhere"], "/proc/nowhere cannot be written to"),
  ]

  @Test(arguments: mistakes)
  func `A mistake is one clear sentence`(_ mistake: (arguments: [String], message: String)) throws {
    let run = try ToolRun(
      ToolRun.checkout + "/Samples/install", mistake.arguments, environment: ["XFERLOG_BIN": ToolRun.directory])
    #expect(run.status == 2)
    #expect(run.standardError.hasPrefix("install: \(mistake.message)"), "\(run.standardError)")
  }
}
