import Foundation
import Testing
import XferEvents
import XferScript

@testable import XferRecorder

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests of recording URLSession's metrics. The metrics are constructed here, because FoundationNetworking reports none.
struct MeasuringTests {
  @Test func `Metrics are recorded as connections and durations when the task has ended`() async throws {
    var hop = HopFacts()
    hop.protocolName = "h2"
    hop.isReused = true
    hop.connectTime = .milliseconds(3)
    hop.firstByteTime = .milliseconds(40)
    hop.bodyTime = .milliseconds(7)
    var cached = HopFacts()
    cached.isOnNetwork = false
    let hops = [cached, hop]
    let log = try await Bench.run([.init("/a", .generated(10))]) { bench in
      let recorder = bench.recorder
      let delegate = AppDelegate {
        $0.data = { task in recorder.context.tasks.recording(of: task)?.note { $0.measured(hops) } }
      }
      let session = bench.session(delegate)
      await bench.carry(session.dataTask(with: bench.url("/a")), in: session)
    }
    let acquired = try log.first(.attemptConnectionAcquired)
    #expect(log.all(.attemptConnectionAcquired).count == 1)
    #expect(acquired.transaction == 2)
    #expect(acquired.protocol == "h2")
    #expect(acquired.reused == true)
    let ended = try log.first(.attemptEnded)
    #expect(ended.connectTime == .milliseconds(3))
    #expect(ended.firstByteTime == .milliseconds(40))
    #expect(ended.bodyTime == .milliseconds(7))
    #expect(try log.findings() == [])
  }

  @Test func `The system's reason for a cancellation is recorded`() throws {
    let error = NSError(
      domain: NSURLErrorDomain, code: -999, userInfo: ["NSURLErrorBackgroundTaskCancelledReasonKey": 0])
    #expect(ErrorFacts(error).cancelReason == .userForceQuit)
    #expect(ErrorFacts(error).end == .cancelled)
  }

  @Test func `The errno of an underlying error is recorded`() throws {
    let beneath = NSError(domain: NSPOSIXErrorDomain, code: 54)
    let error = NSError(domain: NSURLErrorDomain, code: -1005, userInfo: [NSUnderlyingErrorKey: beneath])
    let facts = ErrorFacts(error)
    #expect(facts.osError == 54)
    #expect(facts.name == "networkConnectionLost")
    #expect(facts.domain == .url)
    #expect(ErrorFacts(NSError(domain: "com.example", code: 3)).domain == nil)
    #expect(ErrorFacts(NSError(domain: NSURLErrorDomain, code: -1001)).end == .timeout)
  }

  // The numbers are those of NSURLError.h; the rules about sessions read them, and people read the names.
  @Test(arguments: [
    (-995, "backgroundSessionRequiresSharedContainer"), (-996, "backgroundSessionInUseByAnotherProcess"),
    (-997, "backgroundSessionWasDisconnected"),
  ])
  func `An error of a background session has the name of its number`(number: Int, name: String) {
    #expect(ErrorFacts(NSError(domain: NSURLErrorDomain, code: number)).name == name)
  }

  @Test func `The number of an error is a Cocoa code only in the Cocoa domain`() {
    let number = CocoaError.Code.fileNoSuchFile.rawValue
    #expect(FileMove.osError(of: NSError(domain: NSCocoaErrorDomain, code: number)) == Int(ENOENT))
    #expect(FileMove.osError(of: NSError(domain: "com.example", code: number)) == Int(EIO))
  }
}
