/// The blocks between fences (``` or ~~~) of a text in Markdown, in which people paste logs into issues.
struct FencedBlocks {
  struct Block {
    /// The number of lines before the block's first line.
    let precedingLines: Int
    let bytes: Range<Int>
  }

  /// - Parameter limit: the maximum number of blocks.
  /// - Returns: the first blocks that are not empty. The last one may lack its closing fence, because pasted texts are often cut.
  static func first(_ limit: Int, in text: UnsafeRawBufferPointer) -> [Block] {
    var blocks: [Block] = []
    func add(_ bytes: Range<Int>, after lines: Int) {
      if !bytes.isEmpty { blocks.append(Block(precedingLines: lines, bytes: bytes)) }
    }
    var opening: (fence: Fence, precedingLines: Int, start: Int)?
    // Editors put a mark of the encoding in front of the text.
    var (start, number) = (text.starts(with: byteOrderMark) ? byteOrderMark.count : 0, 0)
    while start < text.count, blocks.count < limit {
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
      let next = min(end + 1, text.count)
      number += 1
      if let fence = Fence(text[start..<end]) {
        if let open = opening {
          if fence.closes(open.fence) {
            add(open.start..<start, after: open.precedingLines)
            opening = nil
          }
        } else {
          opening = (fence, number, next)
        }
      }
      start = next
    }
    if let opening, blocks.count < limit { add(opening.start..<text.count, after: opening.precedingLines) }
    return blocks
  }

  /// Whether a block begins in the first bytes of a text.
  static func begin(in head: [UInt8]) -> Bool {
    head.dropFirst(head.starts(with: byteOrderMark) ? byteOrderMark.count : 0).split(separator: UInt8(ascii: "\n"))
      .contains { Fence($0) != nil }
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// A line that opens or closes a block.
  private struct Fence {
    let character: UInt8
    let length: Int
    let isBare: Bool

    /// - Returns: `nil` for another line.
    init?(_ line: some Collection<UInt8>) {
      let text = line.drop { $0 == UInt8(ascii: " ") }
      guard line.count - text.count <= 3, let first = text.first, first == UInt8(ascii: "`") || first == UInt8(ascii: "~") else {
        return nil
      }
      let rest = text.drop { $0 == first }
      (character, length) = (first, text.count - rest.count)
      // A line such as ```text``` is code within a paragraph.
      guard length >= 3, first != UInt8(ascii: "`") || !rest.contains(first) else { return nil }
      isBare = rest.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\t") }
    }

    func closes(_ opening: Fence) -> Bool { isBare && character == opening.character && length >= opening.length }
  }
}
