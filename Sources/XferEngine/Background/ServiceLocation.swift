internal import CXferPlatform
internal import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The directory and program of a user's daemon, with the means to connect to the daemon and to start it.
package struct ServiceLocation: Sendable {
  /// The directory of the socket, the lock and the clock file. The app and the daemon use it only if it is private to the user.
  package let directory: String
  /// The path of the daemon's program. `nil` when no program was found.
  package let program: String?
  /// The environment from which a started daemon inherits variables.
  private let environment: [String: String]

  package var socket: String { "\(directory)/socket" }
  /// The path of the file on which the serving daemon holds a lock.
  package var lock: String { "\(directory)/lock" }
  /// The path of the file that stores how far the device's clocks are ahead of the machine's.
  package var clock: String { "\(directory)/clock" }

  /// - Parameters:
  ///   - environment: The environment variables. `XFERD_DIR` or else `XDG_RUNTIME_DIR` determines the directory; `XFERD` or
  ///     else `PATH` determines the program.
  ///   - executable: The path of the running program. Its directory is searched for the daemon's program before `PATH`.
  package init(environment: [String: String], executable: String) {
    let environment = environment.withoutEmptyVariables
    self.environment = environment
    if let directory = environment["XFERD_DIR"] {
      self.directory = directory
    } else if let runtime = environment["XDG_RUNTIME_DIR"] {
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
    /// No daemon is listening.
    case absent
    /// The directory or the daemon is not private to this user. Nothing was sent. The text says what to do.
    case untrusted(String)
  }

  /// Connects to the daemon, after checking that the directory and the daemon belong to this user.
  ///
  /// - Parameters:
  ///   - startingDaemon: Whether to start the daemon if none is listening. The result is still `absent` then.
  ///   - onFailure: A closure that is called with a sentence without its period if the daemon cannot be started, or, on another thread,
  ///     when it has ended with a failure.
  package func connect(startingDaemon: Bool, onFailure: @escaping @Sendable (String) -> Void) -> Connection {
    do throws(PrivateDirectory.Problem) {
      try PrivateDirectory.check(directory)
    } catch {
      guard error.isMissing else { return .untrusted("the daemon's directory is not safe: \(error)") }
      if startingDaemon { start(onFailure) }
      return .absent
    }
    let descriptor = xp_local_connect(socket)
    guard descriptor >= 0 else {
      if startingDaemon { start(onFailure) }
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

  /// Starts the daemon in its own process session. If several are started, one serves and the others exit.
  private func start(_ onFailure: @escaping @Sendable (String) -> Void) {
    guard let program else {
      return onFailure(
        environment["XFERD"].map { "XFERD names \($0), which is not the absolute path of a program" }
          ?? "xferd was not found beside the program or in PATH; install it, or set XFERD to its path")
    }
    guard Self.isTrusted(program) else { return onFailure("other users can change \(program)") }
    let words = CStrings([program, "--directory", directory])
    // The daemon inherits only variables that locate files, so that secrets in an app's environment do not reach it.
    let names = ["HOME", "PATH", "TZ", "LANG", "LC_ALL", "TMPDIR", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"]
    let kept = environment.filter { names.contains($0.key) || $0.key.hasPrefix("XFERLOG_") || $0.key.hasPrefix("XFERD") }
    let variables = CStrings(kept.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
    // `ChildEnd` waits for the child, so that no zombie remains. If the start fails, a later connection attempt retries.
    let child = ChildEnd.spawn { pid in
      xp_spawn(program, words.pointers, variables.pointers, true, &pid)
    } report: { end in
      // A daemon that is killed has served. Another daemon serves if the started one ends as the second one.
      guard let code = end.code, code != 0, code != Self.alreadyServed else { return }
      onFailure("\(program) ended with the exit code \(code); to see why, run it in a terminal with --directory \(directory)")
    }
    if case .failure(let error) = child { onFailure("\(program): \(String(cString: strerror(error.osError)))") }
  }

  /// The exit code of a daemon that found another one.
  package static let alreadyServed: Int32 = 75

  /// Whether only this user or the system can change the program.
  private static func isTrusted(_ program: String) -> Bool {
    var status = stat()
    guard stat(program, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    return [0, geteuid()].contains(status.st_uid) && status.st_mode & 0o002 == 0
  }
}

/// A null-terminated array of C strings that is freed with this object.
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
