import Foundation
import LogTestSupport
import Testing

@testable import xferlog

/// `xferlog tutorial`.
@Suite struct TutorialTests {
  @Test func `Without a terminal, all steps run at once`() throws {
    let run = try ToolRun.xferlog("tutorial")
    #expect(run.status == 0)
    #expect(run.standardError == "")
    var rest = run.text[...]
    for (place, step) in TutorialStep.all.enumerated() {
      let heading = "\n\(place + 1) of \(TutorialStep.all.count): \(step.title)\n"
      let found = try #require(rest.range(of: heading), "\(heading)")
      rest = rest[found.upperBound...]
      let command = try #require(rest.range(of: "\n$ \(step.commandLine)\n"), "\(step.commandLine)")
      rest = rest[command.upperBound...]
      #expect(!rest.hasPrefix("\n"))
    }
    #expect(run.text.contains("lost-completion (certain)"))
    #expect(run.text.contains("(exit code 1: 1 finding: lost-completion)"))
    #expect(run.text.contains("verdict: clean"))
  }

  @Test(arguments: TutorialStep.all)
  func `A step prints what its command prints`(_ step: TutorialStep) throws {
    let number = try #require(TutorialStep.all.firstIndex { $0.title == step.title }) + 1
    let tutorial = try ToolRun.xferlog("tutorial", "\(number)").text
    let samples = ToolRun.checkout + "/Samples"
    let alone = try ToolRun.bash(
      "cd \(samples); \(step.commandLine.replacing("xferlog ", with: "$xferlog ", maxReplacements: 1))")
    #expect([0, 1].contains(alone.status))
    #expect(!alone.text.isEmpty)
    #expect(tutorial.contains("$ \(step.commandLine)\n\(alone.text)"))
    #expect(tutorial.contains("The sample logs are in \(samples)."))
  }

  @Test func `On a terminal, it waits for Enter, and ends after q`() throws {
    let terminal = try PseudoTerminal(ToolRun.tool, ["tutorial"], environment: ["TERM": "dumb"], columns: 60)
    let first = try terminal.wait(for: "Press Enter for the next step, or q and Enter to end.")
    #expect(first.contains("1 of ") && !first.contains("2 of "))
    #expect(first.split(separator: "\r\n").allSatisfy { $0.count <= 60 })
    terminal.type("\n")
    #expect(try terminal.wait(for: "Press Enter").contains("2 of "))
    terminal.type("q\n")
    let (text, status) = terminal.finish()
    #expect(status == 0)
    #expect(!text.contains("3 of "))
  }

  @Test func `It begins with a given step, and rejects others`() throws {
    let last = TutorialStep.all.count
    let run = try ToolRun.xferlog("tutorial", "\(last)")
    #expect(run.text.contains("\(last) of \(last)") && !run.text.contains("\(last - 1) of \(last)"))
    for step in ["0", "\(last + 1)", "99999999999999999999"] { #expect(try ToolRun.xferlog("tutorial", step).status == 2) }
  }

  @Test func `Without samples, a message says where they come from`() throws {
    let run = try ToolRun.xferlog("tutorial", environment: ["XFERLOG_SAMPLES": "/nowhere"])
    #expect(run.status == 2)
    #expect(run.standardError.contains("Samples/install --prefix DIR"), "\(run.standardError)")
  }
}
