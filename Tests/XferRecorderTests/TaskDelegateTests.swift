import Foundation
import Testing
import XferEvents
import XferRecorder
import XferScript

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct TaskDelegateTests {
  #if canImport(Darwin)
    @Test func `A task with its own delegate is recorded completely`() async throws {
      let (own, sessionDelegate) = (AppDelegate(), AppDelegate())
      let log = try await Bench.run([.init("/a", .generated(1000))]) { bench in
        let session = bench.session(sessionDelegate)
        let task = session.dataTask(with: bench.url("/a"))
        task.delegate = own
        await bench.carry(task, in: session)
        #expect(session.delegate(of: task) === own)
        #expect(task.delegate !== own)
      }
      #expect(own.received.count == 1000)
      #expect(sessionDelegate.calls == ["invalid"])
      #expect(try log.first(.attemptResponseReceived).status == 200)
      #expect(try log.first(.taskCompleted).received == 1000)
      #expect(try log.findings() == [])
    }
  #else
    @Test func `FoundationNetworking ignores a task's own delegate, and the recorder leaves it in place`() async throws {
      let (own, sessionDelegate) = (AppDelegate(), AppDelegate())
      let log = try await Bench.run([.init("/a", .generated(1000))]) { bench in
        let session = bench.session(sessionDelegate)
        let task = session.dataTask(with: bench.url("/a"))
        task.delegate = own
        await bench.carry(task, in: session)
        #expect(task.delegate === own)
        #expect(session.delegate(of: task) === own)
      }
      #expect(own.calls == [])
      #expect(sessionDelegate.received.count == 1000)
      #expect(try log.first(.taskCompleted).received == 1000)
    }
  #endif

  @Test func `A task without its own delegate has none`() async throws {
    _ = try await Bench.run([.init("/a", .generated(10))]) { bench in
      let session = bench.session(AppDelegate())
      let task = session.dataTask(with: bench.url("/a"))
      await bench.carry(task, in: session)
      #expect(session.delegate(of: task) == nil)
    }
  }
}
