internal import CXferPlatform

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Brings files and directory entries to the disk, so that a power cut cannot take them back.
///
/// A file is durable after two steps: its bytes are synchronised, and after its last rename or link the directory that names it.
/// A failed synchronisation must not be repeated: Linux reports a write error once, discards the pages, and succeeds at the next
/// call although the bytes are gone. The file is lost, and the caller fetches it again or fails.
package enum DurableFile {
  /// Synchronises the bytes and the size of an open file.
  ///
  /// - Parameters:
  ///   - descriptor: the one that wrote the bytes: only that one is certain to be told of every write error.
  ///   - path: the name of the file in the error's message.
  package static func sync(descriptor: Int32, path: String) throws(TransferError) {
    let result = xp_sync(descriptor, nil, 0)
    guard result == 0 else { throw .notSynchronised(result, "the file \(path)") }
  }

  /// Synchronises the bytes and the size of a file that is not open. A symbolic link is not followed.
  package static func sync(path: String) throws(TransferError) {
    let result = xp_sync_path(path)
    guard result == 0 else { throw .notSynchronised(result, "the file \(path)") }
  }

  /// Synchronises the directory entry of a path: that the file exists there, or no longer does.
  package static func syncDirectory(of path: String) throws(TransferError) {
    let directory = directory(of: path)
    let result = xp_sync_directory(directory)
    guard result == 0 else { throw .notSynchronised(result, "the directory \(directory)") }
  }

  /// Asks the system to begin writing the bytes of an open file, without waiting for them.
  ///
  /// Called for a batch of files before each of them is synchronised, this lets the files share one commit of the file system's journal.
  package static func beginSync(descriptor: Int32) { xp_sync_begin(descriptor) }

  /// The directory that has a path's last component; `.` for a name alone.
  package static func directory(of path: String) -> String {
    // By bytes, as the system reads the path: a slash with a combining mark is another character.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

extension TransferError {
  static func notSynchronised(_ osError: Int32, _ what: String) -> TransferError {
    .file(.cannotWriteToFile, osError, "\(what) could not be synchronised to the disk, so a power cut may lose it")
  }
}
