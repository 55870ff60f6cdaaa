#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

extension TransferSession {
  /// Removes the partial file that the resume data refers to, for a download that will not be resumed. Removes no other file.
  public static func discardResumeData(_ data: Data) {
    guard let partial = (try? ResumeData(data))?.file else { return }
    var status = stat()
    guard lstat(partial.path, &status) == 0, UInt64(status.st_ino) == partial.inode, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid()
    else { return }
    unlink(partial.path)
  }
}

extension TransferSession {
  /// Returns the partial file that the resume data refers to, or `nil` if the bytes are not valid resume data.
  ///
  /// - Returns: The path, the inode and the number of bytes to keep. A `nil` offset means all bytes.
  package static func partialFile(ofResumeData data: Data) -> (path: String, inode: UInt64, offset: Int64?)? {
    (try? ResumeData(data)).map { ($0.file.path, $0.file.inode, $0.offset) }
  }
}
