import Foundation
import LogTestSupport
import Testing

/// Tests that the README shows the actual output of the tools.
struct ReadmeTests {
  /// A command line `$ xferlog …` in the README and the lines of output below it.
  private struct Excerpt {
    let command: [String]
    var lines: [String] = []
  }

  private static func excerpts() throws -> [Excerpt] {
    let text = try String(contentsOfFile: "\(Sample.root)/README.md", encoding: .utf8)
    var excerpts: [Excerpt] = []
    var isOpen = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("$ xferlog ") {
        excerpts.append(Excerpt(command: line.dropFirst("$ xferlog ".count).split(separator: " ").map(String.init)))
        isOpen = true
      } else if line.hasPrefix("```") {
        isOpen = false
      } else if isOpen, !line.isEmpty, line != "…" {
        excerpts[excerpts.count - 1].lines.append(line)
      }
    }
    return excerpts
  }

  @Test
  func `The output shown in the README is what the tools print`() throws {
    let excerpts = try Self.excerpts()
    #expect(excerpts.count == 2)
    for excerpt in excerpts {
      let run = try ToolRun("xferlog", excerpt.command, in: Sample.root)
      var printed = run.lines[...]
      for line in excerpt.lines {
        // The README leaves out the dates and some lines.
        guard let place = printed.firstIndex(where: { $0.hasSuffix(line) }) else {
          Issue.record("\(excerpt.command) does not print this line, or not in this order: \(line)")
          continue
        }
        printed = printed[(place + 1)...]
      }
      #expect(!excerpt.lines.isEmpty)
    }
  }
}
