/// The parts of a line of `log show --style default` that decide whether its record is about a transfer.
///
/// The line has the usual form of time, and columns that are padded with spaces. `RecordHeader` reads all other lines, and the rest of this
/// one.
struct UsualLine {
  let process: UnsafeRawBufferPointer
  let message: UnsafeRawBufferPointer

  /// - Returns: `nil` if the line has another form, or if it says that records were lost.
  @inline(__always)
  init?(_ line: UnsafeRawBufferPointer) {
    guard AppleTime.isUsual(line) else { return nil }
    var columns = Columns(line, AppleTime.usualCount)
    guard columns.takeSpaces(), columns.takeHexadecimal(), columns.takeSpaces() else { return nil }
    let type = columns.place
    guard columns.takeWord(), line[type] != UInt8(ascii: "L"), columns.takeSpaces(), columns.takeHexadecimal(),
      columns.takeSpaces(), columns.takeDigits(), columns.takeSpaces()
    else { return nil }
    // The column for the time to live may be missing.
    let start = columns.place
    if !columns.takeDigits() || !columns.takeSpaces() { columns.place = start }
    guard let colon = columns.colon() else { return nil }
    process = line.slice(columns.place, colon).trimmed
    columns.place = colon + 2
    columns.passLibrary()
    columns.passCategory()
    message = UnsafeRawBufferPointer(rebasing: line[columns.place...])
  }

  private struct Columns {
    let line: UnsafeRawBufferPointer
    var place: Int

    init(_ line: UnsafeRawBufferPointer, _ place: Int) { (self.line, self.place) = (line, place) }

    @inline(__always)
    private func has(_ byte: UInt8, at place: Int) -> Bool { place < line.count && line[place] == byte }

    @inline(__always)
    mutating func takeSpaces() -> Bool {
      let start = place
      while has(0x20, at: place) { place += 1 }
      return place > start && !has(0x09, at: place)
    }

    @inline(__always)
    mutating func takeHexadecimal() -> Bool {
      guard has(0x30, at: place), has(0x78, at: place + 1) else { return false }
      let start = place + 2
      place = start
      while place < line.count, line[place] &- 0x30 < 10 || (line[place] | 0x20) &- 0x61 < 6 { place += 1 }
      return place > start && place - start <= 16
    }

    @inline(__always)
    mutating func takeDigits() -> Bool {
      let start = place
      while place < line.count, line[place] &- 0x30 < 10 { place += 1 }
      return place > start && place - start <= 18
    }

    @inline(__always)
    mutating func takeWord() -> Bool {
      let start = place
      while place < line.count, line[place] != 0x20, line[place] != 0x09 { place += 1 }
      return place > start
    }

    /// Returns the index of the first colon that a space follows.
    @inline(__always)
    func colon() -> Int? {
      var next = place
      while let colon = line.first(0x3A, from: next) {
        if has(0x20, at: colon + 1) { return colon }
        next = colon + 1
      }
      return nil
    }

    @inline(__always)
    mutating func passLibrary() {
      guard has(0x28, at: place) else { return }
      var end = place + 1
      while end < line.count, line[end] != 0x29 {
        if line[end] == 0x28 { return }
        end += 1
      }
      let size = end - place - 1
      if size > 0, size <= 128, has(0x20, at: end + 1) { place = end + 2 }
    }

    @inline(__always)
    mutating func passCategory() {
      guard has(0x5B, at: place) else { return }
      var (end, hasColon) = (place + 1, false)
      while end < line.count, line[end] != 0x5D {
        switch line[end] {
        case 0x20: return
        case 0x3A: hasColon = true
        case 0x3C, 0x28: if !hasColon { return }
        default: break
        }
        end += 1
      }
      guard hasColon, end < line.count else { return }
      if has(0x20, at: end + 1) { place = end + 2 } else if end + 1 == line.count { place = end + 1 }
    }
  }
}
