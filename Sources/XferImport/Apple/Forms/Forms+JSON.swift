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

  static func meaning(_ object: JSONObjects.Found, _ names: NameCache) -> Meaning {
    object.bytes.withUnsafeBytes { bytes in
      let members = Members(bytes)
      if let count = members.count, members.isFinished, members.message == nil { return .trailer(count: count) }
      guard members.isRecord, let record = members.record(names) else { return .other }
      record.lines = object.lines
      record.place = .init(offset: object.offset, count: object.count)
      return .record(record)
    }
  }

  /// The members that tell whether a record is about a transfer, as raw texts.
  struct Head {
    let message: UnsafeRawBufferPointer
    let process: UnsafeRawBufferPointer?

    /// Reads a line that has a layout of records.
    ///
    /// - Returns: `nil` if the record has no usual time, or if it says that records were lost.
    @inline(__always)
    init?(_ line: UnsafeRawBufferPointer, _ layout: LineLayout) {
      guard let message = layout.value(.message, of: line), let timestamp = layout.value(.timestamp, of: line),
        AppleTime.isUsual(timestamp), !(layout.value(.event, of: line)?.isLoss ?? false)
      else { return nil }
      self.message = message
      process = layout.value(.process, of: line).flatMap { $0.namesFile ? $0 : nil }
    }
  }

  /// Returns what a message means.
  ///
  /// - Parameters:
  ///   - message: the raw text of the message.
  ///   - path: the raw path of the process.
  @inline(__always)
  static func recognised(
    _ message: UnsafeRawBufferPointer, _ path: UnsafeRawBufferPointer?, _ recognise: RecordAssembler.Recognise
  ) -> RecognisedMessage? {
    let process = path.map { ProcessText.path($0) }
    if message.first(0x5C, from: 0) == nil { return recognise(message, process) }
    return JSONMembers.withUnescaped(message) { recognise($0, process) }
  }

  /// Returns the name at the end of the raw path of a process.
  static func processName(ofPath path: UnsafeRawBufferPointer) -> String {
    // The last component has no escapes, unless its name does.
    let name = path.lastComponent
    return name.first(0x5C, from: 0) == nil ? name.text : String(decoding: JSONMembers.unescaped(name), as: UTF8.self)
  }

  /// The members of an object that matter, as raw texts of the object.
  struct Members {
    private(set) var message: UnsafeRawBufferPointer?
    /// The path of the process and its number.
    private(set) var process, pid: UnsafeRawBufferPointer?
    private var timestamp, library, subsystem, category, level, event: UnsafeRawBufferPointer?
    private var thread, activity, total, finished: UnsafeRawBufferPointer?
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
      if let path, path.namesFile { process = path }
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
      case .process, .processPath: if raw.namesFile { process = raw }
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

    var isLoss: Bool { event?.isLoss ?? false }

    /// The time, unless it cannot be read.
    var time: AppleTime? {
      guard let timestamp else { return nil }
      if let time = AppleTime(usual: timestamp) { return time }
      func read(_ text: UnsafeRawBufferPointer) -> AppleTime? {
        var (scanner, time) = (ByteScanner(text), AppleTime())
        guard scanner.takeDate(&time), scanner.take(0x20) || scanner.take("T"), scanner.takeClock(&time) else { return nil }
        _ = scanner.takeOffset(&time)
        return time
      }
      if timestamp.first(0x5C, from: 0) == nil { return read(timestamp) }
      return JSONMembers.unescaped(timestamp).withUnsafeBytes(read)
    }

    /// Returns what the message means.
    func recognised(_ recognise: RecordAssembler.Recognise) -> RecognisedMessage? {
      message.flatMap { AppleJSON.recognised($0, process, recognise) }
    }

    /// The name of the process; `nil` if it is unknown.
    func processName(_ names: NameCache) -> String? { Self.text(process?.lastComponent, within: process, names) }
    func subsystem(_ names: NameCache) -> String? { Self.text(subsystem, within: subsystem, names) }
    func category(_ names: NameCache) -> String? { Self.text(category, within: category, names) }

    /// Returns a text without escapes. The last component of a path has no escapes, unless its name does.
    private static func text(
      _ text: UnsafeRawBufferPointer?, within whole: UnsafeRawBufferPointer?, _ names: NameCache
    ) -> String? {
      guard let text, let whole else { return nil }
      if text.first(0x5C, from: 0) == nil { return names.name(text) }
      return JSONMembers.withUnescaped(whole) { names.name(text.count < whole.count ? $0.lastComponent : $0) }
    }

    var processID: Int? { Self.number(pid).map { Int($0) } }
    var threadID: UInt64? { Self.number(thread).map { UInt64(clamping: $0) } }
    var levelOfMessage: AppleLevel? { level.flatMap { AppleLevel($0) } }

    /// Returns the record, without its place in the file.
    func record(_ names: NameCache) -> AppleRecord? {
      guard let message, let time else { return nil }
      let record = AppleRecord(form: .json)
      record.message = JSONMembers.unescaped(message)
      record.time = time
      (record.pid, record.thread) = (processID, threadID)
      record.activity = Self.number(activity).flatMap { $0 == 0 ? nil : UInt64(clamping: $0) }
      record.process = processName(names)
      record.library = Self.text(library?.lastComponent, within: library, names)
      (record.subsystem, record.category) = (subsystem(names), category(names))
      record.level = levelOfMessage
      if let event { record.kind = AppleRecord.Kind(event: event) }
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

extension AppleRecord.Kind {
  /// - Parameter event: the type of the event as `log` or `unifiedlog_iterator` writes it.
  fileprivate init(event: UnsafeRawBufferPointer) {
    if event.hasPrefix("activity") || event.hasPrefix("Activity") {
      self = .activity
    } else if event.hasPrefix("signpost") || event.hasPrefix("Signpost") {
      self = .signpost
    } else if event.hasPrefix("state") || event.hasPrefix("timesync") {
      self = .state
    } else {
      self = event.isLoss ? .loss : .log
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The last component of a path.
  fileprivate var lastComponent: UnsafeRawBufferPointer {
    guard let base = baseAddress else { return self }
    var start = count
    while start > 0, base.load(fromByteOffset: start - 1, as: UInt8.self) != 0x2F { start -= 1 }
    return slice(start, count)
  }

  /// Whether a path ends with the name of a file.
  fileprivate var namesFile: Bool { !isEmpty && last != 0x2F }

  /// Whether the type of an event says that records were lost.
  fileprivate var isLoss: Bool { hasPrefix("loss") || hasPrefix("Loss") }
}
