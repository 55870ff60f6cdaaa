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

// What can be said of resume data, and done with it, without a task.
extension TransferSession {
  /// Removes the partial file that resume data would go on with: nobody will. Other files are left alone.
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
  /// - Returns: the partial file that it would go on with, and how many of its bytes; `nil` for as many as it has.
  package static func partialFile(ofResumeData data: Data) -> (path: String, inode: UInt64, offset: Int64?)? {
    (try? ResumeData(data)).map { ($0.file.path, $0.file.inode, $0.offset) }
  }
}
