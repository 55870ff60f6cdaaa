import XferEvents

/// A recognised record, reduced to what the replay needs.
struct AppleEntry {
  let message: RecognisedMessage
  let meaning: AppleShape.Meaning
  /// The index of the writer.
  let writer: Int
  let level: AppleLevel?
  let subsystem: String?
  let category: String?
  let moment: Moment
  let clock: AppleClock.Kind
  let line: UInt64
  let thread: UInt64?
  /// The error that the message contains; `nil` if it contains none.
  var error: AppleError?
  /// The text, for messages that do not become another event.
  var text: String
  /// The plan of the record's task; `nil` if the record names no task.
  var plan: TaskPlan?

  /// An estimate of the entry's memory in bytes.
  var size: Int {
    MemoryLayout<AppleEntry>.stride + 64 + text.utf8.count + message.texts.reduce(0) { $0 + 64 + $1.text.utf8.count }
  }

  /// The time by which entries with the same clock can be ordered; `nil` if there is none.
  var time: Int64? { moment.wall?.nanoseconds ?? moment.monotonic }
}

/// A process that wrote records.
struct AppleWriter: Hashable {
  /// The name; `nil` if the form does not tell it.
  let name: String?
  let pid: Int?
  /// What the times of the records state. Readings of different clocks belong to different sources.
  let clock: AppleClock.Kind
  /// The index of the input if the writer has no name, so that unnamed writers of two inputs differ.
  let input: Int?

  var launch: LaunchID {
    var hash = NameHash()
    hash.add(name ?? "")
    if let input { hash.add("input \(input)") }
    let high = hash.value
    hash.add("pid \(pid ?? -1)")
    return LaunchID(high: high, low: hash.value)
  }

  var role: WriterRole {
    switch AppleShape.Emitter(process: name) {
    case nil, .network, .app: .app
    case .daemon: .daemon
    case .scheduler, .power, .runningBoard, .frontBoard, .assertiond, .launchd, .kernel, .reportCrash, .resolver: .system
    }
  }

  /// The clock that the writer's times are readings of.
  var boot: BootID { BootID(high: 0x6170_706c_65, low: UInt64(clock.rawValue) << 32 | UInt64(input.map { $0 + 1 } ?? 0)) }
}

/// The hash FNV-1a of texts. It is the same in every run.
struct NameHash {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0)
  }

  mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

  mutating func add(_ bytes: [UInt8]) { for byte in bytes { add(byte) } }
}
