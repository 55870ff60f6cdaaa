import Foundation
import LogTestSupport
import Testing

@testable import XferImport

/// The lines of foreign logs.
@Suite struct LineSourceTests {
  private static func lines(_ bytes: [UInt8]) throws -> [(UInt64, UInt64, String)] {
    let directory = TemporaryDirectory()
    let source = try #require(LineSource(path: directory.write(bytes, to: "text")))
    var lines: [(UInt64, UInt64, String)] = []
    while let line = source.next() { lines.append((line.number, line.offset, line.bytes.text)) }
    return lines
  }

  @Test func `Lines have their numbers and offsets whatever ends them`() throws {
    let lines = try Self.lines(Array("one\r\n\ntwo\0three\n\u{00e9}".utf8) + [0xFF, 0x0A])
    #expect(lines.map(\.0) == [1, 2, 3, 3, 4])
    #expect(lines.map(\.1) == [0, 5, 6, 10, 16])
    #expect(lines.map(\.2) == ["one", "", "two", "three", "é\u{FFFD}"])
  }

  @Test func `A byte order mark is not part of the first line`() throws {
    #expect(try Self.lines([0xEF, 0xBB, 0xBF] + Array("a".utf8)).map(\.2) == ["a"])
    #expect(try Self.lines([]).isEmpty)
  }

  @Test func `A line that is too long is cut, and the next line keeps its number`() throws {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: 5 << 20)
    let directory = TemporaryDirectory()
    let source = try #require(
      LineSource(path: directory.write(Array("a\n".utf8) + long + Array("\nb\nc".utf8), to: "text")))
    var (numbers, counts): ([UInt64], [Int]) = ([], [])
    while let line = source.next() {
      numbers.append(line.number)
      counts.append(line.bytes.count)
    }
    #expect(numbers == [1, 2, 3, 4] && counts == [1, LineSource.longest, 1, 1])
    #expect(source.cutLines == 1)
  }

  /// Lines of random lengths, so that they end at all places of the buffer.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func `A source gives every line of a text`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let lines = (0..<400).map { _ in String(repeating: "x", count: Int.random(in: 0...6000, using: &random)) }
    let read = try Self.lines(Array(lines.joined(separator: "\n").utf8) + [0x0A])
    #expect(read.map(\.2) == lines)
    #expect(read.map(\.0) == Array(1...400))
  }
}
