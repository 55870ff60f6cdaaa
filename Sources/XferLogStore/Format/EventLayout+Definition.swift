import Synchronization
import XferEvents

extension EventLayout {
  /// Returns the checksum of the layouts of all events of a version of the vocabulary.
  ///
  /// `Vocabulary+Generated.swift` has the results. To compute them takes as long as the replay of a small log.
  package static func digest(version: UInt32) -> UInt32 {
    layouts(version: version).compactMap { $0?.definitionBytes() }.reduce(0) { digest, bytes in
      bytes.withUnsafeBytes { Checksum.crc32c($0, seed: digest) }
    }
  }

  /// The layouts of earlier versions of the vocabulary that a log of this process has needed, by version.
  private static let earlier = Mutex<[UInt32: [EventLayout?]]>([:])

  /// Returns the layouts of the vocabulary that a segment's header names, so that events can be read even if their definitions are
  /// damaged.
  ///
  /// - Returns: An empty array for a vocabulary that this build does not know; the segment's own definitions are then needed.
  static func layouts(version: UInt32, digest: UInt32) -> [EventLayout?] {
    if digest == knownDigest { return known }
    // A number without its checksum is not enough, because a header may be damaged or come from a development version.
    guard version < Vocabulary.version, let index = earlierDigests.firstIndex(of: digest) else { return [] }
    let number = UInt32(truncatingIfNeeded: index + 1)
    return earlier.withLock { earlier in
      if let layouts = earlier[number] { return layouts }
      let layouts = layouts(version: number)
      earlier[number] = layouts
      return layouts
    }
  }

  /// Returns the encoded layout that a segment stores for readers that do not know the event.
  func definitionBytes() -> [UInt8] {
    var bytes = ByteSink()
    bytes.put(number)
    bytes.put(level.rawValue)
    bytes.put(name)
    bytes.put(message)
    bytes.put(UInt8(readingOrder.count))
    for place in readingOrder {
      let field = fields[place]
      bytes.put(field.name)
      bytes.put(field.type.code)
      if case .choice(let choice) = field.type { bytes.put(choice) }
    }
    return bytes.bytes
  }

  private static let largestName = 255
  private static let largestMessage = 1024

  /// Decodes a layout definition.
  ///
  /// - Returns: `nil` if the bytes are not a valid definition.
  static func decode(definition bytes: UnsafeRawBufferPointer) -> EventLayout? {
    var reader = FixedReader(bytes)
    let number = reader.take(UInt16.self)
    guard let level = Level(rawValue: reader.take(UInt8.self)), let name = reader.takeString(),
      let message = reader.takeString()
    else { return nil }
    // Without these limits, a damaged file could make every small record expand to a long message or to many fields.
    guard name.utf8.count <= largestName, message.utf8.count <= largestMessage else { return nil }
    let count = Int(reader.take(UInt8.self))
    guard !reader.failed, count <= maximumFields, number < RecordFormat.firstInternalKind else { return nil }
    var fields: [(name: String, type: FieldType)] = []
    for _ in 0..<count {
      guard let name = reader.takeString(), name.utf8.count <= largestName else { return nil }
      let code = reader.take(UInt8.self)
      var choice: String?
      if code == FieldType.choice("").code {
        guard let name = reader.takeString() else { return nil }
        choice = name
      }
      guard !reader.failed, let type = FieldType(code: code, choice: choice) else { return nil }
      fields.append((name, type))
    }
    return EventLayout(number: number, name: name, level: level, message: message, fields: fields)
  }
}

extension FieldType {
  /// The type's number in the file format. A number is never changed or reused.
  fileprivate var code: UInt8 {
    switch self {
    case .task: 1
    case .tasks: 2
    case .launch: 3
    case .boot: 4
    case .delivery: 5
    case .handler: 6
    case .correlation: 7
    case .digest: 8
    case .bytes: 9
    case .count: 10
    case .duration: 11
    case .wallTime: 12
    case .number: 13
    case .flag: 14
    case .choice: 15
    case .symbol: 16
    case .text(.public): 17
    case .text(.private): 18
    case .message: 19
    }
  }

  fileprivate init?(code: UInt8, choice: String?) {
    switch code {
    case 1: self = .task
    case 2: self = .tasks
    case 3: self = .launch
    case 4: self = .boot
    case 5: self = .delivery
    case 6: self = .handler
    case 7: self = .correlation
    case 8: self = .digest
    case 9: self = .bytes
    case 10: self = .count
    case 11: self = .duration
    case 12: self = .wallTime
    case 13: self = .number
    case 14: self = .flag
    case 15: self = .choice(choice ?? "")
    case 16: self = .symbol
    case 17: self = .text(.public)
    case 18: self = .text(.private)
    case 19: self = .message
    default: return nil
    }
  }
}
