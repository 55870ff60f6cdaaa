import Foundation
import LogTestSupport
import Testing
import XferEngine
import XferScript

/// Tests of starting the daemon, of its access control, and of invalid messages.
@Suite(.serialized) struct ServingTests {
  @Test(.timeLimit(.minutes(isCampaign ? 60 : 5)))
  func `When several daemons start at once, one serves and the others exit with a message`() async throws {
    for _ in 0..<(isCampaign ? 200 : 5) {
      try await Device.run([]) { device throws in
        let daemons = try (0..<8).map { _ in try device.startDaemon() }
        try await device.until { daemons.filter(\.isRunning).count == 1 && device.daemon != nil }
        let ended = daemons.filter { !$0.isRunning }
        #expect(ended.map { $0.wait() } == Array(repeating: 75, count: 7))
        let serving = try #require(daemons.first { $0.isRunning })
        #expect(device.daemon == serving.pid)
        let socket = try device.connect()
        socket.send(Hello(launch: ""))
        #expect(socket.receive()?.contains("welcome") ?? false)
      }
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A daemon does not serve elsewhere the tasks of a running one`() async throws {
    try await Device.run([]) { device throws in
      let first = try await device.startListeningDaemon()
      let other = try device.startDaemon(["XFERD_DIR": device.path("other")])
      #expect(other.wait() == 75)
      #expect(first.isRunning && device.daemon == first.pid)
      #expect(try device.events("daemon.started").count == 1 && device.events("process.started").count == 1)
      first.kill()
      let next = try device.startDaemon(["XFERD_DIR": device.path("other")])
      try await device.until { try device.events("daemon.started").count == 2 || !next.isRunning }
      #expect(next.isRunning)
    }
  }

  @Test(
    .timeLimit(.minutes(2)),
    arguments: [
      ("/nowhere/xferd", "XFERD names /nowhere/xferd, which is not the absolute path of a program"),
      ("/bin/false", "/bin/false ended with the exit code 1; to see why, run it in a terminal with --directory "),
    ])
  func `An app logs once why its daemon cannot be started, and xfer says it`(_ program: String, _ reason: String) async throws {
    try await Device.run([]) { device throws in
      let environment = device.environment.merging(["XFERD": program]) { $1 }
      let files = ["files=\(device.path("files"))", "said=\(device.path("said"))"]
      let app = try Running("background-probe", files + [device.url("/a")], environment)
      func messages() throws -> [String] { try device.events("message.error").compactMap { $0["eventMessage"] } }
      try await device.until { try !messages().isEmpty || !app.isRunning }
      let told = try ToolRun("xfer", ["conditions"], environment: environment)
      #expect(told.status != 0 && told.standardError.contains("no xferd is listening at \(device.path("run/socket")): \(reason)"))
      #expect(try messages().count == 1 && messages()[0].contains("the daemon cannot be started: \(reason)"))
      #expect(app.isRunning)
      app.kill()
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A daemon replaces the socket of a killed daemon`() async throws {
    try await Device.run([.init("/a", .generated(10))]) { device throws in
      #expect(try device.app(device.url("/a")).status == 0)
      device.killDaemon()
      #expect(FileManager.default.fileExists(atPath: device.path("run/socket")))
      #expect(try device.app(device.url("/a")).status == 0)
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `A daemon that is asked to end as soon as it serves ends`() async throws {
    try await Device.run([]) { device throws in
      // The signal arrives when the daemon begins to wait for connections. Dispatch begins its threads with setpriority(2), so a daemon
      // with signal sources of Dispatch would ignore the signal.
      let daemon = try Running(
        SystemCallTracer.program,
        [
          "-f", "-qq", "-o", "/dev/null", "-e", "trace=accept4,setpriority", "-e", "inject=setpriority:delay_enter=1000000",
          "-e", "inject=accept4:signal=SIGTERM:when=1", "\(ToolRun.directory)/xferd",
        ], device.environment)
      try await device.until { daemon.status != nil }
      #expect(daemon.status == 0)
      #expect(try device.events("daemon.exited").count == 1)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A daemon serves a socket that systemd opened`() async throws {
    try await Device.run([.init("/a", .generated(10))]) { device throws in
      mkdir(device.path("run"), 0o700)
      let script = """
        import os, socket
        listener = socket.socket(socket.AF_UNIX)
        listener.bind('\(device.path("run/socket"))')
        listener.listen(8)
        os.dup2(listener.fileno(), 3)
        os.set_inheritable(3, True)
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1')
        os.execv('\(ToolRun.directory)/xferd', ['xferd'])
        """
      let daemon = try Running("/usr/bin/python3", ["-c", script], device.environment)
      try await device.until { FileManager.default.fileExists(atPath: device.path("run/lock")) }
      let run = try device.app(device.url("/a"))
      #expect(run.status == 0)
      #expect(device.daemon == daemon.pid)
    }
  }

  @Test(.timeLimit(.minutes(isCampaign ? 60 : 5)))
  func `An invalid frame, an oversized frame or another protocol version closes only its own connection`() async throws {
    try await Device.run([.init("/a", .generated(10))]) { device throws in
      #expect(try device.app(device.url("/a")).status == 0)
      let daemon = device.daemon
      for seed in seeds(100, campaign: 1000) {
        var random = SeededRandom(seed: seed)
        let socket = try device.connect()
        switch seed % 4 {
        case 0:
          socket.send(bytes: (0..<Int.random(in: 1...5000, using: &random)).map { _ in .random(in: 0...255, using: &random) })
        case 1: socket.send(bytes: [255, 255, 255, 255, 1, 2, 3])
        case 2:
          socket.send(
            json: "{\"hello\":{\"_0\":{\"version\":\(seed + 1000),\"launch\":\"\",\"executable\":\"\",\"hasMainThread\":true}}}")
        default:
          socket.send(Hello(launch: ""))
          _ = socket.receive()
          socket.send(json: String("{\"createTask\":{\"_0\":{\"uid\":\"x\"}}}".prefix(Int.random(in: 1...30, using: &random))))
        }
        socket.finishSending()
        let last = socket.receiveAll().last
        if seed % 4 == 2 { #expect(last?.contains("install both from the same release") ?? false, "seed \(seed)") }
      }
      #expect(device.daemon == daemon)
      #expect(try device.app(device.url("/a")).status == 0)
    }
  }

  @Test(.timeLimit(.minutes(5)), .enabled(if: getuid() == 0, "only root can run a process as another user"))
  func `A connection from another user is refused`() async throws {
    try await Device.run([.init("/a", .generated(10))]) { device throws in
      #expect(try device.app(device.url("/a")).status == 0)
      // The directory's mode refuses other users. If the mode was changed, the daemon refuses them.
      let run = try ToolRun(
        "/usr/bin/setpriv",
        [
          "--reuid=65534", "--clear-groups", "/usr/bin/python3", "-c",
          "import socket; s = socket.socket(socket.AF_UNIX); s.connect('\(device.path("run/socket"))')",
        ])
      #expect(run.standardError.contains("PermissionError"), "\(run.standardError)")
      for path in [device.directory.path, device.path("run")] { chmod(path, 0o755) }
      chmod(device.path("run/socket"), 0o666)
      let let_in = try ToolRun(
        "/usr/bin/setpriv",
        [
          "--reuid=65534", "--clear-groups", "/usr/bin/python3", "-c",
          "import socket; s = socket.socket(socket.AF_UNIX); s.connect('\(device.path("run/socket"))'); print(s.recv(999))",
        ])
      #expect(let_in.text.contains("refused"), "\(let_in.text) \(let_in.standardError)")
    }
  }
}
