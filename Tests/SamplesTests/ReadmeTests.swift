import Foundation
import LogTestSupport
import Testing

/// The front page shows what the tools print: a line that is not printed any more is a lie.
struct ReadmeTests {
  /// `$ xferlog …` and the lines below it, up to the next one.
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
  func `What the front page shows is what the tools print`() throws {
    let excerpts = try Self.excerpts()
    #expect(excerpts.count == 2)
    for excerpt in excerpts {
      let run = try ToolRun("xferlog", excerpt.command, in: Sample.root)
      var printed = run.lines[...]
      for line in excerpt.lines {
        // The page leaves lines out, and the date.
        guard let place = printed.firstIndex(where: { $0.hasSuffix(line) }) else {
          Issue.record("\(excerpt.command) does not print, or not there: \(line)")
          continue
        }
        printed = printed[(place + 1)...]
      }
      #expect(!excerpt.lines.isEmpty)
    }
  }
}
