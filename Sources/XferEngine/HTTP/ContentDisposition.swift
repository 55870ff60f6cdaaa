/// The file names of a `Content-Disposition` field (RFC 6266), parsed leniently.
struct ContentDisposition {
  /// The parameters by lower-case name. If a parameter occurs more than once, its first value counts.
  private var parameters: [String: String] = [:]

  init(_ text: String) {
    var reader = ParameterReader(text)
    while let (name, value) = reader.next() {
      if parameters[name] == nil { parameters[name] = value }
    }
  }

  /// The file names in order of preference: `filename*`, its RFC 2231 continuations, and `filename`.
  var filenames: [String] {
    [parameters["filename*"].flatMap(Self.decoded), pieces, parameters["filename"]].compactMap { $0 }
  }

  /// Decodes a value with a character set (RFC 8187), such as `UTF-8'en'na%C3%AFve.txt`. `nil` when it is malformed.
  private static func decoded(_ value: String) -> String? {
    let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = PercentEncoding.bytes(parts[2]) else { return nil }
    return text(bytes, parts[0])
  }

  private static func text(_ bytes: [UInt8], _ characterSet: some StringProtocol) -> String? {
    switch characterSet.lowercased() {
    case "utf-8", "us-ascii": String(validating: bytes, as: UTF8.self)
    case "iso-8859-1": String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    default: nil
    }
  }

  /// The name assembled from the continuations `filename*0`, `filename*1*` and so on (RFC 2231 §4.1). `nil` if there are none or
  /// one is malformed.
  private var pieces: String? {
    var bytes: [UInt8] = []
    var characterSet: Substring = "utf-8"
    for number in 0... {
      if let plain = parameters["filename*\(number)"] {
        bytes += plain.utf8
      } else if let encoded = parameters["filename*\(number)*"] {
        let parts = encoded.split(separator: "'", maxSplits: number == 0 ? 2 : 0, omittingEmptySubsequences: false)
        guard parts.count == (number == 0 ? 3 : 1), let more = PercentEncoding.bytes(parts[parts.count - 1]) else { return nil }
        if number == 0 { characterSet = parts[0] }
        bytes += more
      } else {
        return number == 0 ? nil : Self.text(bytes, characterSet)
      }
    }
    return nil
  }
}

/// Parses parameters of the forms `; name=value` and `; name="value"`.
private struct ParameterReader {
  private var rest: Substring

  init(_ text: String) { rest = text[...] }

  /// Returns the next parameter with its name in lower case. `nil` at the end.
  mutating func next() -> (name: String, value: String)? {
    while !rest.isEmpty {
      let name = take { $0 != ";" && $0 != "=" }.lowercased()
      // A part without an equals sign is the disposition type or a parameter without a value. Both are skipped.
      guard skip("=") else {
        _ = skip(";")
        continue
      }
      let value = value()
      _ = take { $0 != ";" }
      _ = skip(";")
      return (name, value)
    }
    return nil
  }

  private mutating func value() -> String {
    rest = rest.trimmingBlanks
    guard skip("\"") else { return String(take { $0 != ";" }) }
    var text = String.UnicodeScalarView()
    while let scalar = rest.unicodeScalars.popFirst(), scalar != "\"" {
      // A backslash escapes the next character.
      text.append(scalar == "\\" ? rest.unicodeScalars.popFirst() ?? scalar : scalar)
    }
    return String(text)
  }

  /// Removes and returns the longest prefix of matching characters, without surrounding blanks.
  private mutating func take(while belongs: (Unicode.Scalar) -> Bool) -> Substring {
    let taken = rest.unicodeScalars.prefix(while: belongs)
    rest = rest[taken.endIndex...]
    return Substring(taken).trimmingBlanks
  }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.unicodeScalars.first == scalar else { return false }
    rest.unicodeScalars.removeFirst()
    return true
  }
}

extension Substring {
  fileprivate var trimmingBlanks: Substring {
    let isBlank = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" }
    var scalars = unicodeScalars.drop(while: isBlank)
    while let last = scalars.last, isBlank(last) { scalars.removeLast() }
    return Substring(scalars)
  }
}
