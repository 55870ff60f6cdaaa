import CXferPlatform
import Foundation
import XferEngine

/// Launches apps, after checking that the executable file is still the one with which the app registered.
enum AppLauncher {
  /// Launches a program.
  ///
  /// - Parameters:
  ///   - clock: The path of the clock file, from which the process reads the simulated clock offset.
  ///   - ended: Called on a separate thread when the process has ended.
  /// - Returns: The pid, or an error with an errno value.
  static func launch(
    _ order: LaunchOrder, clock: String, ended: @escaping @Sendable (ChildEnd) -> Void
  ) -> Result<Int32, ChildEnd.SpawnError> {
    let program = order.program
    var status = stat()
    guard program.executable.hasPrefix("/"), stat(program.executable, &status) == 0 else {
      return .failure(.init(osError: errno))
    }
    if let file = order.file {
      // Requires the registered file, not writable by other users, because it will run with this user's rights.
      guard file == ProgramFile(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)), status.st_mode & S_IFMT == S_IFREG,
        status.st_uid == getuid() || status.st_uid == 0, status.st_mode & 0o022 == 0
      else { return .failure(.init(osError: ESTALE)) }
    }
    let environment = program.environment.merging(order.note.environment(clock: clock)) { _, note in note }
    let words = CStrings([program.executable] + program.arguments)
    let variables = CStrings(environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
    return ChildEnd.spawn { pid in
      xp_spawn(program.executable, words.pointers, variables.pointers, false, &pid)
    } report: {
      ended($0)
    }
  }
}
