import Foundation
import LogTestSupport
import Testing

/// Tests of `Samples/demo` from its checks of requirements to its last line, excluding the build.
struct DemoTests {
  @Test
  func `The demo shows the faults live, and its replay reports all of them`() throws {
    let directory = TemporaryDirectory()
    let before = try FileManager.default.contentsOfDirectory(atPath: Sample.root).sorted()
    let run = try ToolRun(
      "\(Sample.folder)/demo", [], environment: ["XFERLOG_BIN": ToolRun.directory, "TMPDIR": directory.path])
    #expect(run.status == 0, "\(run.standardError)")
    #expect(run.lines.contains("The replay named all 5 injected faults."))
    #expect(run.lines.last == "More to try: Samples/README.md and Samples/Kettle/README.md")
    let paste = run.lines.firstIndex { $0.contains("A paste from Console.app") }
    #expect(
      paste.map { start in run.lines[start...].contains { $0.hasPrefix("error force-quit-cancelled (certain)") } } == true)
    let named = run.lines.filter { $0.hasPrefix("named ") }.map { $0.split(separator: " ")[1] }
    let injected: Set<Substring> = [
      "http-error-as-success", "truncated-body", "temp-file-not-moved", "crash-mid-transfer", "lost-completion",
    ]
    #expect(Set(named) == injected)
    // The follower must have shown the last process's last event before the replay begins.
    let begun = try #require(run.lines.firstIndex { $0.contains("xferlog replay") })
    #expect(run.lines[..<begun].filter { $0.contains("log.closed") }.count == 6)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: Sample.root).sorted() == before)
  }

  @Test
  func `An interrupted demo leaves no processes and no files`() throws {
    let directory = TemporaryDirectory()
    // The test's threads block signals and a shell would inherit this mask, so unblock all signals first.
    let unblocked =
      "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); os.execv(sys.argv[1], sys.argv[1:])"
    let demo = ToolRun.process(
      "/usr/bin/env", ["python3", "-c", unblocked, "\(Sample.folder)/demo"],
      environment: ["XFERLOG_BIN": ToolRun.directory, "TMPDIR": directory.path])
    let output = Pipe()
    demo.standardOutput = output
    demo.standardError = FileHandle.nullDevice
    try demo.run()
    // Wait until a transfer is in flight.
    var seen = ""
    while !seen.contains("attempt.started") {
      let more = output.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the demo exited too early: \(seen)")
      seen += String(decoding: more, as: UTF8.self)
    }
    #expect(Self.processes(with: directory.path) > 0)
    demo.interrupt()
    // The pipe stays open while any of the demo's processes runs, so its end proves that all have exited.
    seen += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(!seen.contains("now: SIGKILL"))
    demo.waitUntilExit()
    #expect(demo.terminationStatus == 130)
    #expect(Self.processes(with: directory.path) == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }

  /// Returns the number of processes that have a path in their arguments.
  private static func processes(with path: String) -> Int {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.filter { Int($0) != nil } ?? []
    return numbers.count { number in
      FileManager.default.contents(atPath: "/proc/\(number)/cmdline").map { $0.range(of: Data(path.utf8)) != nil } ?? false
    }
  }

  /// Runs the requirements script of `Samples/demo` and `Tests/run` with a fake `swift` that prints the given text.
  private static func require(_ wanted: String, swiftSays said: String?) throws -> ToolRun {
    let directory = TemporaryDirectory()
    if let said {
      try "#!/bin/sh\necho '\(said)'\n".write(toFile: directory.path("swift"), atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path("swift"))
    }
    return try ToolRun(
      "/bin/bash", ["-c", "source Tests/Support/requirements.sh; require_swift \(wanted); echo fine"],
      environment: ["PATH": "\(directory.path):/usr/bin:/bin"], in: Sample.root)
  }

  @Test(arguments: ["6.2", "6.2.1", "6.3.1", "6.10", "7.0"])
  func `A sufficiently new Swift is accepted`(_ version: String) throws {
    let run = try Self.require("6.2", swiftSays: "Swift version \(version) (swift-\(version)-RELEASE)")
    #expect(run.status == 0 && run.lines == ["fine"], "\(run.standardError)")
  }

  @Test(arguments: ["5.10.1", "6.0", "6.1.3"])
  func `An outdated Swift is reported with the required version`(_ version: String) throws {
    let run = try Self.require("6.2", swiftSays: "Apple Swift version \(version) (swiftlang-6.1)")
    #expect(run.status == 2 && run.lines.isEmpty)
    #expect(run.standardError.contains("Swift 6.2 or newer is required"))
    #expect(run.standardError.contains("is \(version): see https://www.swift.org/install/linux"))
  }

  @Test
  func `A missing Swift is reported`() throws {
    // Set an empty PATH, so that the installed Swift is not found.
    let run = try ToolRun(
      "/bin/bash", ["-c", "source Tests/Support/requirements.sh; PATH=/nonexistent; require_swift 6.2; echo fine"],
      in: Sample.root)
    #expect(run.status == 2 && run.lines.isEmpty)
    #expect(run.standardError.contains("no 'swift' was found on the PATH"))
  }

  @Test
  func `Missing packages are installed if permitted`() throws {
    let directory = TemporaryDirectory()
    try "#!/bin/sh\necho \"$@\" >>\(directory.path("asked"))\n"
      .write(toFile: directory.path("apt-get"), atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path("apt-get"))
    let script = """
      source Tests/Support/requirements.sh
      id() { echo 0; }
      dpkg-query() { return 1; }
      require_packages absent-dev nonesuch:nonesuch-tools
      echo fine
      """
    let run = try ToolRun(
      "/bin/bash", ["-c", script], environment: ["PATH": "\(directory.path):/usr/bin:/bin"], in: Sample.root)
    #expect(run.status == 0 && run.lines == ["fine"], "\(run.standardError)")
    let asked = try String(contentsOfFile: directory.path("asked"), encoding: .utf8)
    #expect(asked == "update -qq\ninstall -y -qq absent-dev nonesuch-tools\n")
  }

  @Test
  func `Missing packages that cannot be installed are reported with an install command`() throws {
    // Simulate a user without root, and a sudo that would ask for a password.
    let script = """
      source Tests/Support/requirements.sh
      id() { echo 1000; }
      sudo() { return 1; }
      apt-get() { echo installed; }
      dpkg-query() { [ "${@: -1}" = here-dev ] && echo 'install ok installed'; }
      require_packages here-dev absent-dev bash:bash nonesuch:nonesuch-tools
      echo fine
      """
    let run = try ToolRun("/bin/bash", ["-c", script], in: Sample.root)
    #expect(run.status == 2 && run.lines.isEmpty)
    #expect(
      run.remarks == [
        "Missing packages: absent-dev nonesuch-tools. Install them with: sudo apt-get install absent-dev nonesuch-tools"
      ])
  }
}
