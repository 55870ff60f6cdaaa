import CXferPlatform

/// The layout of a line that consists of one JSON object: all of its text except strings that are values, and whole numbers.
///
/// `log` writes nearly all records with the same members in the same order. Comparing such a line with the layout of an earlier line takes
/// less time than finding its tokens. A line that matches has the same tokens as the earlier line, with other strings and numbers in the
/// same places, so the members that `QuickMembers` would read are known.
///
/// References to a layout are not counted, which saves time for each line. Its memory belongs to `LineLayouts`.
struct LineLayout {
  private typealias Part = xp_layout_part

  /// The members that matter.
  enum Role: Int, CaseIterable {
    case message, timestamp, process, library, subsystem, category, level, event, pid, thread, activity
  }

  private let parts: UnsafeMutableBufferPointer<Part>
  /// The places of the parts' values in the line that was compared last.
  private let places: UnsafeMutableBufferPointer<xp_layout_place>
  /// The index of the part whose value has a role; -1 if no member has the role.
  private let roles: UnsafeMutableBufferPointer<Int>
  /// Whether the lines have all members of a record of the unified log.
  let isOfRecords: Bool

  /// The number of readable bytes that must follow a line.
  static let padding = 128

  /// The maximum number of parts.
  private static let limit = 128

  /// Learns the layout of a line that `QuickMembers` can read.
  ///
  /// - Parameter members: the offsets of the members' values in the line.
  /// - Returns: `nil` if a member's value is neither a string nor a whole number, or if the line has too many values.
  init?(_ line: UnsafeRawBufferPointer, members: [(role: Role, offset: Int)]) {
    let learned = Self.parts(of: line)
    guard let layout = learned.parts, layout.count <= Self.limit else { return nil }
    var parts = Array(repeating: -1, count: Role.allCases.count)
    for (role, offset) in members {
      guard let part = learned.starts.firstIndex(of: offset) else { return nil }
      parts[role.rawValue] = part
    }
    self.parts = .allocate(capacity: layout.count)
    _ = self.parts.initialize(from: layout)
    places = .allocate(capacity: layout.count)
    places.initialize(repeating: xp_layout_place(start: 0, end: 0))
    roles = .allocate(capacity: parts.count)
    _ = roles.initialize(from: parts)
    let known = members.map(\.role)
    isOfRecords =
      known.contains(.message) && known.contains(.timestamp)
      && known.contains { [.process, .library, .subsystem, .category, .event].contains($0) }
  }

  /// Frees the memory. The layout must not be used afterwards.
  func deallocate() {
    parts.deallocate()
    places.deallocate()
    roles.deallocate()
  }

  /// Returns the parts of a line with the offsets of their values, which are -1 where no value follows.
  private static func parts(of line: UnsafeRawBufferPointer) -> (parts: [Part]?, starts: [Int]) {
    var (parts, starts): ([Part], [Int]) = ([], [])
    var (begin, place) = (0, 0)
    func add(to end: Int, _ value: Int) {
      while end - begin > 32 {
        parts.append(Part(line.slice(begin, begin + 32), value: XP_LAYOUT_NONE))
        starts.append(-1)
        begin += 32
      }
      parts.append(Part(line.slice(begin, end), value: value))
      starts.append(value == XP_LAYOUT_NONE ? -1 : end)
    }
    while place < line.count {
      if line[place] == 0x22 {
        let start = place + 1
        place = start
        while place < line.count, line[place] != 0x22 || line[place - 1] == 0x5C && place > start { place += 1 }
        guard place + 1 < line.count else { return (nil, []) }
        // A colon follows the strings that are keys.
        if line[place + 1] != 0x3A {
          add(to: start, XP_LAYOUT_STRING)
          begin = place
        }
        place += 1
      } else if line[place].isDigit, place > 0, line[place - 1] == 0x3A {
        let start = place
        while place < line.count, line[place].isDigit { place += 1 }
        guard place < line.count else { return (nil, []) }
        // The digits of a decimal fraction are not compared as a whole number.
        if line[place] == 0x2C || line[place] == 0x7D || line[place] == 0x5D {
          add(to: start, XP_LAYOUT_DIGITS)
          begin = place
        }
      } else {
        place += 1
      }
    }
    add(to: line.count, XP_LAYOUT_NONE)
    return (parts, starts)
  }

  /// Returns the number of bytes of the line with which a text begins, if the line has this layout; else 0. If the line has it, `value`
  /// returns the values of its members.
  ///
  /// - Parameter text: a text behind which `padding` bytes can be read.
  @inline(__always)
  func match(_ text: UnsafeRawBufferPointer) -> Int {
    guard text.count < 1 << 31 else { return 0 }
    return xp_layout_match(parts.baseAddress, parts.count, text.baseAddress, text.count, places.baseAddress)
  }

  /// Returns the value of a member, after `match` has found that the line has this layout; `nil` if the layout has no such member.
  @inline(__always)
  func value(_ role: Role, of line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let part = roles[role.rawValue]
    guard part >= 0 else { return nil }
    let place = places[part]
    return UnsafeRawBufferPointer(rebasing: line[Int(place.start)..<Int(place.end)])
  }
}

extension xp_layout_part {
  fileprivate init(_ text: UnsafeRawBufferPointer, value: Int) {
    self.init()
    (count, self.value) = (UInt32(text.count), UInt32(value))
    withUnsafeMutableBytes(of: &self.text) { $0.copyMemory(from: text) }
    withUnsafeMutableBytes(of: &mask) { for place in 0..<text.count { $0[place] = 0xFF } }
  }
}

/// The layouts of the lines of a log.
final class LineLayouts {
  @exclusivity(unchecked) private var known: [LineLayout] = []
  /// The index of the layout of the last line.
  @exclusivity(unchecked) private var last = 0
  /// The number of lines that had another layout.
  private var misses = 0

  /// The maximum number of layouts, and the number of lines with another layout after which one of them is replaced. Lines that all have
  /// layouts of their own are therefore not slowed down by learning.
  private static let (limit, patience) = (8, 64)

  deinit { for layout in known { layout.deallocate() } }

  /// Returns the number of bytes of the line with which a text begins, if the line has the layout of the line before; else 0.
  ///
  /// - Parameter text: a text behind which `LineLayout.padding` bytes can be read.
  @inline(__always)
  func match(_ text: UnsafeRawBufferPointer) -> Int { last < known.count ? known[last].match(text) : 0 }

  /// The layout that matched last.
  @inline(__always)
  var lastMatch: LineLayout { known[last] }

  /// Returns the layout of a line; `nil` if it is not known.
  ///
  /// - Parameter line: a line behind which `LineLayout.padding` bytes can be read.
  func layout(of line: UnsafeRawBufferPointer) -> LineLayout? {
    if line.isEmpty { return nil }
    if match(line) == line.count { return known[last] }
    for place in known.indices where place != last && known[place].match(line) == line.count {
      last = place
      return known[place]
    }
    return nil
  }

  /// Learns the layout of a line that has none of those that are known.
  func learn(_ line: UnsafeRawBufferPointer) {
    misses += 1
    guard known.count < Self.limit || misses % Self.patience == 0, let layout = AppleJSON.Members.layout(of: line) else { return }
    if known.count < Self.limit {
      last = known.count
      known.append(layout)
    } else {
      last = misses / Self.patience % Self.limit
      known[last].deallocate()
      known[last] = layout
    }
  }
}
