extension TextBuffer {
  /// Appends compact JSON with line breaks and an indentation of two spaces. Small arrays and objects remain on one line.
  package mutating func append(indenting json: borrowing TextBuffer, width: Int = 100) {
    let bytes = json.bytes
    var depth = 0
    var index = 0
    var isString = false
    while index < bytes.count {
      let byte = bytes[index]
      if isString {
        append(byte)
        if byte == UInt8(ascii: "\\") {
          index += 1
          append(bytes[index])
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          let end = Self.end(of: index, in: bytes)
          if end - index <= width - 2 * depth - 20 {
            appendWhole(bytes[index..<end])
            index = end
            continue
          }
          depth += 1
          append(byte)
          breakLine(depth)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          depth -= 1
          breakLine(depth)
          append(byte)
        case UInt8(ascii: ","):
          append(byte)
          breakLine(depth)
        case UInt8(ascii: ":"):
          append(byte)
          append(UInt8(ascii: " "))
        default:
          isString = byte == UInt8(ascii: "\"")
          append(byte)
        }
      }
      index += 1
    }
    append(UInt8(ascii: "\n"))
  }

  private mutating func breakLine(_ depth: Int) {
    append(UInt8(ascii: "\n"))
    append(repeating: UInt8(ascii: " "), count: 2 * depth)
  }

  /// Appends a value on one line, with spaces after commas and colons.
  private mutating func appendWhole(_ bytes: Slice<UnsafeRawBufferPointer>) {
    var isString = false
    var isEscaped = false
    for byte in bytes {
      append(byte)
      if isEscaped {
        isEscaped = false
      } else if isString, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isString.toggle()
      } else if !isString, byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") {
        append(UInt8(ascii: " "))
      }
    }
  }

  /// Returns the end of the array or object that begins at `start`.
  private static func end(of start: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    var depth = 0
    var index = start
    var isString = false
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if isString {
        if byte == UInt8(ascii: "\\") { index += 1 } else if byte == UInt8(ascii: "\"") { isString = false }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return index }
      default: break
      }
    }
    return index
  }
}
