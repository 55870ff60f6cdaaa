/// `log show --style ndjson` and `--style json`, and the lines that `unifiedlog_iterator` writes.
enum AppleJSON {
  /// Returns the first object of a line that begins with JSON; the whole line if it does not, or if the object goes on.
  static func first(in line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var objects = JSONObjects()
    guard objects.take(TextLine(number: 1, offset: 0, bytes: line), line), let first = objects.found.first else { return line }
    return line.slice(Int(clamping: first.offset), Int(clamping: first.offset) + first.count)
  }

  enum Meaning {
    case record(AppleRecord)
    /// The last line of `log show`: how many records there are.
    case trailer(count: Int)
    /// An object that is no record of the unified log.
    case other
  }

  static func meaning(_ object: JSONObjects.Found) -> Meaning {
    var record = AppleRecord(form: .json)
    record.lines = object.lines
    record.place = .init(offset: object.offset, count: object.count)
    var (hasMessage, hasOrigin, isOwn, count, isFinished): (Bool, Bool, Bool, Int?, Bool) = (false, false, false, nil, false)
    object.bytes.withUnsafeBytes { bytes in
      var members = JSONMembers(bytes)
      while let (key, value) = members.next() {
        switch value {
        case .string(let raw):
          if key.equals("eventMessage") { isOwn = true }
          if key.equals("eventMessage") || key.equals("message") {
            record.message = JSONMembers.unescaped(raw)
            hasMessage = true
          } else if let text = Origin(key) {
            if text != .timestamp, text != .level { hasOrigin = true }
            record.take(text, JSONMembers.unescaped(raw))
          }
        case .number(let word):
          var digits = ByteScanner(word)
          guard let number = digits.takeInteger() else { continue }
          switch true {
          case key.equals("processID"), key.equals("pid"): record.pid = Int(number)
          case key.equals("threadID"), key.equals("thread_id"): record.thread = UInt64(clamping: number)
          case key.equals("activityIdentifier") where number != 0: record.activity = UInt64(clamping: number)
          case key.equals("count"): count = Int(number)
          case key.equals("finished"): isFinished = number == 1
          default: break
          }
        case .other: break
        }
      }
    }
    if let count, isFinished, !hasMessage { return .trailer(count: count) }
    // Other logs have messages, too. `unifiedlog_iterator` also writes the library and the process.
    let isConverted = record.library != nil && record.process != nil
    return hasMessage && hasOrigin && (isOwn || isConverted) && record.time.ofDay != nil ? .record(record) : .other
  }

  /// The members that tell who wrote the record, and when.
  enum Origin {
    case timestamp, process, processPath, sender, subsystem, category, level, event

    init?(_ key: UnsafeRawBufferPointer) {
      switch true {
      case key.equals("timestamp"): self = .timestamp
      case key.equals("processImagePath"): self = .processPath
      case key.equals("process"): self = .process
      case key.equals("senderImagePath"), key.equals("library"): self = .sender
      case key.equals("subsystem"): self = .subsystem
      case key.equals("category"): self = .category
      case key.equals("messageType"), key.equals("log_type"): self = .level
      case key.equals("eventType"), key.equals("event_type"): self = .event
      default: return nil
      }
    }
  }
}

extension AppleRecord {
  fileprivate mutating func take(_ origin: AppleJSON.Origin, _ bytes: [UInt8]) {
    bytes.withUnsafeBytes { raw in
      switch origin {
      case .timestamp:
        var scanner = ByteScanner(raw)
        var time = AppleTime()
        guard scanner.takeDate(&time), scanner.take(0x20) || scanner.take("T"), scanner.takeClock(&time) else { return }
        _ = scanner.takeOffset(&time)
        self.time = time
      case .processPath, .process: process = raw.lastComponent ?? process
      case .sender: library = raw.lastComponent
      case .subsystem: subsystem = raw.isEmpty ? nil : raw.text
      case .category: category = raw.isEmpty ? nil : raw.text
      case .level: level = AppleLevel(raw)
      case .event:
        if raw.hasPrefix("activity") || raw.hasPrefix("Activity") { kind = .activity }
        if raw.hasPrefix("signpost") || raw.hasPrefix("Signpost") { kind = .signpost }
        if raw.hasPrefix("state") || raw.hasPrefix("timesync") { kind = .state }
        if raw.hasPrefix("loss") || raw.hasPrefix("Loss") { kind = .loss }
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The last component of a path; `nil` for an empty one.
  fileprivate var lastComponent: String? {
    let start = lastIndex(of: 0x2F).map { $0 + 1 } ?? 0
    let name = slice(start, count)
    return name.isEmpty ? nil : name.text
  }
}
