internal import CXferPlatform

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The location of a user's daemon, and how an app connects to it and starts it.
package struct ServiceLocation: Sendable {
  /// Must be private to its owner, or neither side uses it.
  package let directory: String
  /// The daemon's program. `nil` when none is found.
  package let program: String?
  /// The environment that a started daemon's variables are taken from.
  private let environment: [String: String]

  package var socket: String { "\(directory)/socket" }
  /// The file that the serving daemon holds a lock on.
  package var lock: String { "\(directory)/lock" }
  /// The file that says how far the device's clocks are ahead of the machine's.
  package var clock: String { "\(directory)/clock" }

  /// - Parameters:
  ///   - environment: `XFERD_DIR`, else `XDG_RUNTIME_DIR`, name the directory; `XFERD`, else `PATH`, the program.
  ///   - executable: the running program. The daemon's program is looked for beside it, before `PATH`.
  package init(environment: [String: String], executable: String) {
    self.environment = environment
    if let directory = environment["XFERD_DIR"], !directory.isEmpty {
      self.directory = directory
    } else if let runtime = environment["XDG_RUNTIME_DIR"], !runtime.isEmpty {
      directory = "\(runtime)/xferd"
    } else {
      directory = "/tmp/xferd-\(getuid())"
    }
    let beside = executable.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/xferd"
    let inPath = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/xferd" }
    let candidates = environment["XFERD"].map { [$0] } ?? [beside] + inPath
    program = candidates.first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
  }

  package enum Connection: Sendable {
    /// A socket whose other end belongs to the same user.
    case connected(Int32)
    /// No daemon listens.
    case absent
    /// The directory or the daemon is not this user's alone. Nothing was sent. The text says what to do.
    case untrusted(String)
  }

  /// Connects to the daemon, after checking that the directory and the daemon belong to this user.
  ///
  /// - Parameter startingDaemon: whether the daemon is started if none listens.
  package func connect(startingDaemon: Bool) -> Connection {
    do throws(PrivateDirectory.Problem) {
      try PrivateDirectory.check(directory)
    } catch {
      guard error.isMissing else { return .untrusted("the daemon's directory is not safe: \(error)") }
      if startingDaemon { start() }
      return .absent
    }
    let descriptor = xp_local_connect(socket)
    guard descriptor >= 0 else {
      if startingDaemon { start() }
      return .absent
    }
    var (user, process): (UInt32, Int32) = (.max, 0)
    guard xp_local_peer(descriptor, &user, &process), user == geteuid() else {
      close(descriptor)
      return .untrusted(
        "the daemon at \(socket) belongs to user \(user), not to user \(geteuid()). End it, or choose another XFERD_DIR.")
    }
    return .connected(descriptor)
  }

  /// Starts the daemon in a session of its own. If several are started, one serves and the others end.
  private func start() {
    guard let program, Self.isTrusted(program) else { return }
    let words = CStrings([program, "--directory", directory])
    // The daemon gets only the variables that locate files, not everything that an app has in its environment.
    let names = ["HOME", "PATH", "TZ", "LANG", "LC_ALL", "TMPDIR", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"]
    let kept = environment.filter { names.contains($0.key) || $0.key.hasPrefix("XFERLOG_") || $0.key.hasPrefix("XFERD") }
    let variables = CStrings(kept.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
    // Waited for, so that no zombie stays. A daemon that cannot be started now is started at a later attempt.
    _ = ChildEnd.spawn { pid in
      xp_spawn(program, words.pointers, variables.pointers, true, &pid)
    } report: { _ in
    }
  }

  /// Whether only this user or the system can change the program.
  private static func isTrusted(_ program: String) -> Bool {
    var status = stat()
    guard stat(program, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    return [0, geteuid()].contains(status.st_uid) && status.st_mode & 0o002 == 0
  }
}

/// Texts as C wants them, for as long as this lives.
package final class CStrings {
  package let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  package init(_ texts: [String]) {
    count = texts.count
    pointers = .allocate(capacity: count + 1)
    for (place, text) in texts.enumerated() { (pointers + place).initialize(to: strdup(text)) }
    (pointers + count).initialize(to: nil)
  }

  deinit {
    for place in 0..<count { free(pointers[place]) }
    pointers.deallocate()
  }
}
