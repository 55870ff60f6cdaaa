import Foundation
import HTTPTypes
import XferEngine

/// The parts of a request that all requests of a group of options share.
struct RequestMessage {
  let fields: HTTPFields
  /// The text to append to the URL's query.
  let query: String?
  private let group: TransferSettings
  private let lines: FieldLines
  private let data: [UInt8]?

  init(_ group: TransferSettings, _ verb: Verb, files: FileReader) throws(OptionProblem) {
    self.group = group
    let read = { (path: String) throws(OptionProblem) in try files(path) }
    var lines = try FieldLines(group.fields)
    var data: [UInt8]?
    var query: String?
    if !group.parts.isEmpty {
      guard group.data.isEmpty else { throw OptionProblem("--form and --data cannot be combined") }
      let boundary = String(repeating: "-", count: 24) + String(UInt64.random(in: .min ... .max), radix: 16)
      data = try MultipartForm(group.parts, read: read).bytes(boundary: boundary)
      lines.add(.contentType, "multipart/form-data; boundary=\(boundary)")
    } else if !group.data.isEmpty {
      let bytes = try FormData.bytes(group.data, read: read)
      if !group.getsWithData {
        data = bytes
        lines.add(.contentType, group.sendsJSON ? "application/json" : "application/x-www-form-urlencoded")
        if group.sendsJSON { lines.add(.accept, "application/json") }
      }
      query = group.getsWithData ? String(decoding: bytes, as: UTF8.self) : nil
    }
    guard data == nil || group.uploads.isEmpty else { throw OptionProblem("--upload-file and --data cannot be combined") }
    guard data == nil || !group.isHead else {
      throw OptionProblem("--head cannot send --data in a body; add -G to send the data in the query")
    }
    if let agent = group.userAgent, !agent.isEmpty { lines.add(.userAgent, agent) }
    if let referer = group.referer?.replacingOccurrences(of: ";auto", with: ""), !referer.isEmpty { lines.add(.referer, referer) }
    if let range = group.range { lines.add(.range, "bytes=\(range)") }
    if let path = group.etagCompare {
      let tag = files.text(path)?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
      lines.add(.ifNoneMatch, tag.isEmpty ? "\"\"" : tag)
    }
    (self.lines, self.data, self.query, fields) = (lines, data, query, lines.fields)
  }

  func body(upload: String?) throws(OptionProblem) -> PlannedTransfer.Body {
    if let data { return .bytes(data) }
    switch upload {
    case nil: return .none
    case "-", ".": return .standardInput(length: lines.isChunked ? nil : lines.contentLength)
    case .some(let path): return .file(path, inChunks: lines.isChunked)
    }
  }

  func method(of body: PlannedTransfer.Body, isUpload: Bool) throws(OptionProblem) -> HTTPRequest.Method {
    if let name = group.method {
      guard let method = HTTPRequest.Method(name) else { throw OptionProblem("'\(name)' is not a valid method") }
      return method
    }
    if group.isHead { return .head }
    if isUpload { return .put }
    return body == .none ? .get : .post
  }
}
