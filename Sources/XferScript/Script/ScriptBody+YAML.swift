import XferYAML

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ScriptBody {
  /// Reads a body from a plain text, or from a mapping with one of `text`, `size`, `hex`, `base64` and `file`.
  init(_ node: ScriptNode) throws(ScriptError) {
    if let text = node.node.scalar {
      self = .text(text)
      return
    }
    let fields = try node.fields(["text", "size", "seed", "hex", "base64", "file"])
    let sources = ["text", "size", "hex", "base64", "file"]
    guard let (key, source) = try fields.only(sources, "A body has one source. Remove one of the two.") else {
      throw node.failure("the body has no source", "Write one of: \(sources.joined(separator: ", ")).")
    }
    if key != "size", let seed = fields["seed"] {
      throw seed.failure("`seed` applies only to a body with a `size`", "Remove `seed`.")
    }
    switch key {
    case "text": self = .text(try source.text())
    case "size": self = .generated(size: try source.size(), seed: try Self.seed(fields["seed"]))
    case "hex": self = .bytes(try Self.hex(source))
    case "base64": self = .bytes(try Self.base64(source))
    default: self = .file(path: try Self.file(source))
    }
  }

  private static func seed(_ node: ScriptNode?) throws(ScriptError) -> Seed {
    guard let node else { return .script }
    return try node.text() == "path" ? .path : .value(try node.seed())
  }

  private static func hex(_ node: ScriptNode) throws(ScriptError) -> [UInt8] {
    let digits = try node.text().filter { !$0.isWhitespace }
    let values = digits.compactMap(\.hexDigitValue)
    guard values.count == digits.count, values.count.isMultiple(of: 2) else {
      throw node.failure("the value is not made of pairs of hexadecimal digits", "Write them as `48 65 6c`.")
    }
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }

  private static func base64(_ node: ScriptNode) throws(ScriptError) -> [UInt8] {
    guard let data = Data(base64Encoded: try node.text().filter { !$0.isWhitespace }) else {
      throw node.failure("the value is not valid Base64", "Write the output of `base64`.")
    }
    return Array(data)
  }

  private static func file(_ node: ScriptNode) throws(ScriptError) -> String {
    let name = try node.text()
    let folder = URL(fileURLWithPath: node.node.place.file).deletingLastPathComponent()
    let path = name.hasPrefix("/") ? name : folder.appendingPathComponent(name).path
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw node.failure("the file `\(name)` cannot be read", "Write its path relative to the script's folder.")
    }
    return path
  }
}
