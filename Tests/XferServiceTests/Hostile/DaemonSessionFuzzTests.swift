import Foundation
import HTTPTypes
import LogTestSupport
import Testing
import XferEngine
import XferEvents
import XferScript

/// Tests that send random messages to a real daemon, most of them in valid frames.
@Suite(.serialized) struct DaemonSessionFuzzTests {
  @Test(.timeLimit(.minutes(isCampaign ? 120 : 5)))
  func `No connection can crash the daemon, leak descriptors or exceed the memory limit`() async throws {
    let response = ScriptedResponse(body: .generated(size: 20, seed: .path))
    try await Device.run([.init("/f/{n}", response)]) { device throws in
      let daemon = try await device.startListeningDaemon()
      #expect(try device.app("quiet=1", device.url("/f/0")).status == 0)
      let before = device.descriptors(daemon.pid)
      let seeds = seeds(400, campaign: 20_000)
      var (framed, slow) = (0, [RawSocket]())
      for seed in seeds {
        var session = FuzzedSession(seed: seed, url: device.url("/f"))
        let (bytes, isFramed) = try session.bytes()
        framed += isFramed ? 1 : 0
        let socket = try device.connect()
        // Limits the time that the test and the daemon wait for each other.
        socket.limitTime(seconds: 10)
        switch session.ending {
        case .whole:
          socket.send(bytes: bytes)
          socket.finishSending()
          let clock = ContinuousClock.now
          while socket.receive() != nil {}
          #expect(clock.duration(to: .now) < .seconds(10), "seed \(seed): the daemon did not close the connection")
        case .early: socket.send(bytes: bytes)
        case .slow:
          // Sends only the first part of the bytes.
          socket.send(bytes: Array(bytes.prefix(bytes.count / 2)))
          slow.append(socket)
          if slow.count > 20 { slow.removeFirst() }
        }
        guard seed % 200 == 199 || seed == seeds.last else { continue }
        #expect(daemon.isRunning, "seed \(seed)")
        if !daemon.isRunning { return }
        #expect(try device.app("quiet=1", device.url("/f/\(seed)")).status == 0, "after seed \(seed)")
      }
      slow = []
      let memory = try #require(device.peakMemory(daemon.pid))
      print("\(seeds.count) sessions, \(framed) with valid frames, daemon at most \(memory >> 20) MiB")
      #expect(memory <= 256 << 20)
      if seeds.count > 1 { #expect(framed * 10 >= seeds.count * 9) }
      // The engines of the eight sessions keep some descriptors open. A leak would keep hundreds open.
      try await device.until { device.descriptors(daemon.pid) <= before + 60 }
      #expect(daemon.isRunning)
    }
  }
}

/// The messages of one fuzzed connection.
private struct FuzzedSession {
  enum Ending { case whole, early, slow }

  private var random: SeededRandom
  private let url: String
  let ending: Ending

  init(seed: UInt64, url: String) {
    random = SeededRandom(seed: seed)
    self.url = url
    ending = [.whole, .whole, .whole, .early, .slow].randomElement(using: &random)!
  }

  /// Returns the bytes to send, and whether they consist only of frames with valid JSON.
  mutating func bytes() throws -> ([UInt8], isFramed: Bool) {
    var bytes: [UInt8] = []
    func frame(_ json: Data) { bytes += withUnsafeBytes(of: UInt32(json.count).littleEndian) { Array($0) } + Array(json) }
    if Int.random(in: 0..<20, using: &random) != 0 {
      frame(try JSONEncoder().encode(AppMessage.hello(Hello(launch: "\(LaunchID(high: 1, low: random.next()))"))))
    }
    let isFlood = Int.random(in: 0..<50, using: &random) == 0
    for _ in 0..<(isFlood ? 2_000 : Int.random(in: 0...12, using: &random)) {
      let json = try JSONEncoder().encode(message())
      frame(Int.random(in: 0..<3, using: &random) == 0 ? try mutated(json) : json)
    }
    guard Int.random(in: 0..<20, using: &random) == 0 else { return (bytes, true) }
    // Invalid input: random bytes, an oversized frame length, or a frame that is not JSON.
    switch Int.random(in: 0..<3, using: &random) {
    case 0: bytes += (0..<Int.random(in: 1...9_000, using: &random)).map { _ in .random(in: 0...255, using: &random) }
    case 1: bytes += [255, 255, 255, 127] + Array(repeating: 1, count: 100)
    default: frame(Data((0..<50).map { _ in UInt8.random(in: 0...255, using: &random) }))
    }
    return (bytes, false)
  }

  /// Returns a random message. Messages that would make the daemon stop or kill the test process are excluded.
  private mutating func message() -> AppMessage {
    let session = "s\(Int.random(in: 0..<8, using: &random))"
    let uid = "\(TaskUID(high: 5, low: UInt64.random(in: 0..<2_000, using: &random)))"
    switch Int.random(in: 0..<14, using: &random) {
    case 0: return .openSession(opened(session))
    case 1, 2, 3: return .createTask(task(uid, session))
    case 4, 5: return .resume(uid)
    case 6: return .suspend(uid)
    case 7: return .cancel(uid, forResumeData: .random(using: &random))
    case 8: return .acknowledge(UInt64.random(in: 0..<(1 << 34), using: &random))
    case 9: return .refuseDelivery(UInt64.random(in: 0..<(1 << 34), using: &random), reason: text())
    case 10: return Int.random(in: 0..<4, using: &random) == 0 ? .invalidate(session: session) : .handlerCalled(random.next())
    case 11: return .challengeAnswered(ChallengeAnswer(id: random.next(), .useCredential, .init(user: text(), password: text())))
    case 12: return .delayAnswered(DelayAnswer(task: uid, .beginWith(HTTPRequest(method: .get, urlText: text()))))
    default:
      return [
        .report(.assertionBegun(random.next(), name: text())), .report(.assertionEnded(random.next())),
        .report(.triggerDisarmed(LaunchTrigger(.region, name: text()))),
        .report(.deadManArmed(random.next(), name: text(), firesAt: Int64(bitPattern: random.next()))),
        .report(.deadManDisarmed(random.next())), .command(.conditions), .command(.apps),
        .command(.fire(app: text(), kind: .push, name: text())),
      ].randomElement(using: &random)!
    }
  }

  private mutating func opened(_ session: String) -> OpenedSession {
    var opened = OpenedSession.named(session)
    opened.instance = random.next()
    opened.settings.requestTimeout = number()
    opened.settings.resourceTimeout = number()
    opened.settings.connectionsPerHost = Int(bitPattern: UInt(random.next()))
    return opened
  }

  private mutating func task(_ uid: String, _ session: String) -> NewTask {
    let isReal = Int.random(in: 0..<4, using: &random) == 0
    var task = NewTask(
      uid: Int.random(in: 0..<30, using: &random) == 0 ? text() : uid, session: session,
      number: UInt32(truncatingIfNeeded: random.next()), kind: Bool.random(using: &random) ? .download : .upload,
      request: HTTPRequest(method: .get, urlText: isReal ? "\(url)/\(random.next() % 100)" : text()))
    if task.kind == .upload {
      task.file = ["/etc/hostname", "/nonexistent", "/dev/zero", "/", text()].randomElement(using: &random)!
    }
    if Bool.random(using: &random) { task.resumeData = Data(text().utf8) }
    task.description = text()
    task.requestTimeout = number()
    task.resourceTimeout = number()
    task.earliestBegin = number()
    task.expectedToReceive = Int64(bitPattern: random.next())
    return task
  }

  private mutating func number() -> Double? {
    [nil, 0, -1, 1, 1e300, -1e300, 9e9, -9e9, 3, 1e18].randomElement(using: &random)!
  }

  private mutating func text() -> String {
    let long = String(repeating: "ÿ", count: Int.random(in: 0..<2_000, using: &random))
    return ["", "a", "http://127.0.0.1:1/x", "\u{0}", "../../x", "\u{202E}\u{1B}[2J", long, "http://[::1", "💣"].randomElement(
      using: &random)!
  }

  /// Returns the JSON with one value replaced, removed or changed to another type.
  private mutating func mutated(_ json: Data) throws -> Data {
    let value = try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
    var depth = 0
    return try JSONSerialization.data(withJSONObject: mutated(value, &depth), options: .fragmentsAllowed)
  }

  private mutating func mutated(_ value: Any, _ depth: inout Int) -> Any {
    depth += 1
    if var object = value as? [String: Any], let key = object.keys.sorted().randomElement(using: &random) {
      // Keeps the outer levels, which select the message type.
      if depth > 2, Int.random(in: 0..<4, using: &random) == 0 {
        object[key] = nil
      } else {
        object[key] = mutated(object[key]!, &depth)
      }
      return object
    }
    if var array = value as? [Any], !array.isEmpty {
      let place = Int.random(in: 0..<array.count, using: &random)
      array[place] = mutated(array[place], &depth)
      return array
    }
    let odd: [Any] = [
      NSNull(), 0, -1, Int64.max, Int64.min, 1e300, -1e300, "", text(), [Any](), [String: Any](), true, [[[1]]], "null",
    ]
    return odd.randomElement(using: &random)!
  }
}

extension RawSocket {
  /// Sets a timeout for reading and writing.
  fileprivate func limitTime(seconds: Int) {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }
}
