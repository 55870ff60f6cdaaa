import Foundation
import Testing
import XferEvents
import XferRecorder
import XferScript

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct UploadTests {
  private func request(_ bench: Bench) -> URLRequest {
    var request = URLRequest(url: bench.url("/up"))
    request.httpMethod = "PUT"
    return request
  }

  @Test func `An upload is recorded with the properties of its file and its progress`() async throws {
    let log = try await Bench.run([.init("/up", ScriptedResponse(body: "ok"))]) { bench in
      let bytes = Data(ScriptBody.bytes(seed: 7, size: 200_000))
      try bytes.write(to: bench.path("source"))
      let session = bench.session(AppDelegate())
      await bench.carry(session.uploadTask(with: request(bench), fromFile: bench.path("source")), in: session)
      #expect(bench.server.requests.map(\.requestBodyBytes) == [200_000])
    }
    let created = try log.first(.taskCreated)
    #expect(created.type == .upload)
    #expect(created.sourceSize == 200_000)
    #expect(created.inode != nil)
    #expect(created.sourceModified != nil)
    if case .hashed = created.sourceFile {} else { Issue.record("the file's path is not hashed") }
    #expect(log.all(.attemptBytesSent).last?.sent == 200_000)
    #expect(log.all(.attemptBytesSent).last?.expected == 200_000)
    #expect(try log.first(.taskCompleted).sent == 200_000)
    #expect(try log.findings() == [])
  }

  @Test func `An upload from memory is recorded without a file`() async throws {
    let log = try await Bench.run([.init("/up", ScriptedResponse(status: 201))]) { bench in
      let session = bench.session(AppDelegate())
      await bench.carry(session.uploadTask(with: request(bench), from: Data(count: 10)), in: session)
    }
    #expect(try log.first(.taskCreated).sourceFile == nil)
    #expect(try log.first(.taskCompleted).status == 201)
    #expect(try log.findings() == [])
  }
}
