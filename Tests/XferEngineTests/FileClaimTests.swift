import Foundation
import LogTestSupport
import Testing
import XferEngine
import XferEvents
import XferScript

struct FileClaimTests {
  /// Downloads one file with a delegate that calls `act` with it, and returns the file's events.
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

  @Test func `A moved file is claimed and not removed`() async throws {
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

  @Test func `A copied file is claimed, and the temporary file is removed`() async throws {
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

  @Test func `An unclaimed file is removed`() async throws {
    let events = try await events { _, _ in }
    #expect(events.map(\.kind) == [.fileOffered, .fileReaped])
    #expect(events[0].values["inode"] == events[1].values["inode"])
  }

  @Test func `A file that is missing after the callback is logged as claimed by unknown means`() async throws {
    let events = try await events { file, target in try FileManager.default.moveItem(atPath: file.path, toPath: target) }
    #expect(events.map { $0.text("operation") } == [nil, "unknown"])
  }

  @Test func `Another file at the same path is not removed`() async throws {
    let events = try await events { file, target in
      try FileManager.default.moveItem(atPath: file.path, toPath: target)
      try Data("mine".utf8).write(to: URL(fileURLWithPath: file.path))
      // The engine does not remove the other file, so the test does.
    } then: { bench, delegate in
      let path = delegate.seen.files[0].path
      #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(events.map { $0.text("operation") } == [nil, "unknown"])
  }

  @Test func `A hard-linked file is logged as claimed, and the temporary name is removed`() async throws {
    let events = try await events { file, target in
      try FileManager.default.linkItem(atPath: file.path, toPath: target)
    } then: {
      bench, _ in
      #expect(bench.bytes("got") == ScriptBody.bytes(seed: 1, size: 1000))
    }
    #expect(events.map { $0.text("operation") } == [nil, "link", nil])
  }

  @Test func `A claim after the callback fails and is logged`() async throws {
    let events = try await events { _, _ in
    } then: { bench, delegate in
      let file = delegate.seen.files[0]
      // The claim fails even if another file has the path now.
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

  @Test func `A second claim fails`() async throws {
    let events = try await events { file, target in
      try file.move(to: target)
      try file.move(to: target + "2")
    }
    #expect(events.map { $0.number("osError") } == [nil, nil, 2])
  }

  @Test func `A downloaded file is readable only by its owner`() async throws {
    _ = try await events { file, target in
      try file.move(to: target)
    } then: { bench, _ in
      let attributes = try FileManager.default.attributesOfItem(atPath: bench.path("got"))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test(arguments: [true, false])
  func `A file moves to another file system completely`(replacing: Bool) async throws {
    let elsewhere = "/dev/shm/xfer-engine-\(UUID().uuidString)"
    guard FileManager.default.isWritableFile(atPath: "/dev/shm") else { return }
    defer { try? FileManager.default.removeItem(atPath: elsewhere) }
    let events = try await events { file, _ in try file.move(to: elsewhere, replacing: replacing) }
    #expect(FileManager.default.contents(atPath: elsewhere).map(Array.init) == ScriptBody.bytes(seed: 1, size: 1000))
    #expect(events.map(\.kind) == [.fileOffered, .fileClaimed])
  }

  @Test func `Moving to a free name skips existing files, links and directories`() async throws {
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

  @Test func `Moving to a free name fails after 100 names`() async throws {
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

  /// Simulates file systems without hard links, and without exclusive renaming. The first `linkat` is not made to fail, because
  /// it gives the temporary file its name.
  @Test(arguments: [
    "link:error=EPERM linkat:error=EPERM:when=2+", "link:error=EPERM linkat:error=EPERM:when=2+ renameat2:error=EINVAL",
  ])
  func `No file is replaced on a file system without hard links or exclusive renaming`(faults: String) async throws {
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
