internal import CXferPlatform
internal import HTTPTypes
internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The data for resuming a download: its request, its partial file, and the version of the resource.
///
/// Encoded as three lines: a heading, JSON, and a checksum of the JSON. Contains no credentials.
struct ResumeData: Sendable, Equatable {
  /// The identifier that links the resuming task to the stopped task in the log.
  let id: UInt64
  let method: HTTPRequest.Method
  let urlText: String
  let fields: HTTPFields
  let entity: Entity
  /// The number of bytes to keep of the partial file. `nil` means all bytes.
  let offset: Int64?
  let file: PartialFile
  /// The app's description of the task that stopped. `nil` if it had none.
  var description: String?
  var metadata: [String: String] = [:]
  /// The uid of the task that stopped.
  var task: String?

  private static let heading = "xferlog.resume/1"

  private struct Record: Codable {
    var id: String
    var method: String
    var url: String
    var fields: [[String]]
    var etag: String?
    var lastModified: String?
    var contentEncoding: String?
    var total: Int64?
    var offset: Int64?
    var file: String
    var inode: UInt64
    var description: String?
    var metadata: [String: String]?
    var task: String?
  }

  var data: Data {
    let record = Record(
      id: String(id, radix: 16), method: method.rawValue, url: urlText,
      fields: fields.filter { !SecretName.matches(field: $0.name.canonicalName) }.map { [$0.name.rawName, $0.value] },
      etag: entity.entityTag, lastModified: entity.lastModified, contentEncoding: entity.contentEncoding, total: entity.total,
      offset: offset,
      file: file.path, inode: file.inode, description: description,
      metadata: metadata.isEmpty ? nil : metadata, task: task)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let json = try? encoder.encode(record) else { preconditionFailure("texts and numbers can be encoded") }
    return Data("\(Self.heading)\n".utf8) + json + Data("\n\(Self.checksum(of: json))\n".utf8)
  }

  private static func checksum(of bytes: Data) -> String {
    String(bytes.withUnsafeBytes { xp_crc32c(0, $0.baseAddress, $0.count) }, radix: 16)
  }

  init(
    id: UInt64, method: HTTPRequest.Method, urlText: String, fields: HTTPFields, entity: Entity, offset: Int64?, file: PartialFile
  ) {
    (self.id, self.method, self.urlText, self.fields) = (id, method, urlText, fields)
    (self.entity, self.offset, self.file) = (entity, offset, file)
  }

  /// - Throws: An error if the bytes are not resume data, or are truncated or damaged.
  init(_ data: Data) throws(TransferError) {
    let lines = data.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
    guard lines.count >= 2, lines[0].elementsEqual(Self.heading.utf8) else {
      throw .badResumeData("the bytes are not resume data")
    }
    guard lines.count == 3, lines[2].elementsEqual("\(Self.checksum(of: Data(lines[1])))\n".utf8) else {
      throw .badResumeData("the resume data is truncated or damaged")
    }
    guard let record = try? JSONDecoder().decode(Record.self, from: Data(lines[1])), let id = UInt64(record.id, radix: 16),
      let method = HTTPRequest.Method(record.method), record.offset ?? 1 > 0, record.offset ?? 0 <= record.total ?? .max,
      let entity = Entity(
        entityTag: record.etag, lastModified: record.lastModified, total: record.total, contentEncoding: record.contentEncoding)
    else { throw .badResumeData("the resume data has missing or invalid fields") }
    self.id = id
    self.method = method
    urlText = record.url
    fields = HTTPFields(
      record.fields.compactMap { pair in
        pair.count == 2 ? HTTPField.Name(pair[0]).map { HTTPField(name: $0, value: pair[1]) } : nil
      })
    self.entity = entity
    offset = record.offset
    file = PartialFile(path: record.file, inode: record.inode)
    description = record.description
    metadata = record.metadata ?? [:]
    task = record.task
  }

  /// The identifier of the resume data in the log.
  var digest: ValueDigest { ValueDigest(id) }

  var request: HTTPRequest { HTTPRequest(method: method, urlText: urlText, headerFields: fields) }
}

/// The path and inode of a partial download that can be resumed.
struct PartialFile: Sendable, Equatable {
  let path: String
  let inode: UInt64
}

extension TransferError {
  static func badResumeData(_ problem: String) -> TransferError {
    TransferError(.cannotResume, domain: .xfer, number: 3, stage: .creation, problem: problem)
  }
}
