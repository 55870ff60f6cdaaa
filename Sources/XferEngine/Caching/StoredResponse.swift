internal import CXferPlatform
internal import HTTPTypes
internal import XferCrypto

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A cached response: its head, its body and the texts that the app stored with it.
struct StoredResponse: Sendable, Equatable {
  var head: StoredHead
  let body: Data
  let userInfo: [String: String]

  /// The approximate size in memory, in bytes.
  var size: Int { body.count + head.fields.reduce(512) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 16 } }
}

// The cache file format: a format line, a line of JSON, a line with the checksum of the JSON, and the body.
extension StoredResponse {
  private static let heading = "xferlog.cache/1"

  private struct Record: Codable {
    /// The name of the cache key for which the response was stored. It is compared when the file is read, to detect a file that
    /// was renamed.
    var key: String
    var status: Int
    var reason: String
    var httpVersion: String
    var fields: [[String]]
    var requestTime: Int64
    var responseTime: Int64
    var selection: [[String]]
    var decoded: Bool
    var userInfo: [String: String]
    var length: Int
    var sha256: String
  }

  func bytes(for key: CacheKey) -> Data {
    let record = Record(
      key: key.name, status: head.status, reason: head.reason, httpVersion: head.protocolName,
      fields: head.fields.map { [$0.name.rawName, $0.value] }, requestTime: head.requestTime, responseTime: head.responseTime,
      selection: head.selection.map { [$0.name, $0.digest] }, decoded: head.isDecoded, userInfo: userInfo, length: body.count,
      sha256: SHA256.hash(data: body).hexadecimal)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let json = try? encoder.encode(record) else { preconditionFailure("strings and numbers can always be encoded") }
    return Data("\(Self.heading)\n".utf8) + json + Data("\n\(Self.checksum(of: json))\n".utf8) + body
  }

  private static func checksum(of bytes: Data) -> String {
    String(bytes.withUnsafeBytes { xp_crc32c(0, $0.baseAddress, $0.count) }, radix: 16)
  }

  /// Decodes the bytes of a cache file. `nil` when they are damaged, truncated or belong to another key.
  init?(_ bytes: Data, for key: CacheKey) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count == 4, lines[0].elementsEqual(Self.heading.utf8),
      lines[2].elementsEqual(Self.checksum(of: Data(lines[1])).utf8),
      let record = try? JSONDecoder().decode(Record.self, from: Data(lines[1])), record.key == key.name
    else { return nil }
    let body = Data(lines[3])
    guard body.count == record.length, 0...999 ~= record.status, SHA256.hash(data: body).hexadecimal == record.sha256 else {
      return nil
    }
    head = StoredHead(
      status: record.status, reason: record.reason, protocolName: record.httpVersion,
      fields: HTTPFields(
        record.fields.compactMap { pair in
          pair.count == 2 ? HTTPField.Name(pair[0]).map { HTTPField(name: $0, value: pair[1]) } : nil
        }), requestTime: record.requestTime, responseTime: record.responseTime,
      selection: record.selection.compactMap { $0.count == 2 ? .init(name: $0[0], digest: $0[1]) : nil },
      isDecoded: record.decoded)
    self.body = body
    userInfo = record.userInfo
  }
}

extension StoredResponse {
  /// Returns the response in the form in which tasks receive it.
  ///
  /// - Parameter age: the value of the `Age` field, in seconds; `nil` when the server has just validated the response.
  func response(urlText: String, age: Int64?) -> TransferResponse {
    var fields = head.fields
    if let age { fields[.init("Age")!] = "\(age)" }
    return TransferResponse(
      urlText: urlText,
      httpResponse: HTTPResponse(status: .init(code: head.status, reasonPhrase: head.reason), headerFields: fields),
      networkProtocolName: head.protocolName, expectedContentLength: head.isDecoded ? nil : Int64(body.count))
  }
}
