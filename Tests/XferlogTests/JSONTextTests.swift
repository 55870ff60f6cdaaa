import Foundation
import LogTestSupport
import Testing
import XferReport

@Suite struct JSONTextTests {
  private func json(_ write: (inout JSONText) -> Void) -> String {
    var json = JSONText()
    write(&json)
    let text = json.finished()
    return text.string
  }

  @Test func `Objects and lists are separated by commas without spaces`() {
    let text = json { json in
      json.beginObject()
      json.member("a", 1)
      json.array("b", [1, 2]) { $1.integer($0) }
      json.object("c") { _ in }
      json.object("d") { $0.member("e", true) }
      json.key("f")
      json.null()
      json.prepared([])
      json.prepared(Array(#""g":[]"#.utf8))
      json.endObject()
    }
    #expect(text == #"{"a":1,"b":[1,2],"c":{},"d":{"e":true},"f":null,"g":[]}"#)
  }

  @Test func `Strings are escaped where JSON or a terminal requires it`() {
    #expect(
      json { $0.string("a\"b\\c\n\r\t\u{1}\u{7f}\u{85}\u{2028}\u{2029}\u{202e}é日\u{e0001}🚀" as String) }
        == #""a\"b\\c\n\r\t\u0001\u007f\u0085\u2028\u2029\u202eé日\udb40\udc01🚀""#)
  }

  @Test func `Integers are written exactly, and non-finite numbers are null`() {
    #expect(json { $0.integer(Int64.min) } == "-9223372036854775808")
    #expect(json { $0.integer(UInt64.max) } == "18446744073709551615")
    #expect(json { $0.integerString(UInt64.max) } == #""18446744073709551615""#)
    for power in 0..<20 {
      #expect(json { $0.integer(UInt64(pow(10.0, Double(power)))) } == "1" + String(repeating: "0", count: power))
    }
    for value in [Double.nan, .infinity, -.infinity] { #expect(json { $0.number(value) } == "null") }
    #expect(json { $0.number(1.5) } == "1.5")
    #expect(json { $0.hexadecimal(255) } == #""00000000000000ff""#)
    #expect(json { $0.uuid(0x0123_4567_89ab_cdef, 1) } == #""01234567-89ab-cdef-0000-000000000001""#)
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `Another JSON reader returns any string unchanged`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let scalars = (0..<64).compactMap { _ in
      Unicode.Scalar(UInt32.random(in: 0..<(Bool.random(using: &random) ? 0x100 : 0x11_0000), using: &random))
    }
    let string = String(String.UnicodeScalarView(scalars))
    let text = json { json in
      json.beginObject()
      json.key(string)
      json.string(string)
      json.endObject()
    }
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String]
    #expect(object?.count == 1)
    #expect(object?.first.map { Array($0.value.unicodeScalars) } == scalars)
    #expect(object?.first.map { Array($0.key.unicodeScalars) } == scalars)
  }

  @Test func `Indenting changes only white space`() throws {
    let compact = #"{"a":[1,2,{"b":"x, y: {z} \" \\"}],"c":{},"d":"\#(String(repeating: "long ", count: 30))","e":[]}"#
    var source = TextBuffer()
    source.append(compact)
    var indented = TextBuffer()
    indented.append(indenting: source, width: 40)
    let left = try JSONSerialization.jsonObject(with: Data(compact.utf8)) as? NSDictionary
    let right = try JSONSerialization.jsonObject(with: Data(indented.string.utf8)) as? NSDictionary
    #expect(left != nil && left == right)
    #expect(indented.string.hasPrefix("{\n  \"a\": [\n    1,\n    2,\n"))
    #expect(indented.string.contains("\"c\": {},\n"))
  }
}
