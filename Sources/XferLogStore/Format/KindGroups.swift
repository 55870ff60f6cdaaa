import XferEvents

/// The records of a plain block in groups of one kind.
///
/// Records of a kind mostly have the same fields, so the bytes of a field in all of them resemble each other. Grouped columns therefore take
/// half of the bytes and half of the time to decompress. They are the 16-bit lengths of all records, and then the payloads: for each kind
/// in ascending order, the first 32-bit word of each record, then the second one, up to the length of the kind's shortest record; then the
/// rest of each record.
struct KindGroups {
  private struct Group {
    /// The number of records.
    let count: Int
    /// The index of the first record among the records of all groups.
    let first: Int
    /// The number of words that every record has.
    var words = Int.max
    /// The number of words of all records.
    var total = 0
    /// The index of the group's first word.
    var start = 0

    // The state of one pass over the records:

    /// The number of records before the next one.
    var next = 0
    /// The index of the next record's first word after those that every record has.
    var rest = 0

    mutating func measure(_ length: Int) {
      words = min(words, length)
      total += length
    }

    /// - Parameter lengths: The lengths of all records, as 16-bit numbers.
    mutating func measureAll(_ lengths: UnsafeRawPointer) {
      var (shortest, sum) = (UInt16.max, 0)
      for rank in 0..<count {
        let length = UInt16(littleEndian: lengths.loadUnaligned(fromByteOffset: 2 &* rank, as: UInt16.self))
        shortest = min(shortest, length)
        sum &+= Int(length)
      }
      (words, total) = (Int(shortest), sum)
    }

    /// Goes to the next record. Returns the index of its first word, and the index of its first word that not every record has.
    @inline(__always)
    mutating func advance(_ length: Int) -> (first: Int, rest: Int) {
      defer {
        next &+= 1
        rest &+= length &- words
      }
      return (start &+ next, rest)
    }
  }

  private var groups: [Group] = []
  /// The index of each kind's group. Empty if only single kinds are read.
  private var groupOfKind: [UInt32] = []
  private let parts: ColumnParts
  private static let word = RecordFormat.alignment

  /// Creates groups from which the payloads of one kind after another can be read.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of the block's records, in ascending order.
  ///   - counts: The number of records of each kind.
  init(_ kinds: [Int], _ counts: [Int], _ parts: ColumnParts) {
    self.parts = parts
    groups.reserveCapacity(kinds.count)
    var first = 0
    for kind in kinds {
      groups.append(Group(count: counts[kind], first: first))
      first += counts[kind]
    }
  }

  /// - Parameter bytes: The block's bytes. Only the kinds are read.
  init(_ bytes: UnsafeRawBufferPointer, _ parts: ColumnParts) {
    var counts: [Int] = []
    for place in 0..<parts.recordCount {
      let kind = Self.kind(bytes, place)
      if kind >= counts.count { counts += repeatElement(0, count: kind + 1 - counts.count) }
      counts[kind] += 1
    }
    let kinds = counts.indices.filter { counts[$0] > 0 }
    self.init(kinds, counts, parts)
    groupOfKind = [UInt32](repeating: 0, count: counts.count)
    for (group, kind) in kinds.enumerated() { groupOfKind[kind] = UInt32(group) }
  }

  /// The size of the grouped columns in bytes.
  var size: Int { parts.lengths.count + parts.payloads.count }

  // MARK: Whole blocks

  /// Returns the grouped columns of a block; `nil` if its lengths do not fit its payloads.
  mutating func columns(of bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    for place in 0..<parts.recordCount {
      groups[group(bytes, place)].measure(Int(Self.half(bytes, parts.lengths.lowerBound + 2 * place)))
    }
    guard placeGroups() else { return nil }
    return [UInt8](unsafeUninitializedCapacity: size) { room, initialized in
      let columns = UnsafeMutableRawBufferPointer(room)
      var payload = parts.payloads.lowerBound
      for place in 0..<parts.recordCount {
        let length = Self.half(bytes, parts.lengths.lowerBound + 2 * place)
        let group = group(bytes, place)
        columns.storeBytes(of: length.littleEndian, toByteOffset: 2 * (groups[group].first + groups[group].next), as: UInt16.self)
        let (words, count) = (groups[group].words, groups[group].count)
        let (first, rest) = groups[group].advance(Int(length))
        for word in 0..<Int(length) {
          let value = bytes.loadUnaligned(fromByteOffset: payload + Self.word * word, as: UInt32.self)
          let index = word < words ? first + word * count : rest + word - words
          columns.storeBytes(of: value, toByteOffset: parts.lengths.count + Self.word * index, as: UInt32.self)
        }
        payload += Self.word * Int(length)
      }
      initialized = size
    }
  }

  /// Restores the lengths and the payloads of a block.
  ///
  /// - Parameters:
  ///   - columns: The grouped columns, `size` bytes.
  ///   - bytes: The block's bytes, whose lengths and payloads are written.
  /// - Returns: Whether the lengths fit the payloads.
  mutating func restore(_ columns: UnsafeRawBufferPointer, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
    guard bytes.count == parts.payloads.upperBound, measure(columns) else { return false }
    guard let columns = columns.baseAddress, let base = bytes.baseAddress else { return true }
    let words = columns + parts.lengths.count
    var length = base + parts.lengths.lowerBound
    var payload = base + parts.payloads.lowerBound
    let (count, groupOfKind) = (parts.recordCount, groupOfKind)
    groups.withUnsafeMutableBufferPointer { groups in
      for place in 0..<count {
        let group = Int(groupOfKind[Self.kind(.init(bytes), place)])
        let stored = columns.loadUnaligned(fromByteOffset: 2 &* (groups[group].first &+ groups[group].next), as: UInt16.self)
        length.storeBytes(of: stored, as: UInt16.self)
        length += 2
        let units = Int(UInt16(littleEndian: stored))
        Self.gather(&groups[group], units, words, to: payload)
        payload += Self.word &* units
      }
    }
    return true
  }

  // MARK: Single kinds

  /// Measures all groups, so that the payloads of single kinds can be read.
  ///
  /// - Parameter columns: The grouped columns.
  /// - Returns: Whether the lengths fit the payloads.
  mutating func measure(_ columns: UnsafeRawBufferPointer) -> Bool {
    guard columns.count == size else { return false }
    guard let base = columns.baseAddress else { return true }
    for index in groups.indices { groups[index].measureAll(base + 2 * groups[index].first) }
    return placeGroups()
  }

  /// Calls a closure for the payload of each record of a kind. To be called after `measure`, once for a kind.
  ///
  /// - Parameters:
  ///   - index: The index of the kind among the kinds.
  ///   - room: Memory for one payload. It must be at least as large as all payloads of the block together.
  mutating func forEachPayload(
    ofGroup index: Int, in columns: UnsafeRawBufferPointer, _ room: UnsafeMutableRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    guard let base = columns.baseAddress, let payload = room.baseAddress else { return }
    let words = base + parts.lengths.count
    var group = groups[index]
    for rank in group.first..<group.first + group.count {
      let length = Int(Self.half(columns, 2 &* rank))
      Self.gather(&group, length, words, to: payload)
      body(UnsafeRawBufferPointer(start: payload, count: Self.word &* length))
    }
  }

  /// Puts the words of a group's next payload together.
  ///
  /// `placeGroups` has checked that they all exist, so no offset is checked for an overflow.
  ///
  /// - Parameter words: The words of all groups.
  @inline(__always)
  private static func gather(
    _ group: inout Group, _ length: Int, _ words: UnsafeRawPointer, to payload: UnsafeMutableRawPointer
  ) {
    let (first, rest) = group.advance(length)
    var source = words + word &* first
    for place in 0..<group.words {
      payload.storeBytes(of: source.loadUnaligned(as: UInt32.self), toByteOffset: word &* place, as: UInt32.self)
      source += word &* group.count
    }
    if length > group.words {
      (payload + word &* group.words).copyMemory(from: words + word &* rest, byteCount: word &* (length &- group.words))
    }
  }

  // MARK: Places

  /// Finds the first word of each group after its records were measured.
  ///
  /// - Returns: Whether the records fill the payloads. Then no index of a word exceeds them.
  private mutating func placeGroups() -> Bool {
    var start = 0
    for index in groups.indices {
      groups[index].start = start
      groups[index].rest = start + groups[index].words * groups[index].count
      start += groups[index].total
    }
    return start * Self.word == parts.payloads.count
  }

  @inline(__always)
  private func group(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Int { Int(groupOfKind[Self.kind(bytes, place)]) }

  @inline(__always)
  private static func kind(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Int {
    Int(half(bytes, ColumnEncoder.headSize &+ 2 &* place))
  }

  @inline(__always)
  private static func half(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt16 {
    UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }
}
