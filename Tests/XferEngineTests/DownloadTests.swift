import Foundation
import HTTPTypes
import Testing
import XferEngine
import XferEvents
import XferScript

struct DownloadTests {
  @Test(arguments: [0, 1, 16_384, 5_000_000])
  func `A downloaded file has the server's body`(size: Int) async throws {
    try await Bench.run([.init("/a", .generated(size))]) { bench in
      let response = try await bench.session.download(for: bench.request("/a"), to: bench.path("got"))
      #expect(response.statusCode == 200)
      #expect(bench.bytes("got") == ScriptBody.bytes(seed: 1, size: size))
      await bench.log.wait(for: .taskAcknowledged)
      let transferred = bench.log.all(.taskTransferred)[0]
      #expect(transferred.number("received") == Int64(size))
      #expect(bench.log.all(.fileOffered)[0].number("size") == Int64(size))
      #expect(bench.log.all(.fileClaimed).map { $0.text("operation") } == ["move"])
      #expect(bench.log.all(.fileReaped).isEmpty)
    }
  }

  @Test func `An existing file is kept unless it is to be replaced`() async throws {
    try await Bench.run([.init("/a", ScriptedResponse(body: "new"))]) { bench in
      _ = try await bench.session.download(for: bench.request("/a"), to: bench.path("got"))
      _ = try await bench.session.download(for: bench.request("/a"), to: bench.path("got"), replacing: true)
      let error = await failure { _ = try await bench.session.download(for: bench.request("/a"), to: bench.path("got")) }
      #expect(error?.code == .cannotMoveFile)
      #expect(error?.domain == .posix)
      #expect(error?.osError == 17)
      #expect(error?.curlExitCode == 23)
      #expect(bench.bytes("got") == Array("new".utf8))
      await bench.log.wait(for: .taskCompleted, 3)
      #expect(bench.log.all(.taskCompleted)[2].text("errorName") == "cannotMoveFile")
      #expect(bench.log.all(.fileReaped).count == 1)
    }
  }

  @Test func `An unusable destination fails the download and leaves no file`() async throws {
    try await Bench.run([.init("/a", ScriptedResponse(body: "new"))]) { bench in
      let error = await failure {
        _ = try await bench.session.download(for: bench.request("/a"), to: bench.path("no/such/directory/got"))
      }
      #expect(error?.osError == 2)
    }
  }

  @Test func `A missing temporary directory fails the download before its body`() async throws {
    try await Bench.run([.init("/a", .generated(1000))]) {
      $0.temporaryDirectory += "/missing/"
    } _: { bench in
      let error = await failure { _ = try await bench.session.download(for: bench.request("/a"), to: bench.path("got")) }
      #expect(error?.code == .cannotCreateFile)
      #expect(error?.number == 23)
      #expect(error?.osError == 2)
      await bench.log.wait(for: .attemptEnded)
      #expect(bench.log.all(.attemptEnded)[0].text("end") == "file")
    }
  }

  #if canImport(Glibc)
    @Test func `A file size limit fails the download with the system's error`() async throws {
      // Runs in a separate process, because the limit applies to the whole process.
      await #expect(processExitsWith: .success) {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 400_000, rlim_max: 400_000)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        try await Bench.run([.init("/a", .generated(1_000_000))]) { bench in
          let error = await failure { _ = try await bench.session.download(for: bench.request("/a"), to: bench.path("got")) }
          #expect(error?.code == .cannotWriteToFile)
          #expect(error?.number == 23)
          #expect(error?.osError == Int(EFBIG))
          #expect(bench.bytes("got") == nil)
          await bench.log.wait(for: .attemptEnded)
          #expect(bench.log.all(.attemptEnded)[0].text("end") == "file")
        }
      }
    }

  #endif

  @Test func `A downloaded file exists while the closure runs and is removed afterwards`() async throws {
    try await Bench.run([.init("/a", .generated(1000))]) { bench in
      let kept = bench.path("kept")
      let size = try await bench.session.download(for: bench.request("/a")) { file, response in
        #expect(response.statusCode == 200)
        try file.copy(to: kept)
        return file.size
      }
      #expect(size == 1000)
      #expect(bench.bytes("kept") == ScriptBody.bytes(seed: 1, size: 1000))
      await bench.log.wait(for: .taskAcknowledged)
      #expect(bench.log.all(.fileReaped).count == 1)
    }
  }

  struct Objection: Error, Equatable {}

  @Test func `A download rethrows the closure's error and removes the file`() async throws {
    try await Bench.run([.init("/a", .generated(1000))]) { bench in
      await #expect(throws: Objection()) {
        try await bench.session.download(for: bench.request("/a")) { _, _ in throw Objection() }
      }
      await bench.log.wait(for: .taskAcknowledged)
      #expect(bench.log.all(.fileReaped).count == 1)
    }
  }

  @Test func `Progress is logged with the first and the last byte`() async throws {
    try await Bench.run([.init("/a", .generated(3_000_000))]) { bench in
      _ = try await bench.session.download(for: bench.request("/a"), to: bench.path("got"))
      let progress = bench.log.all(.attemptBytesReceived)
      #expect(progress.count == 2)
      #expect(progress.last?.number("received") == 3_000_000)
      #expect(progress.allSatisfy { $0.number("expected") == 3_000_000 })
    }
  }
}
