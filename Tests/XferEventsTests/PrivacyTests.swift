import LogTestSupport
import Testing
import XferEvents

/// The bytes that are stored for private values.
struct PrivacyTests {
  private static let canary = "canary-SECRET-7c1f"
  private static let privateFields = Vocabulary.fields.filter { [.text(.private), .message].contains($0.type) }.map(\.name)

  private func record(_ event: some TransferEvent, _ policy: PrivacyPolicy) -> RecordedEvent {
    EventArchive(name: "privacy", writer: WriterContext(), policy: policy).record(event, at: Moment())
  }

  /// Returns the bytes that an encoder writes for an event under a policy.
  private func bytes(of event: any TransferEvent, _ policy: PrivacyPolicy) -> [UInt8] {
    func encode(_ event: some TransferEvent) -> [UInt8] {
      let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
      defer { room.deallocate() }
      let context = EncodingContext(policy: policy, dictionary: CollectingDictionary())
      return withExtendedLifetime(context) {
        var encoder = FieldEncoder(room: room, context: .passUnretained(context), textLimit: 1 << 20)
        event.encode(into: &encoder)
        return Array(room[..<encoder.count])
      }
    }
    return encode(event)
  }

  private final class CollectingDictionary: SymbolDictionary {
    func define(string: UnsafeRawBufferPointer) -> (symbol: UInt32, stored: UnsafeRawBufferPointer)? {
      (1, .init(start: nil, count: 0))
    }
    func define(task: TaskIdentity) -> UInt32? { 1 }
  }

  private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let wanted = Array(text.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
  }

  @Test func `Equal values have equal hashes under one key and different hashes under different keys`() {
    let (first, second) = (PrivacyPolicy(key: (1, 2)), PrivacyPolicy(key: (1, 3)))
    let path = record(FileDeleted(task: task, file: "/home/a/b"), first).file
    #expect(path == record(FileDeleted(task: task, file: "/home/a/b"), first).file)
    // The same value in another field has the same hash.
    #expect(path == record(AppNoted(message: "/home/a/b"), first).message)
    #expect(path != record(FileDeleted(task: task, file: "/home/a/c"), first).file)
    #expect(path != record(FileDeleted(task: task, file: "/home/a/b"), second).file)
    let hash = Array("/home/a/b".utf8).withUnsafeBytes { KeyedHash.hash($0, key: .init(first: 1, second: 2)) }
    #expect(path == .hashed(hash))
  }

  @Test func `The mode redacted stores no private value, and the mode full stores all`() {
    #expect(record(AppNoted(message: "private"), PrivacyPolicy(mode: .redacted, key: (1, 2))).message == .redacted)
    #expect(record(AppNoted(message: "private"), PrivacyPolicy(mode: .full, key: (1, 2))).message == .plain("private"))
    let lengths = ["", "private", String(repeating: "private", count: 900)].map {
      bytes(of: AppNoted(message: $0), PrivacyPolicy(mode: .redacted, key: (1, 2)))
    }
    #expect(Set(lengths).count == 1, "the stored size does not depend on the length of the value")
  }

  @Test(arguments: CaptureMode.allCases)
  func `Public fields are stored in every mode`(mode: CaptureMode) {
    let event = record(AppIntentDeclared(intent: "import-7", step: "two"), PrivacyPolicy(mode: mode, key: (1, 2)))
    #expect(event.intent == .plain("import-7"))
    #expect(event.step == "two")
  }

  @Test(arguments: ["https://me:secret@host/a?token=1", "fetch ftp://host/x now", "://"], CaptureMode.allCases)
  func `A public text that contains a URL is treated as private`(text: String, mode: CaptureMode) {
    let policy = PrivacyPolicy(mode: mode, key: (1, 2))
    let intent = record(AppIntentDeclared(intent: text), policy).intent
    #expect(intent == record(AppNoted(message: text), policy).message)
    #expect(record(AppOutcomeRecorded(intent: text, outcome: .success), policy).intent == intent, "equal intents join")
  }

  @Test(arguments: ["", "import-7", "a:/b", "a: //b", "http:/host", "tiles/3/4", "a:b//c"])
  func `A public text without a URL is stored`(text: String) {
    #expect(record(AppIntentDeclared(intent: text), PrivacyPolicy(mode: .redacted, key: (1, 2))).intent == .plain(text))
  }

  @Test(arguments: CaptureMode.allCases)
  func `Only the field that the writer declared public is stored`(mode: CaptureMode) {
    let policy = PrivacyPolicy(mode: mode, declaredPublic: [.path, .destination], key: (1, 2))
    let event = record(TaskCreated(task: task, path: "/p", urlQuery: "q", destination: "/d"), policy)
    #expect(event.path == .plain("/p"))
    #expect(event.destination == .plain("/d"))
    #expect((event.urlQuery == .plain("q")) == (mode == .full))
  }

  @Test func `Every private field can be declared public separately`() {
    for field in FieldID.allCases {
      let policy = PrivacyPolicy(mode: .redacted, declaredPublic: [field], key: (1, 2))
      for other in FieldID.allCases {
        #expect((policy.treatment(of: .private, in: other) == .plain) == (other == field), "\(field) \(other)")
      }
    }
  }

  @Test func `A secret in a private field appears in the bytes only in the mode full`() {
    var seen: Set<String> = []
    for kind in EventKind.allCases {
      var chooser = FieldChooser(.all, seed: 1, text: Self.canary)
      let event = EventSamples.event(kind, &chooser)
      let definition = Vocabulary.events.first { $0.number == kind.rawValue }!
      let hasPrivate = definition.fields.contains { Self.privateFields.contains($0) }
      let hasPublic = definition.fields.contains { FieldID(name: $0)?.type == .text(.public) }
      seen.formUnion(definition.fields.filter { Self.privateFields.contains($0) })
      for mode in CaptureMode.allCases {
        let bytes = bytes(of: event, PrivacyPolicy(mode: mode, key: (3, 4)))
        let expected = hasPublic || mode == .full && hasPrivate
        #expect(Self.contains(bytes, Self.canary) == expected, "\(kind.name) \(mode.name)")
      }
    }
    #expect(seen == Set(Self.privateFields))
  }

  private let task = TaskIdentity(uid: TaskUID(high: 1, low: 2), session: "s", number: 1)
}
