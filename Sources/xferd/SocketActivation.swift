import Foundation

/// A socket that systemd has opened: descriptor 3, if it is meant for this process (sd_listen_fds).
enum SocketActivation {
  static func socket(_ environment: [String: String]) -> Int32? {
    guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == getpid(), environment["LISTEN_FDS"] == "1" else { return nil }
    _ = fcntl(3, F_SETFD, FD_CLOEXEC)
    return 3
  }
}
