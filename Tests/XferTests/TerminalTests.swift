import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests of what `xfer` prints on a terminal, and of interruptions.
@Suite(.timeLimit(.minutes(2))) struct TerminalTests {
  /// Runs a script with a terminal as its output. `$xfer` is the program.
  private static func onTerminal(_ script: String, _ bench: Bench) throws -> ToolRun {
    try ToolRun(
      "/usr/bin/script", ["-qec", script, "/dev/null"],
      environment: bench.environment.merging(["xfer": "\(ToolRun.directory)/xfer", "SHELL": "/bin/bash", "TERM": "xterm"]) { $1 },
      in: bench.path("work"))
  }

  /// Returns the printed lines without control sequences.
  private static func lines(_ run: ToolRun) -> [String] {
    run.text.replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "").split(whereSeparator: \.isNewline).map(String.init)
  }

  /// A body of 600 KB at 300 KB/s.
  private static let slow = ScriptedResponse(
    headers: ["ETag": "\"1\""], body: .generated(size: 600_000), rate: 300_000)

  @Test(arguments: [30, 60, 100])
  func `Progress shows the rate and the time left, and fits the terminal`(columns: Int) async throws {
    try await Bench.run([.init("/a-file-with-a-rather-long-name.bin", Self.slow)]) { bench in
      let run = try Self.onTerminal("stty cols \(columns); $xfer get \(bench.url("/a-file-with-a-rather-long-name.bin"))", bench)
      #expect(run.status == 0, "\(run.text)")
      let bars = Self.lines(run).filter { !$0.hasPrefix("xfer: 1 file,") }
      #expect(bars.allSatisfy { $0.count < columns }, "\(bars)")
      let summary = try #require(bars.last { $0.hasPrefix("xfer: 0 of 1 file") })
      if columns >= 60 { #expect(bars.contains { $0.contains("/s") && $0.contains("s left") }, "\(bars)") }
      #expect(columns < 60 || summary.contains("KiB/s"))
      #expect(bars.contains { $0.contains("[#") } == (columns >= 80))
    }
  }

  @Test
  func `Failed files are counted apart from those that are done`() async throws {
    try await Bench.run([.init("/a", .generated(5)), .init("/slow", Self.slow)]) { bench in
      let run = try Self.onTerminal(
        "stty cols 100; $xfer get \(bench.url("/none")) \(bench.url("/a")) \(bench.url("/slow"))", bench)
      #expect(run.status == 22)
      #expect(Self.lines(run).contains { $0.hasPrefix("xfer: 1 of 3 files, 1 failed, ") }, "\(run.text)")
    }
  }

  @Test
  func `The summary tells where files were saved`() async throws {
    try await Bench.run([.init("/a", .generated(5)), .init("/b", .generated(5))]) { bench in
      let one = try bench.get(bench.url("/a")).standardError
      #expect(one.hasSuffix(", saved as a\n"))
      let elsewhere = try bench.get("--output-dir", "new", bench.url("/a"), bench.url("/b")).standardError
      #expect(elsewhere.hasSuffix(", saved in new\n"))
      let several = try bench.get(bench.url("/a"), bench.url("/b")).standardError
      #expect(several.hasSuffix("/work\n"))
      let none = try bench.get(bench.url("/none")).standardError
      #expect(!none.contains("saved"))
    }
  }

  @Test
  func `Binary data is not written to a terminal unless standard output is named`() async throws {
    try await Bench.run([.init("/f", ScriptedResponse(body: "a\u{0}b\n")), .init("/t", ScriptedResponse(body: "text\n"))]) {
      bench in
      let refused = try Self.onTerminal("$xfer request \(bench.url("/f"))", bench)
      #expect(refused.status == 23 && refused.text.contains("the response is binary; save it with -o FILE"), "\(refused.text)")
      #expect(!refused.standardOutput.contains(0))
      let asked = try Self.onTerminal("$xfer request -o - \(bench.url("/f"))", bench)
      let text = try Self.onTerminal("$xfer request \(bench.url("/t"))", bench)
      let piped = try bench.request([bench.url("/f")])
      #expect(asked.standardOutput.contains(0) && text.text.contains("text") && piped.standardOutput.contains(0))
    }
  }

  @Test(arguments: [[], ["-o", "other name"]])
  func `An interrupted download tells how to resume it, and resuming counts only new bytes`(options: [String]) async throws {
    // Only a large partial file is kept.
    let large = ScriptedResponse(headers: ["ETag": "\"1\""], body: .generated(size: 3_000_000), rate: 1_000_000)
    try await Bench.run([.init("/f.bin", large)]) { bench in
      let process = ToolRun.process(
        "xfer", ["get"] + options + [bench.url("/f.bin")], environment: bench.environment, in: bench.path("work"))
      let output = Pipe()
      process.standardError = output
      try process.run()
      while process.isRunning, !bench.files.values.contains(where: { $0.count >= 1_500_000 }) { usleep(5000) }
      process.interrupt()
      process.waitUntilExit()
      let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      #expect(process.terminationStatus == 130)
      let name = options.isEmpty ? "" : "-o 'other name' "
      let pattern = try Regex("interrupted at [0-9]+ %; resume with: xfer get -C - \(name)\(bench.url("/f.bin"))\n")
      #expect(said.contains(pattern), "\(said)")
      #expect(!said.contains("to see the causes"))

      let resumed = try bench.get(["-C", "-"] + options + [bench.url("/f.bin")])
      #expect(resumed.status == 0, "\(resumed.standardError)")
      #expect(bench.files[options.last ?? "f.bin"]?.count == 3_000_000)
      // The server sends a megabyte per second, however much was there before.
      let rate = try #require(resumed.standardError.firstMatch(of: /\(([0-9.]+) KiB\/s\)/)).1
      #expect(Double(rate) ?? 9999 < 1300, "\(resumed.standardError)")
    }
  }
}
