import Foundation
import Testing
import XferEvents
import XferRecorder
import XferScript

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct DownloadTests {
  /// How an app claims the file during the callback.
  enum Taking: CaseIterable {
    case movedByRecorder, copiedByRecorder, openedByRecorder, movedByFileManager, linked
  }

  private func download(
    _ response: ScriptedResponse = .generated(50_000),
    _ file: @escaping @Sendable (Bench, URLSessionDownloadTask, URL) -> Void,
    complete: @escaping @Sendable (Bench, URLSessionTask) -> Void = { _, _ in }
  ) async throws -> RecordedLog {
    try await Bench.run([.init("/a", response)]) { bench in
      let delegate = AppDelegate {
        $0.file = { file(bench, $0, $1) }
        $0.complete = { task, _ in complete(bench, task) }
      }
      let session = bench.session(delegate)
      await bench.carry(session.downloadTask(with: bench.url("/a")), in: session)
    }
  }

  @Test(arguments: Taking.allCases)
  func `A file that the app takes during the callback is recorded as claimed`(_ taking: Taking) async throws {
    let log = try await download { bench, task, location in
      let (place, app) = (bench.path("got"), bench.recorder.app)
      switch taking {
      case .movedByRecorder: try? app.move(location, to: place, of: task)
      case .copiedByRecorder: try? app.copy(location, to: place, of: task)
      case .openedByRecorder: _ = try? app.open(location, of: task).readToEnd()
      case .movedByFileManager: try? FileManager.default.moveItem(at: location, to: place)
      case .linked: try? FileManager.default.linkItem(at: location, to: place)
      }
      // FoundationNetworking does not remove the temporary file.
      if taking != .movedByRecorder, taking != .movedByFileManager { bench.leftOver(location) }
    }
    let operations: [Taking: ClaimOperation] = [
      .movedByRecorder: .move, .copiedByRecorder: .copy, .openedByRecorder: .open, .movedByFileManager: .unknown,
      .linked: .link,
    ]
    let claimed = try log.first(.fileClaimed)
    #expect(log.all(.fileClaimed).count == 1)
    #expect(claimed.operation == operations[taking])
    #expect(claimed.inCallback == true)
    #expect(claimed.size == 50_000)
    #expect(claimed.osError == nil)
    #expect(log.all(.fileUnclaimed).isEmpty)
    #expect(try log.first(.fileOffered).exists == true)
    #expect(try log.first(.taskTransferred).received == 50_000)
    #expect(try log.findings() == [])
  }

  @Test func `A file that is not moved during the callback is reported`() async throws {
    let log = try await download { bench, _, location in bench.leftOver(location) }
    let files = log.events.filter { $0.layout.name.hasPrefix("file.") || $0.callback == .didFinishDownloading }
    #expect(
      files.map(\.layout.name) == [
        "delivery.received", "file.offered", "delivery.entered", "delivery.left", "file.unclaimed",
      ])
    let replayed = try log.replayed()
    #expect(try log.findings() == ["temp-file-not-moved"])
    #expect(replayed.findings.map(\.certainty) == ["probable"])
  }

  @Test func `A file that the app tries to move after the callback is reported as certain`() async throws {
    let place = SharedValue<URL>()
    let log = try await download { bench, _, location in
      place.value = location
    } complete: { bench, task in
      // Removes the file as Apple's Foundation does after the callback. FoundationNetworking does not remove it.
      try? FileManager.default.removeItem(at: place.value!)
      try? bench.recorder.app.move(place.value!, to: bench.path("got"), of: task)
    }
    #expect(try log.first(.fileClaimed).inCallback == false)
    #expect(try log.first(.fileClaimed).osError == 2)
    let replayed = try log.replayed()
    #expect(try log.findings() == ["temp-file-not-moved"])
    #expect(replayed.findings.map(\.certainty) == ["certain"])
  }

  @Test func `A failed claim is recorded with its errno`() async throws {
    let log = try await download { bench, task, location in
      try? bench.recorder.app.move(location, to: bench.path("no/such/place"), of: task)
      bench.leftOver(location)
    }
    #expect(try log.first(.fileClaimed).osError == 2)
    #expect(try log.findings() == ["claim-failed-destination"])
  }

  @Test func `An interrupted download offers no file`() async throws {
    let cut = ScriptedResponse(body: .generated(size: 50_000, seed: 1), cut: .init(.midBody, .reset))
    let log = try await download(cut) { _, _, _ in Issue.record("an interrupted download must not offer a file") }
    #expect(log.all(.fileOffered).isEmpty)
    #expect(try log.first(.taskCompleted).errorName == "networkConnectionLost")
    #expect(try log.first(.taskCompleted).received == 25_000)
    #expect(try log.findings() == [])
  }
}

extension Bench {
  /// Registers a temporary file for removal at the end of the test, because FoundationNetworking does not remove it.
  func leftOver(_ location: URL) { temporary.add(location) }
}
