import Foundation

/// The permissions of files written by the command.
struct FilePermissions {
  let creation: mode_t

  /// Reads the process's file mode creation mask. Reading requires setting it, so no other thread may create files
  /// meanwhile.
  init() {
    let mask = umask(0o077)
    umask(mask)
    creation = 0o666 & ~mask
  }

  /// Returns the permissions of a file to be replaced, or the default permissions for a new file.
  func mode(replacing path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? status.st_mode & 0o777 : creation
  }
}
