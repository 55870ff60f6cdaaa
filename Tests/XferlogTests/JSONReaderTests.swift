import LogTestSupport
import Testing

@testable import XferImport

/// Reading JSON documents in pieces.
@Suite struct JSONReaderTests {
  private static func value(_ text: String) -> JSONValue? { JSONReader(Array(text.utf8)).value() }

  @Test func `Values of all kinds are read`() {
    let value = Self.value(#" {"a": [1, -2.5, "x\u00e9\n", true, null], "b": {"c": 9007199254740993}} "#)
    #expect(value?["a"]?.elements.count == 5)
    #expect(value?["a"]?.elements[1].number == -2.5)
    #expect(value?["a"]?.elements[2].text == "xé\n")
    #expect(value?[["b", "c"]]?.integer == 9_007_199_254_740_993)
  }

  struct Flawed: Sendable {
    let text: String
    let line: UInt64
    let column: UInt64
    let isCut: Bool
  }

  @Test(arguments: [
    Flawed(text: "{\"a\": 1,\n \"b\" 2}", line: 2, column: 6, isCut: false),
    Flawed(text: "{\"a\": [1, 2", line: 1, column: 12, isCut: true),
    Flawed(text: "{\"a\": \"unfini", line: 1, column: 14, isCut: true),
    Flawed(text: "{\"a\": nope}", line: 1, column: 11, isCut: false), Flawed(text: "", line: 1, column: 1, isCut: true),
  ])
  func `A mistake is reported with its place`(_ flawed: Flawed) {
    let reader = JSONReader(Array(flawed.text.utf8))
    #expect(reader.value() == nil)
    #expect(reader.flaw?.line == flawed.line)
    #expect(reader.flaw?.column == flawed.column)
    #expect(reader.flaw?.isCut == flawed.isCut)
  }

  @Test func `A long string is cut, and a deep value is refused`() {
    let reader = JSONReader(Array("[\"\(String(repeating: "x", count: 1 << 20))\", 2]".utf8))
    let value = reader.value()
    #expect(value?.elements.first?.text?.utf8.count == JSONReader.longestString)
    #expect(value?.elements.last?.integer == 2)
    #expect(reader.cutStrings == 1)
    #expect(Self.value(String(repeating: "[", count: 100_000)) == nil)
  }

  @Test func `A document larger than the buffer is read element by element`() throws {
    let directory = TemporaryDirectory()
    let text =
      "{\"skipped\": {\"deep\": [1, {\"x\": \"]\"}]}, \"items\": ["
      + (0..<20_000).map { "{\"n\": \($0)}" }.joined(separator: ",\n") + "]}"
    let path = try directory.write(Array(text.utf8), to: "large.json")
    let reader = try #require(JSONReader(path: path))
    #expect(reader.beginObject())
    #expect(reader.nextKey() == "skipped")
    reader.skip()
    #expect(reader.nextKey() == "items")
    #expect(reader.beginArray())
    var sum: Int64 = 0
    while reader.nextElement() { sum += reader.value()?["n"]?.integer ?? 0 }
    #expect(sum == 199_990_000)
    #expect(reader.nextKey() == nil)
    #expect(reader.flaw == nil)
    #expect(reader.line == 20_000)
  }
}
