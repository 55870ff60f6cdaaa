import CXferPlatform
import LogTestSupport
import Testing

/// Tests of the comparison of lines with a layout, with the processor's instructions for 32 bytes and without them.
@Suite struct LayoutMatchTests {
  private static let padding = 128

  /// A line of texts and values, and its parts.
  private struct Line {
    var bytes: [UInt8] = []
    var parts: [xp_layout_part] = []

    init(_ random: inout SeededRandom) {
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let text = (0..<Int.random(in: 1...31, using: &random)).map { _ in "\":{a,".utf8.randomElement(using: &random)! } + [0x3A]
        let value = [XP_LAYOUT_NONE, XP_LAYOUT_STRING, XP_LAYOUT_DIGITS].randomElement(using: &random)!
        add(text, value)
        switch value {
        case XP_LAYOUT_STRING:
          let letters = Array("abc/ \\\\\"".utf8)
          for _ in 0..<Int.random(in: 0...80, using: &random) {
            let letter = Int.random(in: 0..<20, using: &random) == 0 ? letters.randomElement(using: &random)! : 0x61
            bytes += letter == 0x22 ? [0x5C, 0x22] : letter == 0x5C ? [0x5C, 0x6E] : [letter]
          }
          add([0x22], XP_LAYOUT_NONE)
        case XP_LAYOUT_DIGITS:
          for _ in 0..<Int.random(in: 1...20, using: &random) { bytes.append(UInt8.random(in: 0x30...0x39, using: &random)) }
          add([0x2C], XP_LAYOUT_NONE)
        default: break
        }
      }
    }

    private mutating func add(_ text: [UInt8], _ value: Int) {
      var part = xp_layout_part()
      (part.count, part.value) = (UInt32(text.count), UInt32(value))
      withUnsafeMutableBytes(of: &part.text) { $0.copyBytes(from: text) }
      withUnsafeMutableBytes(of: &part.mask) { for place in text.indices { $0[place] = 0xFF } }
      parts.append(part)
      bytes += text
    }
  }

  /// The number of bytes that match, and the places of the values if there are any.
  private struct Match: Equatable {
    var count: Int
    var places: [UInt32] = []
  }

  /// - Parameter rest: the text behind the line.
  private static func match(_ line: Line, before rest: [UInt8] = [], isSoftware: Bool) -> Match {
    var places = Array(repeating: xp_layout_place(start: 0, end: 0), count: line.parts.count)
    let text = line.bytes + rest
    let padded = text + Array(repeating: 0x22 as UInt8, count: padding)
    let function = isSoftware ? xp_layout_match_software : xp_layout_match
    let count = padded.withUnsafeBytes { function(line.parts, line.parts.count, $0.baseAddress, text.count, &places) }
    return Match(count: count, places: count == 0 ? [] : places.flatMap { [$0.start, $0.end] })
  }

  @Test(arguments: seeds(300, campaign: 20_000))
  func `Both ways find the same values in a line and in changed copies of it`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var line = Line(&random)
    let match = Self.match(line, isSoftware: false)
    #expect(match.count == line.bytes.count, "seed \(seed)")
    #expect(match == Self.match(line, isSoftware: true), "seed \(seed)")
    let rest = [0x0A] + Line(&random).bytes
    #expect(match == Self.match(line, before: rest, isSoftware: false), "seed \(seed)")
    #expect(match == Self.match(line, before: rest, isSoftware: true), "seed \(seed)")
    for round in 0..<20 {
      let place = Int.random(in: 0..<line.bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: line.bytes[place] = "\"\\a7,\n\0".utf8.randomElement(using: &random)!
      case 1: line.bytes.insert("\"\\a7,\n\0".utf8.randomElement(using: &random)!, at: place)
      default: if line.bytes.count > 1 { line.bytes.remove(at: place) }
      }
      let match = Self.match(line, isSoftware: false)
      #expect(match == Self.match(line, isSoftware: true), "seed \(seed), round \(round)")
      #expect(!line.bytes.prefix(match.count).contains { $0 == 0x0A || $0 == 0 }, "seed \(seed), round \(round)")
    }
  }
}
