import CXferPlatform
import Foundation
import XferEngine

/// Starts the program that registered, and no other.
enum AppLauncher {
  /// Says to an app why it runs; see `BackgroundApp`.
  static let wakeVariable = "XFERD_WAKE"

  /// - Returns: the process, or an errno.
  static func launch(_ app: CarriedApp, session: String) -> Result<Int32, LaunchFailure> {
    var status = stat()
    guard app.program.executable.hasPrefix("/"), stat(app.program.executable, &status) == 0 else { return .failure(.init(errno)) }
    // Whoever can write there decides what runs as this user.
    guard UInt64(status.st_dev) == app.device, UInt64(status.st_ino) == app.inode, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == getuid() || status.st_uid == 0, status.st_mode & 0o022 == 0
    else { return .failure(.init(ESTALE)) }
    var environment = app.program.environment
    environment[wakeVariable] = session
    let words = CStrings([app.program.executable] + app.program.arguments)
    let variables = CStrings(environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
    var pid: Int32 = 0
    let result = xp_spawn(app.program.executable, words.pointers, variables.pointers, false, &pid)
    return result == 0 ? .success(pid) : .failure(.init(result))
  }

  struct LaunchFailure: Error {
    let osError: Int32
    init(_ osError: Int32) { self.osError = osError }
  }
}
