import Foundation
import XferEvents

/// A multipart form body built from `-F` options (RFC 7578).
struct MultipartForm {
  private var parts: [Part] = []

  private struct Part {
    var name: String
    var fileName: String?
    var type: String?
    var bytes: [UInt8]
  }

  /// - Parameter read: Reads a file. `-` means standard input.
  init(_ fields: [String], read: (String) throws(OptionProblem) -> [UInt8]) throws(OptionProblem) {
    for field in fields {
      let halves = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2 else { throw OptionProblem("--form expects NAME=VALUE, not '\(field)'") }
      parts.append(try Self.part(String(halves[0]), halves[1], read))
    }
  }

  private static func part(
    _ name: String, _ value: Substring, _ read: (String) throws(OptionProblem) -> [UInt8]
  ) throws(OptionProblem) -> Part {
    var (content, settings) = split(value)
    var part = Part(name: name, bytes: [])
    if content.hasPrefix("@") || content.hasPrefix("<") {
      let isFile = content.removeFirst() == "@"
      part.bytes = try read(content)
      if isFile {
        part.fileName = content == "-" ? "-" : content.fileName ?? ""
        part.type = "application/octet-stream"
      }
    } else {
      part.bytes = Array(content.utf8)
    }
    for (key, value) in settings {
      switch key {
      case "type": part.type = value
      case "filename": part.fileName = value
      default: throw OptionProblem(";\(key)= is not supported in --form; expected ;type= or ;filename=")
      }
    }
    return part
  }

  /// Splits a value into the text before the first `;type=` or `;filename=`, and these settings.
  private static func split(_ value: Substring) -> (String, [(String, String)]) {
    var pieces = value.components(separatedBy: ";")
    var settings: [(String, String)] = []
    while pieces.count > 1, let last = pieces.last {
      let halves = last.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, ["type", "filename"].contains(halves[0]) else { break }
      settings.append((String(halves[0]), String(halves[1]).trimmingCharacters(in: ["\""])))
      pieces.removeLast()
    }
    return (pieces.joined(separator: ";"), settings)
  }

  /// - Parameter boundary: The separator between the parts, which must not occur in any part.
  func bytes(boundary: String) -> [UInt8] {
    var all: [UInt8] = []
    for part in parts {
      all += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(part.name))\"".utf8
      if let name = part.fileName { all += "; filename=\"\(Self.quoted(name))\"".utf8 }
      if let type = part.type { all += "\r\nContent-Type: \(type)".utf8 }
      all += "\r\n\r\n".utf8
      all += part.bytes
      all += "\r\n".utf8
    }
    return all + Array("--\(boundary)--\r\n".utf8)
  }

  /// Returns text escaped for a quoted parameter, as browsers do.
  private static func quoted(_ text: String) -> String {
    text.replacingOccurrences(of: "\"", with: "%22").replacingOccurrences(of: "\r", with: "%0D")
      .replacingOccurrences(of: "\n", with: "%0A")
  }
}
