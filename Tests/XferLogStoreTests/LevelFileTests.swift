import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests of level rules, their text form and their file.
struct LevelFileTests {
  @Test(arguments: [
    ("com.example:transfer=debug", "com.example:transfer=debug"), ("com.example=D", "com.example=debug"),
    ("com.example:*=notice", "com.example=default"), ("*=i", "*=info"), ("*:*=info", "*=info"),
    ("*:transfer=debug", "*:transfer=debug"), ("com.example:a:b=debug", "com.example:a:b=debug"),
    ("日本:語 1=info", "日本:語 1=info"),
  ])
  func `A rule is parsed from its common spellings and formatted canonically`(text: String, written: String) throws {
    let rule = try LevelRule(text)
    #expect(rule.description == written)
    #expect(try LevelRule(rule.description) == rule)
  }

  @Test(arguments: [
    ("com.example", "has no level"), ("com.example=loud", "'loud' is not a level"), ("a=error", "always written"),
    ("a=fault", "always written"), ("=debug", "the subsystem is empty"), ("a:=debug", "the category is empty"),
    ("a.*=debug", "contains a *"), ("a,b=debug", "a comma"), ("a=b=debug", "an equals sign"), ("a\u{1b}=debug", "a control"),
    (String(repeating: "a", count: 256) + "=debug", "256 bytes"), ("", "has no level"),
  ])
  func `An invalid rule is rejected with advice`(text: String, problem: String) {
    #expect {
      try LevelRule(text)
    } throws: { error in
      "\(error)".contains(problem) && !(error as! LevelPattern.Problem).advice.isEmpty
    }
  }

  @Test func `The most specific rule applies, and a subsystem is more specific than a category`() throws {
    var rules = LevelRules()
    func level() -> Level? { rules.level(subsystem: "s", category: "c") }
    #expect(level() == nil)
    for (rule, expected) in [
      ("other:c=debug", nil), ("*=debug", .debug), ("*:c=info", .info), ("s=debug", .debug), ("*:d=info", .debug),
      ("s:c=default", .default), ("s:d=debug", .default),
    ] as [(String, Level?)] {
      rules.set(try LevelRule(rule))
      #expect(level() == expected, "\(rule)")
    }
    rules.set(try LevelRule("s:c=info"))
    #expect(level() == .info)
    #expect(rules.rules.count == 7)
  }

  @Test(arguments: seeds(50, campaign: 5000))
  func `The recorded text of the levels is read back, and a truncated text is rejected`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let levels = try Self.levels(&random)
    #expect(LevelsInForce(text: levels.text) == levels, "seed \(seed)")
    let cut = String(levels.text.prefix(Int.random(in: 0..<levels.text.count, using: &random))) + "…"
    #expect(LevelsInForce(text: cut) == nil, "seed \(seed)")
  }

  private static func levels(_ random: inout SeededRandom) throws -> LevelsInForce {
    let names = ["*", "a", "com.example", "日本", "x y", "attempt"]
    let rules = try (0..<Int.random(in: 0..<9, using: &random)).map { _ in
      let pattern = "\(names.randomElement(using: &random)!):\(names.randomElement(using: &random)!)"
      return LevelRule(try LevelPattern(pattern), [.debug, .info, .default].randomElement(using: &random)!)
    }
    return LevelsInForce(lowest: [.debug, .default].randomElement(using: &random)!, rules: LevelRules(rules))
  }

  @Test(arguments: seeds(20, campaign: 500))
  func `A file is read back as written, and rejected if any bit is changed`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let file = LevelFile(generation: random.next(), rules: try Self.levels(&random).rules)
    let bytes = file.encoded()
    #expect(try bytes.withUnsafeBytes { try LevelFile($0) } == file, "seed \(seed)")
    for bit in 0..<bytes.count * 8 {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      let read = try? changed.withUnsafeBytes { try LevelFile($0) }
      let isMark = (LevelFile.superseded..<LevelFile.superseded + 4).contains(bit / 8)
      #expect(read == (isMark ? file : nil), "seed \(seed), bit \(bit)")
    }
    for count in bytes.indices {
      #expect((try? bytes[..<count].withUnsafeBytes { try LevelFile($0) }) == nil, "seed \(seed), \(count) bytes")
    }
  }
}
