import Foundation

/// Who may read what the command writes.
struct FilePermissions {
  let creation: mode_t

  /// Asks for the process's mask, which can only be done by setting it: not while others create files.
  init() {
    let mask = umask(0o077)
    umask(mask)
    creation = 0o666 & ~mask
  }

  /// A file that is replaced hands its permissions on; a new one has what the user's mask leaves.
  func mode(replacing path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? status.st_mode & 0o777 : creation
  }
}
