import Foundation
import Testing
import XferEvents
import XferRecorder
import XferScript

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct AppRecorderTests {
  @Test func `An app's intents, outcomes and other events are recorded`() async throws {
    let log = try await Bench.run([.init("/a", .generated(10))]) { bench in
      let app = bench.recorder.app
      let delegate = AppDelegate {
        $0.complete = { task, _ in
          let work = app.beginWork("decode", for: task)
          work.end()
          app.drop(.didComplete, of: task, because: .noRecord)
          app.record(.discarded, of: task, intent: "tile-1", message: "not on screen any more")
          app.unbind("tile-1", from: task, because: "done")
        }
      }
      let session = bench.session(delegate)
      app.attachedListener("TileLoader", to: session)
      app.declare("tile-1", step: "fetch", durable: true)
      let task = session.dataTask(with: bench.url("/a"))
      app.bind("tile-1", to: task, by: "uid")
      #expect(bench.recorder.identity(of: task)?.number == UInt32(task.taskIdentifier))
      await bench.carry(task, in: session)
      app.savedJournal(upTo: 7)
      app.recordCapabilities(["fetch", "processing"])
      app.record(.failure, of: "tile-2")
      app.readSecret("token", .unavailable, status: -25308, for: task)
      app.deletedSecret("token", because: "sign-out")
      app.changed(.cellularData, to: true)
      let upload = app.beginMultipartUpload(resumable: true, with: task)
      upload.storedPart(1, bytes: 5)
      app.multipartUpload(upload.id).abort()
      app.beginMultipartUpload(resumable: false).complete()
    }
    let task = try log.first(.taskCreated).task
    #expect(try log.first(.appIntentDeclared).durable == true)
    #expect(try log.first(.appIntentBound).task == task)
    #expect(try log.first(.appIntentBound).key == "uid")
    #expect(try log.first(.appIntentUnbound).reason == "done")
    #expect(log.all(.appOutcomeRecorded).map(\.outcome) == [.discarded, .failure])
    #expect(log.all(.appOutcomeRecorded).map(\.task) == [task, nil])
    #expect(try log.first(.appWorkBegun).work == (try log.first(.appWorkEnded).work))
    #expect(try log.first(.appListenerAttached).name == "TileLoader")
    #expect(try log.first(.appJournalSaved).upTo == 7)
    #expect(try log.first(.appCapabilitiesRecorded).capabilities == "fetch,processing")
    let secret = try log.first(.appSecretRead)
    #expect(secret.name == "token" && secret.secretAnswer == .unavailable && secret.osError == -25308 && secret.task == task)
    #expect(try log.first(.appSecretDeleted).reason == "sign-out")
    #expect(try log.first(.policyChanged).policy == .cellularData)
    #expect(try log.first(.policyChanged).enabled == true)
    let started = log.all(.multipartStarted)
    #expect(started.map(\.resumable) == [true, false])
    #expect(started.map(\.task) == [task, nil])
    #expect(try log.first(.multipartPartStored).part == 1)
    #expect(try log.first(.multipartPartStored).sent == 5)
    #expect(try log.first(.multipartAborted).upload == started[0].upload)
    #expect(try log.first(.multipartCompleted).upload == started[1].upload)
    let dropped = try log.first(.deliveryDropped)
    #expect(dropped.by == .app)
    #expect(dropped.why == .noRecord)
    #expect(dropped.delivery == (try log.first(.taskCompleted).delivery))
  }

  @Test func `Background requests have the same trigger in every launch, and continued tasks state that they need progress`()
    async throws
  {
    func launch(_ steps: @escaping @Sendable (AppRecorder) -> Void) async throws -> RecordedLog {
      try await Bench.run([.init("/a", .generated(10))]) { steps($0.recorder.app) }
    }
    let first = try await launch { app in
      app.submitted(.appRefresh, identifier: "com.example.refresh", earliest: Date(timeIntervalSince1970: 1_900_000_000))
      app.submitted(.processing, identifier: "com.example.cleanup", earliest: .distantFuture)
      let task = app.beganContinuedProcessing("com.example.export")
      task.expire()
      task.end()
    }
    let second = try await launch { $0.granted(.appRefresh, identifier: "com.example.refresh") }
    let armed = first.all(.triggerArmed)
    #expect(armed.map(\.triggerKind) == [.appRefresh, .processing])
    #expect(armed[0].firesAt == WallTime(nanoseconds: 1_900_000_000_000_000_000))
    #expect(armed[1].firesAt == nil)
    #expect(armed[0].trigger != armed[1].trigger)
    #expect(try second.first(.triggerFired).trigger == armed[0].trigger)
    let begun = try first.first(.assertionBegun)
    #expect(begun.needsProgress == true)
    #expect(try first.first(.assertionExpired).assertion == begun.assertion)
    #expect(try first.first(.assertionEnded).assertion == begun.assertion)
  }
}
