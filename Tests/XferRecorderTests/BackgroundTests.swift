import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferScript

@testable import XferRecorder

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests of recording background sessions, simulated on platforms without them.
struct BackgroundTests {
  @Test func `A wake is recorded from its delivery to the call of its handler`() async throws {
    let calls = SharedValue<Int>()
    let log = try await Bench.run { bench in
      let configuration = URLSessionConfiguration.ephemeral
      configuration.identifier = "com.example.photos"
      do {
        let events = bench.recorder.handleEvents(forBackgroundURLSession: "com.example.photos") {
          calls.value = (calls.value ?? 0) + 1
        }
        events.stored(in: "savedHandler")
        let session = bench.recorder.session(configuration: configuration, delegate: nil)
        session.recording.didFinishEvents(forward: nil)
        events.call()
        events.call()
      }
    }
    #expect(calls.value == 1, "the system's handler must be called once")
    let names = log.events.map(\.layout.name).filter { $0.hasPrefix("wake.") || $0 == "session.eventsFinished" }
    #expect(
      names == [
        "wake.delivered", "wake.handlerStored", "session.eventsFinished", "wake.handlerCalled", "wake.handlerCalled",
        "wake.handlerReleased",
      ])
    #expect(try log.first(.sessionCreated).sessionKind == .background)
    let handler = try log.first(.wakeDelivered).handler
    #expect(try log.first(.sessionEventsFinished).handler == handler)
    #expect(try log.first(.wakeHandlerStored).slot == "savedHandler")
    #expect(try log.findings() == ["delegate-missing", "completion-handler-called-twice"])
  }

  @Test func `A handler that is released without a call is reported`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.identifier = "com.example.photos"
    let log = try await Bench.run { bench in
      bench.recorder.handleEvents(forBackgroundURLSession: "com.example.photos") {}.stored(in: "local")
      _ = bench.recorder.session(configuration: configuration, delegate: nil)
    }
    #expect(try log.replayed().findings.map(\.rule) == ["missed-completion-handler", "delegate-missing"])
  }

  @Test func `A directory stores uids until they are removed`() {
    let directory = TemporaryDirectory()
    let store = TaskUIDDirectory(URL(fileURLWithPath: directory.path("tasks")))
    let uid = TaskUID(high: 1, low: 2)
    let session = "com.example/../ä b"
    #expect(store.uid(session: session, task: 1) == nil)
    store.keep(uid, session: session, task: 1)
    #expect(TaskUIDDirectory(store.directory).uid(session: session, task: 1) == uid)
    #expect(store.uid(session: session, task: 2) == nil)
    #expect((try? FileManager.default.contentsOfDirectory(atPath: directory.path("tasks")))?.count == 1)
    store.forget(session: session, task: 1)
    #expect(store.uid(session: session, task: 1) == nil)
  }

  /// A second recorder simulates a relaunch of the app.
  @Test func `A background task keeps its uid after a relaunch`() async throws {
    let directory = TemporaryDirectory()
    let store = TaskUIDDirectory(URL(fileURLWithPath: directory.path("tasks")))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.identifier = "com.example.photos"
    let log = try await Bench.run([.init("/a", .generated(10))], store: store) { bench in
      let first = bench.recorder.session(configuration: configuration, delegate: AppDelegate())
      let task = first.dataTask(with: bench.url("/a"))
      let next = SessionRecorder(sink: bench.log, store: store)
      let second = next.session(configuration: configuration, delegate: AppDelegate())
      second.recording.didComplete(task, nil) {}
      #expect(next.identity(of: task) == bench.recorder.identity(of: task))
    }
    let uid = try log.first(.taskCreated).task?.uid
    #expect(try log.first(.taskAdopted).task?.uid == uid)
    #expect(log.all(.taskCreated).count == 1)
    #expect(try log.first(.taskCompleted).task?.uid == uid)
    #expect(store.uid(session: "com.example.photos", task: 1) == nil)
  }
}
