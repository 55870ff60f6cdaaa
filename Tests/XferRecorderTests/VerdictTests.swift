import Foundation
import Testing
import XferEvents
import XferRecorder
import XferScript

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests of findings in apps with and without a defect, using the same transfers.
struct VerdictTests {
  @Test(arguments: [false, true])
  func `An error page that is recorded as a success is reported`(looksAtStatus: Bool) async throws {
    let log = try await Bench.run([.init("/a", ScriptedResponse(status: 404, body: "not here"))]) { bench in
      let delegate = AppDelegate {
        $0.complete = { task, error in
          let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
          let isSuccess = error == nil && (!looksAtStatus || status < 400)
          bench.recorder.app.record(isSuccess ? .success : .failure, of: task)
        }
      }
      let session = bench.session(delegate)
      await bench.carry(session.dataTask(with: bench.url("/a")), in: session)
    }
    #expect(try log.findings() == (looksAtStatus ? [] : ["http-error-as-success"]))
  }

  @Test(arguments: [false, true])
  func `An error page that is kept as the requested file is reported`(looksAtStatus: Bool) async throws {
    let log = try await Bench.run([.init("/a", ScriptedResponse(status: 500, body: "broken"))]) { bench in
      let delegate = AppDelegate {
        $0.file = { task, location in
          let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
          if looksAtStatus && status >= 400 { return bench.leftOver(location) }
          try? FileManager.default.moveItem(at: location, to: bench.path("got"))
        }
      }
      let session = bench.session(delegate)
      await bench.carry(session.downloadTask(with: bench.url("/a")), in: session)
    }
    #expect(try log.findings() == (looksAtStatus ? [] : ["http-error-as-success"]))
  }
}
