import Foundation
import LogTestSupport
import Testing

/// Commands that cannot end at once when the user presses Ctrl-C.
@Suite struct SlowEndTests {
  private static let log = "\(ToolRun.checkout)/Samples/hundred-tasks-five-at-a-time/log.xlog"

  @Test(arguments: [["query", #"eventMessage~"(.*.*.*.*.*.*)*z$""#, log], ["show", "-g", "(.*.*.*.*.*.*)*z$", log]])
  func `A second after Ctrl-C, a command says that it has not ended, and a second Ctrl-C ends it`(arguments: [String]) throws {
    let terminal = try PseudoTerminal(ToolRun.tool, arguments + ["--no-pager"])
    // The regular expression is matched for hours.
    while try #require(terminal.processorTime) < 30 { poll(nil, 0, 10) }
    terminal.type("\u{3}")
    try terminal.wait(for: "xferlog: ending; press Ctrl-C again")
    terminal.type("\u{3}")
    #expect(terminal.finish().status == 130)
  }

  @Test func `A command that ends at once says nothing`() throws {
    let terminal = try PseudoTerminal(ToolRun.tool, ["tail", "-f", Self.log, "--no-color"])
    try terminal.wait(for: "log.closed")
    terminal.type("\u{3}")
    let end = terminal.finish()
    #expect(end.status == 130 && !end.text.contains("press Ctrl-C again"), "\(end)")
  }
}
