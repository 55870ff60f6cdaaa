import Foundation
import Testing
import XferEvents
import XferRecorder
import XferScript

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct PrivacyTests {
  private static let secret = "kx7canary29secret"

  /// The encodings in which the secret could appear in a log.
  private static let forms: [[UInt8]] =
    [
      Array(secret.utf8), Array(secret.uppercased().utf8), Array(secret.utf8.flatMap { [$0, 0] }),
      Array(secret.utf8.map { String($0, radix: 16) }.joined().utf8),
    ]
    + (0..<3).map { shift in
      let coded = Array(Data([UInt8](repeating: 0, count: shift) + Array(secret.utf8)).base64EncodedString().utf8)
      return Array(coded[(8 * shift + 5) / 6..<8 * (shift + secret.utf8.count) / 6])
    }

  private static func isHidden(in bytes: [UInt8]) -> Bool {
    !forms.contains { form in bytes.indices.contains { bytes[$0...].starts(with: form) } }
  }

  private func log(_ mode: CaptureMode) async throws -> RecordedLog {
    let secret = Self.secret
    let refusal = ScriptedResponse(
      status: 401, headers: ["WWW-Authenticate": "Basic realm=\"\(secret)\"", "Set-Cookie": "id=\(secret)", "X-Own": secret])
    let routes: [ServerScript.Route] = [
      .init("/p/*", [refusal, ScriptedResponse(headers: ["Content-Type": "text/plain; name=\(secret)"], body: .text(secret))]),
      .init("/from", .redirect(to: "/p2;jsessionid=\(secret)?token=\(secret)")), .init("/*", .generated(1)),
    ]
    return try await Bench.run(routes, mode: mode) { bench in
      let delegate = AppDelegate {
        $0.challenge = { _ in (.useCredential, URLCredential(user: secret, password: secret, persistence: .none)) }
        $0.file = { task, location in try? bench.recorder.app.move(location, to: bench.path(secret), of: task) }
        $0.complete = { task, _ in bench.recorder.app.record(.success, of: task, message: secret) }
      }
      let session = bench.session(delegate)
      let query = "X-Amz-Signature=\(secret)&token=\(secret)&%74oken=\(secret)&note=\(secret)"
      let text = bench.server.url("/p/\(secret);jsessionid=\(secret)?\(query)#\(secret)")
      var request = URLRequest(url: URL(string: text.replacing("http://", with: "http://\(secret):\(secret)@"))!)
      for name in ["Authorization", "Cookie", "X-Api-Key", "Referer"] { request.setValue(secret, forHTTPHeaderField: name) }
      let task = session.dataTask(with: request)
      task.taskDescription = secret
      await bench.carry(task, in: session)
      await bench.carry(session.dataTask(with: bench.url("/from")), in: session)
      await bench.carry(session.downloadTask(with: bench.url("/file")), in: session)
      bench.recorder.app.note(secret)
    }
  }

  @Test(arguments: [CaptureMode.hashed, .redacted])
  func `The bytes of a log contain no secret`(mode: CaptureMode) async throws {
    let log = try await log(mode)
    #expect(log.all(.taskCompleted).count == 3)
    #expect(Self.isHidden(in: log.bytes))
    #expect(try log.first(.attemptRequestSent).authorized == true)
    let names = try #require(try log.first(.attemptRequestSent).headers)
    #expect(names.split(separator: ",").contains("x-api-key"))
  }

  /// This test shows that the previous test can fail. Access-granting values are excluded even from full logs.
  @Test func `A log in full mode contains private values but nothing that grants access`() async throws {
    let log = try await log(.full)
    #expect(!Self.isHidden(in: log.bytes))
    let created = try log.first(.taskCreated)
    #expect(created.urlQuery == .plain("note=\(Self.secret)"))
    #expect(created.path == .plain("/p/\(Self.secret)"))
  }
}
