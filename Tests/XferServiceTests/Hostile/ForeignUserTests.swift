import CXferPlatform
import Foundation
import HTTPTypes
import LogTestSupport
import Testing
import XferEngine
import XferScript

/// Tests of attacks by another user of the machine, including fake daemons.
@Suite(.serialized, .enabled(if: getuid() == 0, "only root can act as other users")) struct ForeignUserTests {
  /// User IDs that own no other files or processes.
  private static let (attacker, victim): (uid_t, uid_t) = (61_001, 61_002)

  /// What the attacker prepares at the path of the daemon's directory.
  enum Trap: String, CaseIterable {
    /// A private directory of the attacker with a listening fake daemon.
    case ownDirectory
    /// A world-accessible directory of the attacker with a listening fake daemon.
    case openDirectory
    /// A directory of the victim that every user can write to, like /tmp.
    case sharedDirectory
    /// A symbolic link to a directory of the attacker.
    case link
    /// A private directory of the victim whose parent directory belongs to the attacker.
    case replaceable
  }

  @Test(.timeLimit(.minutes(5)), arguments: Trap.allCases, [uid_t(0), victim])
  func `An app sends nothing to a daemon of another user`(_ trap: Trap, user: uid_t) async throws {
    try await Device.run([.init("/a", .generated(10))]) { device throws in
      let programs = try ForeignPrograms(device, for: user)
      let place = try Self.prepare(trap, device, for: user)
      let listener = try Self.listen(place, heard: device.path("heard"), device)
      try await device.until { FileManager.default.fileExists(atPath: device.path("heard")) || !listener.isRunning }
      var environment = device.environment
      environment["XFERD_DIR"] = place
      let run = try programs.app(
        ["files=\(programs.files)", "said=\(programs.said)", "until=created", device.url("/a?token=SECRET")], environment)
      #expect(run.status == 0)
      #expect(FileManager.default.contents(atPath: device.path("heard")) == Data(), "the attacker received something")
      let said = try String(contentsOfFile: programs.said, encoding: .utf8)
      #expect(said.contains("rejected sessionInvalidated"), "\(said)")
      let log = try ToolRun("xferlog", ["show", "-o", "ndjson", device.log]).text
      #expect(log.contains("the daemon's directory is not safe"), "\(trap): \(log.suffix(500))")
      #expect(listener.isRunning)
    }
  }

  @Test(.timeLimit(.minutes(5)), arguments: [uid_t(0), victim])
  func `A daemon refuses to serve in a directory that another user can use or replace`(user: uid_t) async throws {
    for trap in Trap.allCases {
      try await Device.run([]) { device throws in
        let programs = try ForeignPrograms(device, for: user)
        var environment = device.environment
        environment["XFERD_DIR"] = try Self.prepare(trap, device, for: user)
        let run = try programs.daemon(environment)
        #expect(run.status == 71, "\(trap)")
        let refusals = ["hoose another directory", "Permission denied"]
        #expect(refusals.contains(where: run.standardError.contains), "\(trap): \(run.standardError)")
      }
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A file outside the daemon's spool is neither opened nor moved`() async throws {
    for kind in ["outside", "parent", "link"] {
      try await Device.run([.init("/a", .generated(10))]) { device throws in
        let daemon = try FakeDaemon(device)
        let secret = try device.directory.write([1, 2, 3], to: "secret")
        let spool = device.path("state/xferd/spool")
        let path: String
        switch kind {
        case "outside": path = secret
        case "parent": path = "\(spool)/../../../secret"
        default:
          path = "\(spool)/linked"
          symlink(secret, path)
        }
        var status = stat()
        #expect(stat(path, &status) == 0)
        let app = try device.startApp(device.url("/a"))
        let link = try daemon.accept(generation: 1) {
          SessionInventory(identifier: $0.identifier, instance: $0.instance, tasks: [], lastNumber: 0, pending: 0)
        }
        let task = try link.next { if case .createTask(let task) = $0 { task } else { nil } }
        let response = TransferredResponse(
          TransferResponse(
            urlText: device.url("/a"), httpResponse: HTTPResponse(status: .ok), networkProtocolName: "http/1.1",
            expectedContentLength: 3))
        try link.send(
          .deliver(
            BackgroundDelivery(
              id: 7, session: "probe", task: task.uid, number: 1,
              content: .file(path: path, inode: UInt64(status.st_ino), size: 3, response: response))))
        if kind == "link" {
          // The claim fails because the symbolic link has another inode than the announced file.
          #expect(try link.acknowledged() == 7)
          #expect(device.said.contains { $0.hasPrefix("lost a") })
        } else {
          let refused = try link.next { if case .refuseDelivery(let id, _) = $0 { id } else { nil } }
          #expect(refused == 7)
          #expect(device.said == [])
        }
        #expect(FileManager.default.contents(atPath: secret) == Data([1, 2, 3]))
        #expect(device.file("a") == nil)
        app.kill()
      }
    }
  }

  // MARK: Attacks

  /// Prepares an attack and returns the path that the victim uses as the daemon's directory.
  private static func prepare(_ trap: Trap, _ device: Device, for user: uid_t) throws -> String {
    let place = device.path("place")
    func make(_ path: String, _ owner: uid_t, _ mode: mode_t) {
      mkdir(path, 0o700)
      chown(path, owner, gid_t(owner))
      chmod(path, mode)
    }
    switch trap {
    case .ownDirectory: make(place, attacker, 0o700)
    case .openDirectory: make(place, attacker, 0o777)
    case .sharedDirectory: make(place, user, 0o1777)
    case .link:
      make(device.path("elsewhere"), attacker, 0o755)
      symlink(device.path("elsewhere"), place)
    case .replaceable:
      make(device.path("holder"), attacker, 0o777)
      make(device.path("holder/place"), user, 0o700)
      return device.path("holder/place")
    }
    return place
  }

  /// Starts the attacker's program, which listens on the socket and saves the bytes it receives. Root opens the socket if the
  /// attacker cannot.
  private static func listen(_ place: String, heard: String, _ device: Device) throws -> Running {
    let script = """
      import os, socket
      listener = socket.socket(socket.AF_UNIX)
      listener.bind('\(place)/socket')
      os.chmod('\(place)/socket', 0o777)
      heard = open('\(heard)', 'wb', buffering=0)
      os.setgid(\(attacker)); os.setuid(\(attacker))
      listener.listen(8)
      while True:
        peer, _ = listener.accept()
        while True:
          data = peer.recv(65536)
          if not data: break
          heard.write(data)
      """
    return try Running("/usr/bin/python3", ["-c", script], device.environment)
  }
}

/// Copies of the test programs that another user can run, and a directory for their output.
struct ForeignPrograms {
  let user: uid_t
  let files: String
  let said: String
  private let directory: String

  init(_ device: Device, for user: uid_t) throws {
    self.user = user
    directory = device.path("programs")
    (files, said) = ("\(directory)/files", "\(directory)/said")
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    for program in ["xferd", "background-probe"] {
      let path = "\(directory)/\(program)"
      // Uses a hard link where possible, because it is faster than a copy.
      if link("\(ToolRun.directory)/\(program)", path) != 0 {
        try FileManager.default.copyItem(atPath: "\(ToolRun.directory)/\(program)", toPath: path)
      }
      chmod(path, 0o755)
    }
    for path in [device.directory.path, directory, files] { chmod(path, 0o755) }
    for path in [directory, files] { chown(path, user, gid_t(user)) }
    for path in [device.log, device.path("state"), device.path("home"), device.path("tmp"), device.path("run")] {
      mkdir(path, 0o700)
      chown(path, user, gid_t(user))
    }
  }

  private func run(_ program: String, _ arguments: [String], _ environment: [String: String]) throws -> ToolRun {
    if user == 0 { return try ToolRun("\(directory)/\(program)", arguments, environment: environment) }
    return try ToolRun("/usr/bin/setpriv", command(program, arguments), environment: environment)
  }

  private func command(_ program: String, _ arguments: [String]) -> [String] {
    ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "\(directory)/\(program)"] + arguments
  }

  func app(_ arguments: [String], _ environment: [String: String]) throws -> ToolRun {
    try run("background-probe", arguments, environment)
  }

  func daemon(_ environment: [String: String]) throws -> ToolRun { try run("xferd", [], environment) }

  /// Starts a program under limits given as arguments of the shell's `ulimit`, such as `-n 64`.
  func start(_ program: String, _ arguments: [String] = [], limits: String, _ environment: [String: String]) throws -> Running {
    let words = user == 0 ? ["\(directory)/\(program)"] + arguments : ["/usr/bin/setpriv"] + command(program, arguments)
    // The process limit applies to the user that the program runs as, but not to root.
    return try Running("/bin/sh", ["-c", "ulimit \(limits); exec \"$@\"", "sh"] + words, environment)
  }
}
