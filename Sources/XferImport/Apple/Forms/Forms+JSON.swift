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
    /// An object that is not a record of the unified log.
    case other
  }

  static func meaning(_ object: JSONObjects.Found, _ names: inout NameCache) -> Meaning {
    object.bytes.withUnsafeBytes { bytes in
      let members = Members(bytes)
      if let count = members.count, members.isFinished, members.message == nil { return .trailer(count: count) }
      guard members.isRecord, let record = members.record(&names) else { return .other }
      record.lines = object.lines
      record.place = .init(offset: object.offset, count: object.count)
      return .record(record)
    }
  }

  /// The members of an object that matter, as raw texts of the object.
  struct Members {
    private(set) var message: UnsafeRawBufferPointer?
    private var timestamp, process, library, subsystem, category, level, event: UnsafeRawBufferPointer?
    private var pid, thread, activity, total, finished: UnsafeRawBufferPointer?
    private var (hasOrigin, isOwn) = (false, false)

    init(_ object: UnsafeRawBufferPointer) {
      var members = JSONMembers(object)
      read(&members)
    }

    /// Reads a line that consists of one object; `nil` if it has anything else.
    ///
    /// - Parameter isQuick: whether a usual line is read in the quick way, which tests compare with the other one.
    init?(line: UnsafeRawBufferPointer, isQuick: Bool = true) {
      if isQuick, var members = QuickMembers(line) {
        if members.read({ take($0, $1) }) == .complete { return }
        self = Members()
      }
      var members = JSONMembers(line)
      read(&members)
      guard members.takeEnd() else { return nil }
    }

    private init() {}

    /// Reads a line that has a layout.
    init(_ line: UnsafeRawBufferPointer, _ layout: LineLayout) {
      @inline(__always) func value(_ role: LineLayout.Role) -> UnsafeRawBufferPointer? { layout.value(role, of: line) }
      (message, timestamp) = (value(.message), value(.timestamp))
      isOwn = message != nil
      let path = value(.process)
      if let path, !path.isEmpty, path.last != 0x2F { process = path }
      (library, subsystem, category) = (value(.library), value(.subsystem), value(.category))
      (level, event) = (value(.level), value(.event))
      (pid, thread, activity) = (value(.pid), value(.thread), value(.activity))
      hasOrigin = path != nil || library != nil || subsystem != nil || category != nil || event != nil
    }

    /// Returns the layout of a line; `nil` if the line cannot be read quickly, or if its members do not have one value each.
    static func layout(of line: UnsafeRawBufferPointer) -> LineLayout? {
      guard var members = QuickMembers(line), let base = line.baseAddress else { return nil }
      var found: [(role: LineLayout.Role, offset: Int)] = []
      var isPlain = true
      let end = members.read { key, value in
        guard let role = LineLayout.Role(key, value, &isPlain) else { return }
        if found.contains(where: { $0.role == role }) { isPlain = false }
        switch value {
        case .string(let raw), .number(let raw): found.append((role, raw.baseAddress.map { base.distance(to: $0) } ?? -1))
        case .other: break
        }
      }
      return end == .complete && isPlain ? LineLayout(line, members: found) : nil
    }

    private mutating func read(_ members: inout JSONMembers) {
      while let (key, value) = members.next() { take(key, value) }
    }

    @inline(__always)
    private mutating func take(_ key: UnsafeRawBufferPointer, _ value: JSONMembers.Value) {
      switch value {
      case .string(let raw):
        if key.count == 12, key.equals("eventMessage") {
          (message, isOwn) = (raw, true)
        } else if key.count == 7, key.equals("message") {
          message = raw
        } else if let origin = Origin(key) {
          take(origin, raw)
        }
      case .number(let word): takeNumber(key, word)
      case .other: break
      }
    }

    @inline(__always)
    private mutating func take(_ origin: Origin, _ raw: UnsafeRawBufferPointer) {
      if origin != .timestamp, origin != .level { hasOrigin = true }
      switch origin {
      case .timestamp: timestamp = raw
      case .process, .processPath: if !raw.isEmpty, raw.last != 0x2F { process = raw }
      case .sender: library = raw
      case .subsystem: subsystem = raw
      case .category: category = raw
      case .level: level = raw
      case .event: event = raw
      }
    }

    @inline(__always)
    private mutating func takeNumber(_ key: UnsafeRawBufferPointer, _ word: UnsafeRawBufferPointer) {
      switch key.count {
      case 3 where key.equals("pid"): pid = word
      case 5 where key.equals("count"): total = word
      case 8 where key.equals("threadID"): thread = word
      case 8 where key.equals("finished"): finished = word
      case 9 where key.equals("processID"): pid = word
      case 9 where key.equals("thread_id"): thread = word
      case 18 where key.equals("activityIdentifier"): activity = word
      default: break
      }
    }

    private static func number(_ word: UnsafeRawBufferPointer?) -> Int64? {
      guard let word else { return nil }
      var digits = ByteScanner(word)
      return digits.takeInteger()
    }

    /// The number of records that the trailer of `log` states; `nil` if the object has no such member.
    var count: Int? { Self.number(total).map { Int(clamping: $0) } }
    var isFinished: Bool { Self.number(finished) == 1 }

    /// Whether the object is a record of the unified log. Other logs have messages, too. `unifiedlog_iterator` also writes the library
    /// and the process.
    var isRecord: Bool {
      message != nil && hasOrigin && (isOwn || !(library?.isEmpty ?? true) && process != nil)
        && (timestamp.map { AppleTime.isUsual($0) } ?? false || time != nil)
    }

    var isLoss: Bool { event.map { $0.hasPrefix("loss") || $0.hasPrefix("Loss") } ?? false }

    /// The time, unless it cannot be read.
    var time: AppleTime? {
      guard let timestamp else { return nil }
      func read(_ text: UnsafeRawBufferPointer) -> AppleTime? {
        if let time = AppleTime(usual: text) { return time }
        var (scanner, time) = (ByteScanner(text), AppleTime())
        guard scanner.takeDate(&time), scanner.take(0x20) || scanner.take("T"), scanner.takeClock(&time) else { return nil }
        _ = scanner.takeOffset(&time)
        return time
      }
      if timestamp.first(0x5C, from: 0) == nil { return read(timestamp) }
      return JSONMembers.unescaped(timestamp).withUnsafeBytes(read)
    }

    /// Returns what the message means.
    func recognised(
      _ recognise: (UnsafeRawBufferPointer, UnsafeRawBufferPointer?) -> RecognisedMessage?
    ) -> RecognisedMessage? {
      guard let message else { return nil }
      // The last component of a path has no escapes, unless its name does.
      let name = process.map { $0.lastComponent }
      if let name, name.first(0x5C, from: 0) != nil {
        return JSONMembers.unescaped(name).withUnsafeBytes { recognised(message, $0, recognise) }
      }
      return recognised(message, name, recognise)
    }

    private func recognised(
      _ message: UnsafeRawBufferPointer, _ name: UnsafeRawBufferPointer?,
      _ recognise: (UnsafeRawBufferPointer, UnsafeRawBufferPointer?) -> RecognisedMessage?
    ) -> RecognisedMessage? {
      if message.first(0x5C, from: 0) == nil { return recognise(message, name) }
      return JSONMembers.withUnescaped(message) { recognise($0, name) }
    }

    /// Returns the record, without its place in the file.
    func record(_ names: inout NameCache) -> AppleRecord? {
      guard let message, let time else { return nil }
      let record = AppleRecord(form: .json)
      record.message = JSONMembers.unescaped(message)
      record.time = time
      record.pid = Self.number(pid).map { Int($0) }
      record.thread = Self.number(thread).map { UInt64(clamping: $0) }
      record.activity = Self.number(activity).flatMap { $0 == 0 ? nil : UInt64(clamping: $0) }
      func take(_ origin: Origin, _ raw: UnsafeRawBufferPointer?) {
        guard let raw else { return }
        // The last component of a path has no escapes, unless its name does.
        let text = origin == .process || origin == .sender ? raw.lastComponent : raw
        if text.first(0x5C, from: 0) == nil {
          record.take(origin, text, &names)
        } else {
          JSONMembers.withUnescaped(raw) { record.take(origin, $0, &names) }
        }
      }
      take(.process, process)
      take(.sender, library)
      take(.subsystem, subsystem)
      take(.category, category)
      take(.level, level)
      take(.event, event)
      return record
    }
  }

  /// The members that tell who wrote the record, and when.
  enum Origin {
    case timestamp, process, processPath, sender, subsystem, category, level, event

    @inline(__always)
    init?(_ key: UnsafeRawBufferPointer) {
      switch key.count {
      case 7 where key.equals("process"): self = .process
      case 7 where key.equals("library"): self = .sender
      case 8 where key.equals("category"): self = .category
      case 8 where key.equals("log_type"): self = .level
      case 9 where key.equals("timestamp"): self = .timestamp
      case 9 where key.equals("subsystem"): self = .subsystem
      case 9 where key.equals("eventType"): self = .event
      case 10 where key.equals("event_type"): self = .event
      case 11 where key.equals("messageType"): self = .level
      case 15 where key.equals("senderImagePath"): self = .sender
      case 16 where key.equals("processImagePath"): self = .processPath
      default: return nil
      }
    }
  }
}

extension LineLayout.Role {
  /// Returns the role of a member; `nil` if the member does not matter.
  ///
  /// - Parameter isPlain: set to `false` if lines with the member must be read in another way.
  fileprivate init?(_ key: UnsafeRawBufferPointer, _ value: JSONMembers.Value, _ isPlain: inout Bool) {
    switch value {
    case .string:
      if key.equals("eventMessage") {
        self = .message
        return
      }
      if key.equals("message") { isPlain = false }
      guard let origin = AppleJSON.Origin(key) else { return nil }
      switch origin {
      case .timestamp: self = .timestamp
      case .process, .processPath: self = .process
      case .sender: self = .library
      case .subsystem: self = .subsystem
      case .category: self = .category
      case .level: self = .level
      case .event: self = .event
      }
    case .number:
      if key.equals("pid") || key.equals("processID") {
        self = .pid
      } else if key.equals("threadID") || key.equals("thread_id") {
        self = .thread
      } else if key.equals("activityIdentifier") {
        self = .activity
      } else {
        if key.equals("count") || key.equals("finished") { isPlain = false }
        return nil
      }
    case .other: return nil
    }
  }
}

extension AppleRecord {
  fileprivate func take(_ origin: AppleJSON.Origin, _ raw: UnsafeRawBufferPointer, _ names: inout NameCache) {
    switch origin {
    case .timestamp: break
    case .processPath, .process: process = names.name(raw.lastComponent) ?? process
    case .sender: library = names.name(raw.lastComponent)
    case .subsystem: subsystem = names.name(raw)
    case .category: category = names.name(raw)
    case .level: level = AppleLevel(raw)
    case .event:
      if raw.hasPrefix("activity") || raw.hasPrefix("Activity") { kind = .activity }
      if raw.hasPrefix("signpost") || raw.hasPrefix("Signpost") { kind = .signpost }
      if raw.hasPrefix("state") || raw.hasPrefix("timesync") { kind = .state }
      if raw.hasPrefix("loss") || raw.hasPrefix("Loss") { kind = .loss }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The last component of a path.
  fileprivate var lastComponent: UnsafeRawBufferPointer {
    var start = count
    while start > 0, self[start - 1] != 0x2F { start -= 1 }
    return slice(start, count)
  }
}
