import Foundation

/// Socket activation by systemd.
enum SocketActivation {
  /// Returns descriptor 3 when systemd passed a listening socket to this process (see `sd_listen_fds`), and `nil` otherwise.
  static func socket(_ environment: [String: String]) -> Int32? {
    guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == getpid(), environment["LISTEN_FDS"] == "1" else { return nil }
    _ = fcntl(3, F_SETFD, FD_CLOEXEC)
    return 3
  }
}
