internal import HTTPTypes

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What resume data says about the partial file, without the request: no URL, no fields, and so no credentials or signatures.
///
/// A record can be kept where other users look. Whoever continues the download supplies the URL again.
package struct PartialRecord: Codable, Sendable, Equatable {
  /// The resume data's identifier, in hexadecimal digits. It ties the task that continues to the one that stopped.
  package let id: String
  package let etag: String?
  package let lastModified: String?
  package let contentEncoding: String?
  /// The size of the resource in bytes; `nil` when the server did not declare it.
  package let total: Int64?
  /// The number of bytes that the partial file has; `nil` for the file's size.
  package let offset: Int64?
  /// The name of the partial file, without its directory.
  package let name: String
  package let inode: UInt64
}

extension PartialRecord {
  /// - Returns: `nil` for bytes that are not resume data.
  package init?(resumeData bytes: Data) {
    guard let resumeData = try? ResumeData(bytes) else { return nil }
    let (tag, date): (String?, String?) =
      switch resumeData.entity.validator {
      case .entityTag(let tag): (tag, nil)
      case .date(let date): (nil, date)
      }
    let path = resumeData.file.path
    let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
    self.init(
      id: String(resumeData.id, radix: 16), etag: tag, lastModified: date, contentEncoding: resumeData.entity.contentEncoding,
      total: resumeData.entity.total,
      offset: resumeData.offset, name: String(path[start...]), inode: resumeData.file.inode)
  }

  /// Resume data for `downloadTask(withResumeData:)`.
  ///
  /// - Parameters:
  ///   - urlText: the URL that the partial file came from; the caller has verified that.
  ///   - directory: the directory of the partial file.
  /// - Returns: `nil` for a record that lacks a validator or has numbers that contradict each other.
  package func resumeData(urlText: String, directory: String) -> Data? {
    guard let number = UInt64(id, radix: 16), let validator = etag.map(Validator.entityTag) ?? lastModified.map(Validator.date)
    else { return nil }
    let bytes = ResumeData(
      id: number, method: .get, urlText: urlText, fields: [:],
      entity: Entity(validator: validator, total: total, contentEncoding: contentEncoding), offset: offset,
      file: PartialFile(path: "\(directory)/\(name)", inode: inode)
    ).data
    return (try? ResumeData(bytes)) == nil ? nil : bytes
  }
}
