internal import HTTPTypes

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The part of resume data that describes the partial file, without the request's URL and fields.
///
/// A record contains no credentials or signatures, so it can be stored where other users can read it. Resuming needs the URL
/// again.
package struct PartialRecord: Codable, Sendable, Equatable {
  /// The identifier of the resume data, in hexadecimal digits. In the log it links the resuming task to the task that stopped.
  package let id: String
  package let etag: String?
  package let lastModified: String?
  package let contentEncoding: String?
  /// The size of the resource, in bytes. `nil` if the server did not declare it.
  package let total: Int64?
  /// The number of bytes to keep of the partial file. `nil` means all bytes.
  package let offset: Int64?
  /// The name of the partial file, without its directory.
  package let name: String
  package let inode: UInt64
  /// The uid of the task that stopped. `nil` in records of earlier versions.
  package let task: String?
}

extension PartialRecord {
  /// Returns `nil` for bytes that are not valid resume data.
  package init?(resumeData bytes: Data) {
    guard let resumeData = try? ResumeData(bytes) else { return nil }
    let (entity, path) = (resumeData.entity, resumeData.file.path)
    let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
    self.init(
      id: String(resumeData.id, radix: 16), etag: entity.entityTag, lastModified: entity.lastModified,
      contentEncoding: entity.contentEncoding, total: entity.total, offset: resumeData.offset, name: String(path[start...]),
      inode: resumeData.file.inode, task: resumeData.task)
  }

  /// Returns resume data for `downloadTask(withResumeData:)`.
  ///
  /// - Parameters:
  ///   - urlText: The URL of the partial file. The caller must have verified that the file came from this URL.
  ///   - directory: The directory of the partial file.
  /// - Returns: `nil` if the record has no validator or has contradictory numbers.
  package func resumeData(urlText: String, directory: String) -> Data? {
    guard let number = UInt64(id, radix: 16),
      let entity = Entity(entityTag: etag, lastModified: lastModified, total: total, contentEncoding: contentEncoding)
    else { return nil }
    var resumeData = ResumeData(
      id: number, method: .get, urlText: urlText, fields: [:],
      entity: entity, offset: offset, file: PartialFile(path: "\(directory)/\(name)", inode: inode))
    resumeData.task = task
    let bytes = resumeData.data
    return (try? ResumeData(bytes)) == nil ? nil : bytes
  }
}
