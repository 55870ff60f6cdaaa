import Foundation
import LogTestSupport
import Testing
import XferReport

/// The recipes of `xferlog collect-help`, and the article that contains the same commands.
@Suite struct CollectHelpTests {
  private static func recipe(_ system: CollectionSystem) -> CollectionRecipe { .of(system) }

  @Test func `Without an argument, the command lists the systems`() throws {
    let run = try ToolRun.xferlog("collect-help")
    #expect(run.status == 0)
    #expect(run.lines.map { $0.prefix { $0 != " " } } == ["apple", "linux", "android"])
    #expect(run.standardError.isEmpty)
  }

  @Test(arguments: CollectionSystem.allCases)
  func `A recipe has numbered steps, each with what it shows and what it cannot show`(_ system: CollectionSystem) throws {
    let run = try ToolRun.xferlog("collect-help", system.rawValue)
    #expect(run.status == 0)
    let recipe = Self.recipe(system)
    #expect(run.lines.first == recipe.title)
    let steps = recipe.steps.count
    #expect(steps >= 5)
    for number in 1...steps { #expect(run.lines.contains { $0.hasPrefix("\(number). ") }) }
    #expect(!run.lines.contains { $0.hasPrefix("\(steps + 1). ") })
    #expect(run.lines.filter { $0.hasPrefix("   Shows: ") }.count == steps)
    #expect(run.lines.filter { $0.hasPrefix("   Cannot show: ") }.count == steps)
    #expect(run.lines.filter { $0.hasPrefix("- ") }.count == recipe.limits.count)
  }

  @Test(arguments: CollectionSystem.allCases)
  func `A command is printed on one line and can be pasted into a shell`(_ system: CollectionSystem) throws {
    let printed = try ToolRun.xferlog("collect-help", system.rawValue).lines
    let commands = Self.recipe(system).steps.flatMap(\.commands)
    #expect(printed.filter { $0.hasPrefix("     $ ") }.map { String($0.dropFirst(7)) } == commands)
    for command in commands {
      let check = try ToolRun("/bin/bash", ["-n", "-c", command])
      #expect(check.status == 0, "\(command): \(check.standardError)")
    }
  }

  @Test(arguments: CollectionSystem.allCases)
  func `A line of running text fits a terminal`(_ system: CollectionSystem) throws {
    for line in try ToolRun.xferlog("collect-help", system.rawValue).lines where !line.hasPrefix("     $ ") {
      #expect(line.count <= 88, "\(line)")
    }
  }

  @Test func `An unknown system is wrong usage and names the known ones`() throws {
    let run = try ToolRun.xferlog("collect-help", "windows")
    #expect(run.status == 2)
    #expect(run.text.isEmpty)
    for system in CollectionSystem.allCases { #expect(run.standardError.contains(system.rawValue), "\(run.standardError)") }
  }

  @Test(arguments: CollectionSystem.allCases)
  func `The article ConsoleDump contains every command of a recipe`(_ system: CollectionSystem) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appendingPathComponent("Sources/xferlog/xferlog.docc/ConsoleDump.md"), encoding: .utf8)
    let lines = Set(article.split(separator: "\n").map { $0.drop { $0 == " " } })
    for command in Self.recipe(system).steps.flatMap(\.commands) { #expect(lines.contains("$ \(command)"), "\(command)") }
  }
}
