import Testing
import XferEvents
import XferLifecycle
import XferReplay

@testable import XferDiagnosis

/// Tests that a fingerprint identifies the same problem in different runs.
struct FingerprintTests {
  /// A run of an app that loses a completion and is then killed.
  private struct Run {
    var id: UInt64 = 1
    var session = "com.example.photos"
    var path = "/a"
    var host = "cdn.example.com"
    var method = "GET"
    var program = "/opt/app/bin/photos"
    var start: Duration = .zero
    /// The number of successful tasks before the failing one.
    var others = 0

    var findings: [String: String] {
      let app = EventArchive(name: "log-\(id)", writer: WriterContext(launch: LaunchID(high: id, low: id), pid: Int(id)))
      let next = EventArchive(
        name: "next-\(id)", writer: WriterContext(launch: LaunchID(high: id, low: id + 1), pid: Int(id) + 1), index: 1)
      var events: [any TransferEvent] = [ProcessStarted(executable: program)]
      for number in 0..<others { events += good(UInt64(100 + number)) }
      events += begun(id) + [TaskTransferred(task: task(id), received: 1, status: 200)] + begun(id + 1)
      var diagnosis = Diagnosis()
      func apply(_ event: any TransferEvent, of archive: EventArchive, at time: Duration) {
        let time = (start + time).nanoseconds
        diagnosis.apply(
          .event(archive.record(event, at: Moment(monotonic: time, boottime: time, wall: WallTime(nanoseconds: time)))))
      }
      for (place, event) in events.enumerated() { apply(event, of: app, at: .milliseconds(place)) }
      apply(LogHeartbeatWritten(), of: app, at: .seconds(30))
      apply(ProcessExitObserved(launch: LaunchID(high: id, low: id), exitReason: .missing), of: next, at: .seconds(40))
      diagnosis.finish()
      return Dictionary(uniqueKeysWithValues: diagnosis.findings.map { ($0.rule, $0.fingerprint) })
    }

    private func task(_ id: UInt64) -> TaskIdentity {
      TaskIdentity(uid: TaskUID(high: id, low: id), session: session, number: UInt32(id))
    }

    private func begun(_ id: UInt64) -> [any TransferEvent] {
      [
        TaskCreated(task: task(id), type: .data, method: method, scheme: "https", host: host, path: path),
        TaskResumed(task: task(id)), AttemptStarted(task: task(id), attempt: 1),
      ]
    }

    private func good(_ id: UInt64) -> [any TransferEvent] {
      let (task, delivery) = (task(id), DeliveryID(id))
      return begun(id) + [
        TaskTransferred(task: task, received: 1, status: 200),
        DeliverySent(task: task, delivery: delivery, callback: .didComplete),
        DeliveryReceived(task: task, delivery: delivery, callback: .didComplete),
        DeliveryEntered(task: task, delivery: delivery, callback: .didComplete),
        DeliveryLeft(task: task, delivery: delivery, callback: .didComplete),
        TaskCompleted(task: task, delivery: delivery, received: 1, status: 200),
      ]
    }
  }

  @Test func `A fingerprint does not depend on IDs, paths, times and the number of other tasks`() throws {
    let first = Run().findings
    #expect(first["lost-completion"]?.hasPrefix("1:") == true)
    #expect(Run(id: 77, path: "/b/c?d=1", program: "/home/me/photos", start: .seconds(86_400), others: 3).findings == first)
  }

  @Test(arguments: [
    ["run-9", "run-10", "run-123456789012"],
    ["uploads-3F2504E0-4F89-41D3-9A0C-0305E82C3301", "uploads-b7d6e3a0-91c2-4c1e-8f00-1234567890ab"],
    ["3F2504E04F8941D39A0C0305E82C3301", "00000000aaaabbbbccccddddeeee0001"],
    ["1700000000.5", "1800000001.25"],
  ])
  func `Session identifiers that differ only in a generated part give the same fingerprint`(sessions: [String]) {
    let fingerprints = Set(sessions.map { Run(session: $0).findings["lost-completion"] })
    #expect(fingerprints.count == 1 && fingerprints != [nil], "\(sessions)")
  }

  @Test func `Different problems have different fingerprints`() {
    let all = [
      Run(), Run(session: "com.example.music"), Run(host: "api.example.com"), Run(method: "PUT"), Run(session: "run-9"),
    ].map { $0.findings["lost-completion"] }
    #expect(Set(all).count == all.count && !all.contains(nil))
    let fates = [Run(), Run(program: "/opt/app/bin/music")].map { $0.findings.filter { $0.key != "lost-completion" } }
    #expect(fates[0].keys == fates[1].keys && !fates[0].isEmpty, "\(fates)")
    for (rule, fingerprint) in fates[0] { #expect(fates[1][rule] != fingerprint, "\(rule)") }
  }

  @Test func `Version 1 of the fingerprint never changes`() {
    #expect(
      Fingerprint.make(rule: "lost-completion", variant: "never sent", name: "run-12", method: "GET", host: "10.0.0.7")
        == Fingerprint.make(rule: "lost-completion", variant: "never sent", name: "run-7", method: "GET", host: "10.2.3.144"))
    #expect(
      Fingerprint.make(rule: "lost-completion", variant: "never sent", name: "photos", method: "GET", host: "example.com")
        == "1:8c510574186cae02")
  }

  @Test func `Remembered fingerprints are those of their findings, however many there are`() {
    var cache = FingerprintCache()
    for number in 0..<600 {
      // Some bases come twice in a row, and some come again after many others.
      let basis = FingerprintBasis(
        rule: "lost-completion", variant: number % 3 == 0 ? nil : "never sent",
        name: String(repeating: "a", count: number / 2 % 300),
        method: "GET", host: "example.com")
      #expect(cache.fingerprint(of: basis) == FingerprintVersion.current.fingerprint(of: basis))
    }
  }
}
