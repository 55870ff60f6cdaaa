#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A directory that only the calling user may read and write.
///
/// The directory must be owned by the calling user and have no permissions for others. Its parents must not let another user
/// replace it: each is owned by the calling user or the system, and is not writable by others unless it is sticky.
package enum PrivateDirectory {
  package struct Problem: Error, Sendable, Equatable, CustomStringConvertible {
    /// Whether the directory does not exist. Otherwise it exists but is unsafe or unusable.
    package let isMissing: Bool
    package let description: String

    init(_ description: String, isMissing: Bool = false) { (self.description, self.isMissing) = (description, isMissing) }
  }

  /// Creates the directory with mode 0700 if it is missing, and checks it.
  package static func make(_ path: String) throws(Problem) {
    makeParents(of: path)
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw Problem("\(path) cannot be created: \(String(cString: strerror(errno)))")
    }
    try check(path)
  }

  /// Creates the missing parents. Ignores errors, because creating the directory itself fails afterwards and reports them.
  private static func makeParents(of path: String) {
    let parent = parent(of: path)
    if parent.isEmpty || parent == "/" || access(parent, F_OK) == 0 { return }
    makeParents(of: parent)
    mkdir(parent, 0o755)
  }

  /// Returns the path without its last component, or an empty string for a path of one component.
  private static func parent(of path: String) -> String {
    var bytes = path.utf8[...]
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes = bytes.dropLast() }
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return slash == bytes.startIndex ? "/" : String(bytes[..<slash]) ?? ""
  }

  /// Checks that no other user can read, change or replace the directory.
  package static func check(_ path: String) throws(Problem) {
    // `O_NOFOLLOW`: a symbolic link could be changed to another directory after this check.
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      let problem = errno
      if problem == ENOTDIR || problem == ELOOP {
        throw Problem("\(path) is not a directory, or is a symbolic link. Remove it, or choose another directory.")
      }
      throw Problem("\(path) cannot be opened: \(String(cString: strerror(problem)))", isMissing: problem == ENOENT)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw Problem("\(path) cannot be examined: \(String(cString: strerror(errno)))")
    }
    guard status.st_uid == geteuid() else {
      throw Problem(
        "\(path) belongs to user \(status.st_uid), not to user \(geteuid()). Remove it, or choose another directory.")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw Problem(
        "\(path) has mode 0\(String(status.st_mode & 0o7777, radix: 8)), so other users can use it. Run chmod 700 \(path), "
          + "or choose another directory.")
    }
    try checkParents(of: path)
  }

  private static func checkParents(of path: String) throws(Problem) {
    guard let resolved = realpath(path, nil) else {
      throw Problem("\(path) cannot be resolved: \(String(cString: strerror(errno)))")
    }
    defer { free(resolved) }
    var parent = String(cString: resolved)
    var root = stat()
    // In a user namespace, system directories such as "/" belong to an unmapped user ID instead of 0. The owner of "/" therefore
    // counts as the system.
    let system: uid_t = stat("/", &root) == 0 ? root.st_uid : 0
    while parent != "/", !parent.isEmpty {
      parent = Self.parent(of: parent)
      var status = stat()
      guard stat(parent, &status) == 0 else { throw Problem("\(parent) cannot be examined: \(String(cString: strerror(errno)))") }
      guard [0, system, geteuid()].contains(status.st_uid) else {
        throw Problem("\(parent) belongs to user \(status.st_uid), who can replace \(path). Choose another directory.")
      }
      // Debian and Fedora give each user a private group, so write access for the user's primary group is accepted.
      let othersWrite = status.st_mode & 0o002 != 0 || status.st_mode & 0o020 != 0 && ![0, getegid()].contains(status.st_gid)
      if othersWrite, status.st_mode & S_ISVTX == 0 {
        throw Problem("\(parent) is writable by other users, who can replace \(path). Choose another directory.")
      }
    }
  }
}
