import LogTestSupport
import Testing

@testable import XferImport

/// `JSONTree` accepts the same texts as `JSONReader`, with the same values.
@Suite struct JSONTreeTests {
  private let tree = JSONTree()

  /// A description of a value that tells all values apart.
  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .integer(let number): "integer \(number)"
    case .real(let number): "real \(number)"
    case .string(let text): text.debugDescription
    case .array(let elements): "[\(elements.map(text).joined(separator: ","))]"
    case .object(let members): "{\(members.map { "\($0.key.debugDescription):\(text($0.value))" }.joined(separator: ","))}"
    }
  }

  /// What the tree and the reader make of a text; `nil` if they refuse it.
  private func values(_ bytes: [UInt8]) -> (tree: String?, reader: String?) {
    let reader = JSONReader(bytes)
    let expected = reader.value().flatMap { reader.isFinished ? Self.text($0) : nil }
    let found = bytes.withUnsafeBytes { tree.read($0).map { Self.text($0.value) } }
    return (found, expected)
  }

  @Test(arguments: [
    #"{}"#, #"[]"#, #" {"a" : [1, -2.5e3, "x\u00e9\n\ud83d\ude00", true, false, null], "b": {"c": 9007199254740993}} "#,
    #"{"a":1 "b":2,}"#, #"[1,,2]"#, #"[1 2]"#, #"{"a":1}{"b":2}"#, #"{"a":"#, #"{"a":"x\"#, #"{"a" 1}"#, #"{a:1}"#, #"nope"#,
    #"-"#, #""#, #" "#,
    #"{"a\u0062":1,"ab":2}"#, #"123456789012345678"#, #"9223372036854775807"#, #"9223372036854775808"#, #"-5"#, #"+5"#, #"0x10"#,
    #"1e400"#,
    "\u{FEFF}{\"a\":1}", "{\"a\":\"\u{1}\"}", "{\"a\":\n1}\r\n",
    "[\"\(String(repeating: "x", count: 70_000))\",\"\(String(repeating: "y\\n", count: 40_000))\"]",
  ])
  func `The tree and the reader agree`(_ text: String) {
    let found = values(Array(text.utf8))
    #expect(found.tree == found.reader)
  }

  @Test func `The tree and the reader agree on the limits of depth and size`() {
    for depth in [198, 199, 200, 201, 50_000] {
      let found = values(Array((String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)).utf8))
      #expect(found.tree == found.reader && (found.tree == nil) == (depth >= 200), "depth \(depth)")
    }
    for count in [JSONReader.mostValues - 3, JSONReader.mostValues - 2, JSONReader.mostValues - 1, JSONReader.mostValues] {
      let found = values(Array(("[" + String(repeating: "1,", count: count) + "]").utf8))
      #expect(found.tree == found.reader && (found.tree == nil) == (count >= JSONReader.mostValues - 1), "\(count) values")
    }
  }

  private static let lines = [
    #"{"schema":"xferlog.event/1","time":"2026-11-20T14:02:07.5Z","mono":"17","event":"task.created","task":{"uid":"6b29fc40-ca47-1067-b31d-00dd010662da","session":"s","number":1},"fields":{"host":"a\u00fc.example","path":{"cut":"/a","bytes":9},"intent":null}}"#,
    #"[{"a":[[],{},"",0,-0,1.5]},"\\\"\/\b\f\n\r\t",  true ,false,null]"#,
  ]

  @Test(arguments: seeds(200, campaign: 20_000))
  func `The tree and the reader agree on changed lines`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let signs = Array(#"{}[],:"\u0d8e-+. tfn1\#u{1}é"#.utf8)
    for line in Self.lines {
      var bytes = Array(line.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = signs[Int.random(in: 0..<signs.count, using: &random)]
        case 1: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        case 2: bytes.insert(signs[Int.random(in: 0..<signs.count, using: &random)], at: place)
        default: if bytes.count > 1 { bytes.remove(at: place) }
        }
      }
      let found = values(bytes)
      #expect(found.tree == found.reader, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test func `The properties of a node are those of a value`() throws {
    let text = #"""
      {"integer":12,"large":9223372036854775807,"real":2.9,"digits":"34","signed":"-34","empty":"","text":"a\u0062","plain":"ab","flag":true,
      "nothing":null,"array":[1,"2"],"object":{"a":1},"uuid":"6b29fc40-ca47-1067-b31d-00dd010662da","wide":"18446744073709551615"}
      """#
    try Array(text.utf8).withUnsafeBytes { bytes in
      let node = try #require(tree.read(bytes))
      let value = node.value
      func check(_ key: StaticString) {
        let (one, other) = (node[key], value[key.description])
        #expect((one == nil) == (other == nil), "\(key)")
        #expect(one?.text == other?.text && one?.integer == other?.integer && one?.flag == other?.flag, "\(key)")
        #expect(one?.isObject == other?.isObject && one?.isArray == other.map { !$0.elements.isEmpty }, "\(key)")
      }
      for key: StaticString in ["integer", "large", "real", "digits", "signed", "empty", "text", "plain", "flag"] { check(key) }
      for key: StaticString in ["nothing", "array", "object", "missing", "uuid", "wide"] { check(key) }
      #expect(node["empty"]?.string == "" && node["integer"]?.string == nil)
      #expect(node["text"]?.equals("ab") == true && node["plain"]?.equals("ab") == true && node["plain"]?.equals("a") == false)
      #expect(node["wide"]?.unsigned == .max && node["digits"]?.unsigned == 34 && node["text"]?.hexadecimal == 0xAB)
      #expect(node["uuid"]?.uuid?.high == 0x6B29_FC40_CA47_1067 && node["plain"]?.uuid == nil)
    }
  }
}
