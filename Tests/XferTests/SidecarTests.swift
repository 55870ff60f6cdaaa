import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests of the checks on `NAME.xfer` and its partial file in a directory that other users may write to.
@Suite(.serialized) struct SidecarTests {
  private static let size = 3_000_000

  private static func route(_ path: String = "/f") -> ServerScript.Route {
    let slow = ScriptedResponse(
      headers: ["ETag": "\"a\""], body: .generated(size: size, seed: .value(1)),
      pieces: .init(size: 100_000, delay: .milliseconds(50)), ranges: .honour)
    let quick = ScriptedResponse(headers: ["ETag": "\"a\""], body: .generated(size: size, seed: .value(1)), ranges: .honour)
    return .init(path, [slow, quick])
  }

  private static let body = ScriptBody.bytes(seed: 1, size: size)

  /// Leaves a sidecar and a partial file by killing a command.
  private static func interrupt(_ bench: Bench, _ arguments: [String], environment: [String: String] = [:]) throws {
    let witness = try Witness(path: bench.path("witness"))
    let run = try bench.get(
      ["-s"] + arguments,
      environment: ["XFERLOG_TEST_WITNESS": witness.path, "XFERLOG_TEST_KILL_AT": "attempt.bytesReceived:2"].merging(environment)
      {
        $1
      })
    #expect(run.status == 128 + SIGKILL, "\(run.standardError)")
  }

  /// The attributes of a file, compared to detect changes.
  private struct Look: Equatable {
    let inode: UInt64
    let mode: mode_t
    let owner: uid_t
    let size: Int64
    let start: Data?

    init?(_ path: String) {
      var status = stat()
      guard lstat(path, &status) == 0 else { return nil }
      (inode, mode, owner, size) = (UInt64(status.st_ino), status.st_mode, status.st_uid, Int64(status.st_size))
      let isRegular = status.st_mode & S_IFMT == S_IFREG
      start = isRegular ? try? FileHandle(forReadingAtPath: path)?.read(upToCount: 4096) : nil
    }
  }

  enum Tampering: String, CaseIterable {
    case linkedSidecar, foreignSidecar, writableSidecar, hugeSidecar, hardLinkedSidecar, directorySidecar, pipeSidecar
    case elsewhere, absolute, otherName, linkedPartial, foreignPartial, readablePartial, hardLinkedPartial, otherPartial

    /// Whether only the superuser can set up this case.
    var needsRoot: Bool { self == .foreignSidecar || self == .foreignPartial }
  }

  @Test(arguments: Tampering.allCases, [true, false])
  func `An untrusted sidecar or partial file is not changed, and the download restarts from the beginning`(
    tampering: Tampering, continues: Bool
  ) async throws {
    if tampering.needsRoot, geteuid() != 0 { return }
    try await Bench.run([Self.route()]) { bench in
      try Self.interruptEarly(bench)
      let place = bench.path("work")
      let partial = try #require(bench.files.keys.first { $0.hasSuffix(".part") })
      let touched = try Self.tamper(tampering, place, partial)
      let before = touched.map { Look($0) }
      #expect(before.allSatisfy { $0 != nil })

      let run = try bench.get((continues ? ["-C", "-"] : []) + [bench.url("/f")])
      #expect(run.status == 0, "\(run.standardError)")
      #expect(run.standardError.contains("f.xfer is ignored"), "\(run.standardError)")
      #expect(FileManager.default.contents(atPath: "\(place)/f").map(Array.init) == Self.body)
      #expect(touched.map { Look($0) } == before, "no file is deleted, moved or changed")
      #expect(bench.server.requests.last?.headers["Range"] == nil)
    }
  }

  /// - Returns: The files that must remain unchanged.
  private static func tamper(_ tampering: Tampering, _ place: String, _ partial: String) throws -> [String] {
    let (sidecar, part) = ("\(place)/f.xfer", "\(place)/\(partial)")
    let files = FileManager.default
    switch tampering {
    case .linkedSidecar:
      rename(sidecar, "\(place)/real")
      symlink("real", sidecar)
      return [sidecar, "\(place)/real", part]
    case .foreignSidecar: chown(sidecar, 65534, 65534)
    case .writableSidecar: chmod(sidecar, 0o660)
    case .hugeSidecar: truncate(sidecar, 6 << 30)
    case .hardLinkedSidecar: link(sidecar, "\(place)/other")
    case .directorySidecar:
      unlink(sidecar)
      mkdir(sidecar, 0o700)
    case .pipeSidecar:
      unlink(sidecar)
      mkfifo(sidecar, 0o600)
    case .elsewhere, .absolute, .otherName:
      mkdir("\(place)/xfer-", 0o700)
      let name = ["victim", "xfer-/../victim.part", "\(place)/xfer-victim.part"][
        tampering == .otherName ? 0 : tampering == .elsewhere ? 1 : 2]
      let victim = "\(place)/\(name.split(separator: "/").last ?? "")"
      rename(part, victim)
      try rewrite(sidecar) { $0.replacingOccurrences(of: "\"\(partial)\"", with: "\"\(name)\"") }
      return [sidecar, victim]
    case .linkedPartial:
      rename(part, "\(place)/real")
      symlink("real", part)
      return [sidecar, part, "\(place)/real"]
    case .foreignPartial: chown(part, 65534, 65534)
    case .readablePartial: chmod(part, 0o644)
    case .hardLinkedPartial: link(part, "\(place)/other")
    case .otherPartial:
      try files.copyItem(atPath: part, toPath: "\(place)/copy")
      rename("\(place)/copy", part)
    }
    return [sidecar, part]
  }

  /// Changes the record and updates its checksum.
  private static func rewrite(_ path: String, _ change: (String) -> String) throws {
    var lines = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines[1] = change(lines[1])
    let sum = try ToolRun("/usr/bin/sha256sum", [], input: Array(lines[1].utf8)).text.prefix(64)
    lines[2] = String(sum)
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(lines.joined(separator: "\n").utf8))
  }

  @Test
  func `Sidecar and partial file are private to their owner and contain no URL, credential or signature`() async throws {
    try await Bench.run([Self.route()]) { bench in
      let url = bench.url("/f") + "?X-Amz-Signature=s3cret1&token=s3cret2"
      try Self.interrupt(
        bench,
        [
          "-u", "mole:s3cret3", "-H", "X-Api-Key: s3cret4", "-H", "X-Plain: s3cret5", "-b", "a=s3cret6",
          url.replacingOccurrences(of: "http://", with: "http://mole:s3cret7@"),
        ])
      let partial = try #require(bench.files.keys.first { $0.hasSuffix(".part") })
      for name in ["f.xfer", partial] {
        #expect(Look(bench.path("work/\(name)"))?.mode == S_IFREG | 0o600, "\(name)")
      }
      let text = String(decoding: try #require(bench.files["f.xfer"]), as: UTF8.self)
      #expect(!text.contains("s3cret") && !text.contains("mole") && !text.contains("127.0.0.1"), "\(text)")

      // The partial file is resumed only for the same URL.
      let other = try bench.get("-C", "-", bench.url("/f") + "?X-Amz-Signature=other")
      #expect(other.status == 0 && other.standardError.contains("is unusable"), "\(other.standardError)")
      #expect(bench.server.requests.last?.headers["Range"] == nil)
    }
  }

  @Test
  func `A download resumes after two kills, and no file contains the URL's signature`() async throws {
    let slow = ScriptedResponse(
      headers: ["ETag": "\"a\""], body: .generated(size: Self.size, seed: .value(1)),
      pieces: .init(size: 100_000, delay: .milliseconds(50)), ranges: .honour)
    let quick = ScriptedResponse(headers: ["ETag": "\"a\""], body: .generated(size: Self.size, seed: .value(1)), ranges: .honour)
    try await Bench.run([.init("/f", [slow, slow, quick])]) { bench in
      let url = bench.url("/f") + "?sig=s3cret"
      try Self.interrupt(bench, [url])
      try Self.interrupt(bench, ["-C", "-", url])
      let run = try bench.get("-C", "-", url)
      #expect(run.status == 0 && run.standardError.contains("1 file"), "\(run.standardError)")
      #expect(bench.files == ["f": Self.body], "\(bench.files.keys)")
      let starts = bench.server.requests.map { $0.bodyOffset ?? 0 }
      #expect(starts.count == 3 && starts[0] == 0 && starts[1] > 0 && starts[2] > starts[1], "\(starts)")
    }
  }

  @Test
  func `Eight commands with the same target all succeed and leave one complete file`() async throws {
    let rounds = isCampaign ? 50 : 10
    let response = ScriptedResponse(
      headers: ["ETag": "\"a\""], body: .generated(size: Self.size, seed: .value(1)),
      pieces: .init(size: 400_000, delay: .milliseconds(3)), ranges: .honour)
    try await Bench.run([.init("/f", response)]) { bench in
      var failures = 0
      for round in 0..<rounds {
        // Every second round starts with the files of an interrupted command.
        if round % 2 == 1 { try Self.interruptEarly(bench) }
        let runs = try (0..<8).map { number in
          let errors = bench.path("err-\(number)")
          try Data().write(to: URL(fileURLWithPath: errors))
          let process = ToolRun.process(
            "xfer", ["get", "-s"] + (number % 2 == 0 ? ["-C", "-"] : []) + [bench.url("/f")], environment: bench.environment,
            in: bench.path("work"))
          process.standardError = FileHandle(forWritingAtPath: errors)
          try process.run()
          return (process, errors)
        }
        for (process, errors) in runs {
          process.waitUntilExit()
          if process.terminationStatus == 0 { continue }
          failures += 1
          let said = FileManager.default.contents(atPath: errors).map { String(decoding: $0, as: UTF8.self) } ?? ""
          Issue.record("round \(round): status \(process.terminationStatus), \(said)")
        }
        #expect(bench.files["f"] == Self.body, "round \(round)")
        #expect(Set(bench.files.keys) == ["f"], "round \(round): \(bench.files.keys)")
      }
      print("\(rounds * 8) commands with one target, eight at a time: \(failures) failed")
    }
  }

  private static func interruptEarly(_ bench: Bench) throws {
    let process = ToolRun.process("xfer", ["get", "-s", bench.url("/f")], environment: bench.environment, in: bench.path("work"))
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning, !bench.files.keys.contains(where: { $0.hasSuffix(".part") }) { usleep(500) }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
