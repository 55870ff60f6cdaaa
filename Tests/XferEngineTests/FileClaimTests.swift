import Foundation
import LogTestSupport
import Testing
import XferEngine
import XferEvents
import XferScript

struct FileClaimTests {
  /// Downloads one file with a delegate that does `act` to it, and gives the file's events.
  private func events(
    _ act: @escaping @Sendable (DownloadedFile, _ to: String) throws -> Void,
    then: (Bench, RecordingDelegate) throws -> Void = { _, _ in }
  ) async throws -> [NotedEvent] {
    let target = Mutexed("")
    let delegate = RecordingDelegate(file: { try act($0, target.value) })
    var events: [NotedEvent] = []
    try await Bench.run([.init("/a", .generated(1000))], delegate: delegate) { bench in
      target.value = bench.path("got")
      try bench.session.downloadTask(with: bench.request("/a")).resume()
      await bench.log.wait(for: .taskAcknowledged)
      try then(bench, delegate)
      events = bench.log.events.filter { $0.kind.name.hasPrefix("file.") }
    }
    return events
  }

  @Test func `A moved file is the app's`() async throws {
    let events = try await events { file, target in
      try file.move(to: target)
    } then: { bench, delegate in
      #expect(bench.bytes("got") == ScriptBody.bytes(seed: 1, size: 1000))
      #expect(delegate.seen.calls == ["written", "file", "metrics", "complete"])
    }
    #expect(events.map(\.kind) == [.fileOffered, .fileClaimed])
    #expect(events[1].text("operation") == "move")
    #expect(events[1].flag("inCallback") == true)
  }

  @Test func `A copied file is the app's, and the temporary one is removed`() async throws {
    let events = try await events { file, target in
      try file.copy(to: target)
    } then: { bench, _ in
      #expect(bench.bytes("got") == ScriptBody.bytes(seed: 1, size: 1000))
    }
    #expect(events.map(\.kind) == [.fileOffered, .fileClaimed, .fileReaped])
  }

  @Test func `An opened file can be read after the callback`() async throws {
    let descriptor = Mutexed<Int32>(-1)
    let events = try await events { file, _ in
      descriptor.value = try file.open()
    } then: { _, _ in
      let handle = FileHandle(fileDescriptor: descriptor.value, closeOnDealloc: true)
      let data = try handle.readToEnd()
      #expect(data.map(Array.init) == ScriptBody.bytes(seed: 1, size: 1000))
    }
    #expect(events.map { $0.text("operation") } == [nil, "open", nil])
  }

  @Test func `A file that nobody claims is removed`() async throws {
    let events = try await events { _, _ in }
    #expect(events.map(\.kind) == [.fileOffered, .fileReaped])
    #expect(events[0].values["inode"] == events[1].values["inode"])
  }

  @Test func `A file that is gone when the callback returns was claimed by unknown means`() async throws {
    let events = try await events { file, target in try FileManager.default.moveItem(atPath: file.path, toPath: target) }
    #expect(events.map { $0.text("operation") } == [nil, "unknown"])
  }

  @Test func `Another file at the same path is not taken for the download`() async throws {
    let events = try await events { file, target in
      try FileManager.default.moveItem(atPath: file.path, toPath: target)
      try Data("mine".utf8).write(to: URL(fileURLWithPath: file.path))
      // The stranger stays where it is; the test takes it away.
    } then: { bench, delegate in
      let path = delegate.seen.files[0].path
      #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(events.map { $0.text("operation") } == [nil, "unknown"])
  }

  @Test func `A file that was linked elsewhere is claimed, and the temporary name removed`() async throws {
    let events = try await events { file, target in
      try FileManager.default.linkItem(atPath: file.path, toPath: target)
    } then: {
      bench, _ in
      #expect(bench.bytes("got") == ScriptBody.bytes(seed: 1, size: 1000))
    }
    #expect(events.map { $0.text("operation") } == [nil, "link", nil])
  }

  @Test func `A claim after the callback fails, and the log has it`() async throws {
    let events = try await events { _, _ in
    } then: { bench, delegate in
      let file = delegate.seen.files[0]
      // Even when somebody else uses the path by now.
      try Data("mine".utf8).write(to: URL(fileURLWithPath: file.path))
      defer { try? FileManager.default.removeItem(atPath: file.path) }
      let error = #expect(throws: TransferError.self) { try file.move(to: bench.path("got")) }
      #expect(error?.osError == 2)
      #expect(bench.bytes("got") == nil)
    }
    #expect(events.map(\.kind) == [.fileOffered, .fileReaped, .fileClaimed])
    #expect(events[2].flag("inCallback") == false)
    #expect(events[2].number("osError") == 2)
  }

  @Test func `A second claim finds nothing`() async throws {
    let events = try await events { file, target in
      try file.move(to: target)
      try file.move(to: target + "2")
    }
    #expect(events.map { $0.number("osError") } == [nil, nil, 2])
  }

  @Test func `A downloaded file is readable by its owner alone`() async throws {
    _ = try await events { file, target in
      try file.move(to: target)
    } then: { bench, _ in
      let attributes = try FileManager.default.attributesOfItem(atPath: bench.path("got"))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test(arguments: [true, false])
  func `A file moves to another file system as a whole`(replacing: Bool) async throws {
    let elsewhere = "/dev/shm/xfer-engine-\(UUID().uuidString)"
    guard FileManager.default.isWritableFile(atPath: "/dev/shm") else { return }
    defer { try? FileManager.default.removeItem(atPath: elsewhere) }
    let events = try await events { file, _ in try file.move(to: elsewhere, replacing: replacing) }
    #expect(FileManager.default.contents(atPath: elsewhere).map(Array.init) == ScriptBody.bytes(seed: 1, size: 1000))
    #expect(events.map(\.kind) == [.fileOffered, .fileClaimed])
  }

  @Test func `A name that is taken, by whatever, is gone round`() async throws {
    let places = Mutexed<[String]>([])
    _ = try await events { file, target in
      for name in ["", ".1"] { try Data("mine".utf8).write(to: URL(fileURLWithPath: target + name)) }
      try FileManager.default.createSymbolicLink(atPath: target + ".2", withDestinationPath: target + ".nowhere")
      try FileManager.default.createDirectory(atPath: target + ".3", withIntermediateDirectories: false)
      #expect(throws: TransferError.self) { try file.move(to: target) }
      #expect(throws: TransferError.self) { try file.copy(to: target + ".2") }
      places.value.append(try file.move(toFreeNameAt: target))
    } then: { bench, _ in
      #expect(places.value == [bench.path("got.4")])
      #expect(bench.bytes("got.4") == ScriptBody.bytes(seed: 1, size: 1000))
      #expect(bench.bytes("got") == Array("mine".utf8) && bench.bytes("got.1") == Array("mine".utf8))
      #expect(bench.bytes("got.nowhere") == nil)
      #expect(bench.log.all(.fileClaimed).last?.text("destination") == bench.path("got.4"))
    }
  }

  @Test func `After a hundred names it is an error`() async throws {
    _ = try await events { file, target in
      for number in 1...100 { try Data().write(to: URL(fileURLWithPath: "\(target).\(number)")) }
      #expect(try file.move(toFreeNameAt: target) == target)
    }
    _ = try await events { file, target in
      try Data().write(to: URL(fileURLWithPath: target))
      for number in 1...100 { try Data().write(to: URL(fileURLWithPath: "\(target).\(number)")) }
      let error = #expect(throws: TransferError.self) { try file.move(toFreeNameAt: target) }
      #expect(error?.code == .cannotMoveFile && error?.osError == 17)
    }
  }

  /// Where there are no hard links, and no rename that keeps what is there. The first `linkat` gives the temporary file its name,
  /// which a file system that cannot do that is not asked for.
  @Test(arguments: [
    "link:error=EPERM linkat:error=EPERM:when=2+", "link:error=EPERM linkat:error=EPERM:when=2+ renameat2:error=EINVAL",
  ])
  func `Nothing is replaced on a file system that can do less`(faults: String) async throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/strace") else { return }
    let directory = TemporaryDirectory()
    for name in ["got", "got.1"] { _ = try directory.write(Array("mine".utf8), to: name) }
    try FileManager.default.createSymbolicLink(atPath: directory.path("got.2"), withDestinationPath: directory.path("nowhere"))
    try await ScriptedServer.serving(ServerScript([.init("/a", .generated(1000))])) { server in
      let run = try ToolRun(
        "/usr/bin/strace",
        ["-f", "-qq", "-o", directory.path("trace"), "-e", "trace=link,linkat,renameat2"]
          + faults.split(separator: " ").flatMap { ["-e", "inject=\($0)"] }
          + ["\(ToolRun.directory)/engine-probe", "place", directory.path("log.xlog"), server.url("/a"), directory.path("got")])
      #expect(run.lines == [directory.path("got.3")], "\(run.standardError)")
      let trace = String(decoding: FileManager.default.contents(atPath: directory.path("trace")) ?? Data(), as: UTF8.self)
      #expect(trace.contains("INJECTED"), "\(trace)")
    }
    #expect(
      FileManager.default.contents(atPath: directory.path("got.3")).map(Array.init) == ScriptBody.bytes(seed: 1, size: 1000))
    for name in ["got", "got.1"] { #expect(FileManager.default.contents(atPath: directory.path(name)) == Data("mine".utf8)) }
    #expect(!FileManager.default.fileExists(atPath: directory.path("nowhere")))
  }
}
