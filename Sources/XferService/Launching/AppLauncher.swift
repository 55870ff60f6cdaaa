import CXferPlatform
import Foundation
import XferEngine

/// Starts the program that registered, and no other.
enum AppLauncher {
  /// - Parameter clock: the file by which the process is to set its clocks.
  /// - Returns: the process, or an errno.
  static func launch(_ order: LaunchOrder, clock: String) -> Result<Int32, LaunchFailure> {
    let program = order.program
    var status = stat()
    guard program.executable.hasPrefix("/"), stat(program.executable, &status) == 0 else { return .failure(.init(errno)) }
    if let file = order.file {
      // Whoever can write there decides what runs as this user.
      guard file == ProgramFile(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)), status.st_mode & S_IFMT == S_IFREG,
        status.st_uid == getuid() || status.st_uid == 0, status.st_mode & 0o022 == 0
      else { return .failure(.init(ESTALE)) }
    }
    let environment = program.environment.merging(order.note.environment(clock: clock)) { _, note in note }
    let words = CStrings([program.executable] + program.arguments)
    let variables = CStrings(environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
    var pid: Int32 = 0
    let result = xp_spawn(program.executable, words.pointers, variables.pointers, false, &pid)
    return result == 0 ? .success(pid) : .failure(.init(result))
  }

  struct LaunchFailure: Error {
    let osError: Int32
    init(_ osError: Int32) { self.osError = osError }
  }
}
