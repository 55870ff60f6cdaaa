import Testing
import XferRules
import XferYAML

/// Rule files that attack the reader. A rule file may come with somebody else's project.
struct HostileRuleFileTests {
  struct Attack: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    let says: String
    var testDescription: String { name }

    init(_ name: String, _ text: String, _ says: String) { self.init(name, Array(text.utf8), says) }

    init(_ name: String, _ bytes: [UInt8], _ says: String) {
      (self.name, self.bytes, self.says) = (name, bytes, says)
    }
  }

  private static let many = 200_000

  /// Lists, each of which refers to the one before nine times.
  private static var bomb: String {
    (1...9).reduce("bomb0: &a0 [x, x, x, x, x, x, x, x, x]\n") { text, level in
      text + "bomb\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ") + "]\n"
    }
  }

  private static func nested(_ depth: Int, around value: String = "x") -> String {
    String(repeating: "[", count: depth) + value + String(repeating: "]", count: depth)
  }

  static let attacks = [
    Attack("open brackets", String(repeating: "[", count: many), "nested too deeply"),
    Attack("open braces", String(repeating: "{a: ", count: many), "nested too deeply"),
    Attack("nested blocks", String(repeating: "- ", count: many), "nested too deeply"),
    Attack("nested complex keys", String(repeating: "? ", count: many), "nested too deeply"),
    Attack("closed brackets", String(repeating: "[", count: 900) + String(repeating: "]", count: 900), "nested too deeply"),
    Attack("an anchor of two values", "rules: [&a x, &a y]", "duplicate anchor"),
    Attack(
      "a reference that exceeds the depth", "a: &a \(nested(12))\nb: &b \(nested(12, around: "*a"))", "nested too deeply"),
    Attack("a list in itself", "rules: &a [*a]", "nested too deeply"),
    Attack("a mapping as its own key", "&a {*a : 1}", "nested too deeply"),
    Attack("multiplied references", bomb, "too many values"),
    Attack("an unknown reference", "rules: *nothing", "undefined alias"),
    Attack("anchors without values", String(repeating: "&a ", count: many), "invalid YAML"),
    Attack("many equal keys", String(repeating: "k: v\n", count: many), "duplicate key `k`, first in line 1"),
    Attack("many keys", (0..<50_000).map { "k\($0): v\n" }.joined(), "a rule file has no key `k0`"),
    Attack("too many keys", (0..<150_000).map { "k\($0): v\n" }.joined(), "too many values"),
    Attack("a long key", String(repeating: "k", count: 1 << 20) + ": v", "invalid YAML"),
    Attack("an unclosed quotation", "rules: \"" + String(repeating: "x", count: 1 << 20), "unexpected end of stream"),
    Attack("a directive of a later version", "%YAML 9.9\n---\nrules: []", "incompatible YAML document"),
    Attack("two documents", "rules: []\n---\nrules: []", "second YAML document"),
    Attack("zero bytes", [UInt8](repeating: 0, count: 4096), "control characters are not allowed"),
    Attack("bytes that are not UTF-8", [0x72, 0x75, 0x6c, 0x65, 0x73, 0x3a, 0x20, 0xff, 0xfe], "invalid leading UTF-8 octet"),
    Attack("half a character of UTF-16", [0xff, 0xfe, 0x3d, 0xd8], "incomplete UTF-16 surrogate pair"),
    Attack("only a byte-order mark", [0xef, 0xbb, 0xbf], "the file is empty"),
  ]

  @Test(arguments: attacks)
  func `An attack is an error in the file`(_ attack: Attack) throws {
    let error = try #require(throws: RuleErrors.self) { try RuleFile(name: "rules.yaml", bytes: attack.bytes) }
    #expect("\(error)".contains(attack.says), "\("\(error)".prefix(300))")
  }

  @Test func `A file that is cut anywhere is read or is an error with a place`() {
    let bytes = Array(WrittenRules.rule("when: task.transferred\nexpect: {event: task.completed, within: 5s}").utf8)
    var errors = 0
    for count in bytes.indices {
      do throws(RuleErrors) {
        _ = try RuleFile(name: "rules.yaml", bytes: Array(bytes.prefix(count)))
      } catch {
        errors += 1
        #expect(error.errors.allSatisfy { $0.place?.file == "rules.yaml" }, "cut at \(count)")
      }
    }
    #expect(errors > bytes.count / 2)
  }
}
