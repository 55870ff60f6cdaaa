internal import CXferPlatform

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Where a user's daemon is, and how it is started.
package struct ServiceLocation: Sendable {
  /// Its owner's alone.
  package let directory: String
  /// The daemon's program; `nil` when there is none to be found.
  package let program: String?
  /// Handed on to a daemon that is started from here.
  private let environment: [String: String]

  package var socket: String { "\(directory)/socket" }
  /// Held by the daemon that serves.
  package var lock: String { "\(directory)/lock" }
  /// By how much the device's clocks are ahead of the machine's.
  package var clock: String { "\(directory)/clock" }

  /// - Parameters:
  ///   - environment: `XFERD_DIR`, else `XDG_RUNTIME_DIR`, say where; `XFERD` and `PATH`, which program.
  ///   - executable: the running program, beside which the daemon is looked for.
  package init(environment: [String: String], executable: String) {
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

  /// Connects; starts the daemon if nobody listens.
  ///
  /// - Returns: a socket; `nil` when there is none yet.
  package func connect(startingDaemon: Bool) -> Int32? {
    let descriptor = xp_local_connect(socket)
    if descriptor >= 0 { return descriptor }
    if startingDaemon { start() }
    return nil
  }

  /// Starts the daemon, in a session of its own. Of several only one stays.
  private func start() {
    guard let program else { return }
    var pid: Int32 = 0
    let words = CStrings([program, "--directory", directory])
    // What an app has in its environment is no business of the daemon's, but for where things are.
    let names = ["HOME", "PATH", "TZ", "LANG", "LC_ALL", "TMPDIR", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"]
    let kept = environment.filter { names.contains($0.key) || $0.key.hasPrefix("XFERLOG_") || $0.key.hasPrefix("XFERD") }
    let variables = CStrings(kept.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
    guard xp_spawn(program, words.pointers, variables.pointers, true, &pid) == 0 else { return }
    // So that no zombie is left.
    ChildEnd.await(pid) { _ in }
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
