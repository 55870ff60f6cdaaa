import XferEvents

/// An event as `xferlog show -o ndjson` prints it.
enum EventLine {
  /// - Returns: `nil` if this version does not know the event. Unknown and unreadable fields are left out.
  static func event(_ row: JSONValue) -> ComposedEvent? {
    guard let kind = row["event"]?.text.flatMap(EventKind.named) else { return nil }
    var values: [FieldID: RecordedValue] = [:]
    let layout = EventLayout.known[Int(kind.rawValue)]
    for field in layout?.fields ?? [] {
      guard let id = field.id else { continue }
      let json = id == .task ? row["task"] : row["fields"]?[field.name]
      if let json, let value = value(json, field.type) { values[id] = value }
    }
    return ComposedEvent(kind, values)
  }

  private static func value(_ json: JSONValue, _ type: FieldType) -> RecordedValue? {
    switch type {
    case .task: task(json).map(RecordedValue.task)
    case .tasks: .tasks(json.elements.compactMap(task))
    case .launch: json.text.flatMap { LaunchID($0) }.map(RecordedValue.launch)
    case .boot: json.text.flatMap { BootID($0) }.map(RecordedValue.boot)
    case .delivery, .handler, .correlation: json.text.flatMap { UInt64($0) }.map(RecordedValue.identifier)
    case .digest: json.text.flatMap { UInt64($0, radix: 16) }.map(RecordedValue.digest)
    case .bytes: json.integer.map(RecordedValue.bytes)
    case .count, .number: json.integer.map(RecordedValue.integer)
    case .duration: json.integer.map { .duration(.nanoseconds($0)) }
    case .wallTime: json.text.flatMap { TimeText.wall($0) }.map(RecordedValue.time)
    case .flag: json.flag.map(RecordedValue.flag)
    case .choice: json.text.map(RecordedValue.choice)
    case .symbol: string(json).map { .text(.plain($0)) }
    case .text: text(json).map(RecordedValue.text)
    case .message: message(json).map(RecordedValue.message)
    }
  }

  /// Returns a string, which may be empty, unlike `JSONValue.text`.
  private static func string(_ json: JSONValue?) -> String? { if case .string(let text)? = json { text } else { nil } }

  private static func task(_ json: JSONValue) -> TaskIdentity? {
    guard let uid = json["uid"]?.text.flatMap({ TaskUID($0) }), let session = string(json["session"]),
      let number = json["number"]?.integer.flatMap({ UInt32(exactly: $0) })
    else { return nil }
    return TaskIdentity(uid: uid, session: session, number: number)
  }

  private static func text(_ json: JSONValue) -> RecordedText? {
    if let text = string(json) { return .plain(text) }
    if let text = string(json["cut"]) { return .cut(text, count: json["bytes"]?.int ?? text.utf8.count) }
    if let hash = json["hash"]?.text.flatMap({ UInt64($0, radix: 16) }) { return .hashed(hash) }
    return json["redacted"]?.flag == true ? .redacted : nil
  }

  private static func message(_ json: JSONValue) -> RecordedMessage? {
    guard let format = string(json["format"]) else { return nil }
    return RecordedMessage(format: format, arguments: json["arguments"]?.elements.compactMap(argument) ?? [])
  }

  private static func argument(_ json: JSONValue) -> RecordedArgument? {
    guard let kind = json["type"]?.text.flatMap({ RecordedArgument.Kind(rawValue: $0) }), let value = json["value"] else {
      return nil
    }
    func number(_ read: (JSONValue) -> RecordedArgument.Value?) -> RecordedArgument.Value? {
      if let hash = value["hash"]?.text.flatMap({ UInt64($0, radix: 16) }) { return .hashed(hash, kind) }
      return value["redacted"]?.flag == true ? .redacted(kind) : read(value)
    }
    let argument: RecordedArgument.Value? =
      switch kind {
      case .text: text(value).map(RecordedArgument.Value.text)
      case .signed: number { $0.integer.map(RecordedArgument.Value.signed) }
      case .unsigned: number { $0.integer.flatMap { UInt64(exactly: $0) }.map(RecordedArgument.Value.unsigned) }
      case .double: number { ($0.number ?? $0.text.flatMap { Double($0) }).map(RecordedArgument.Value.double) }
      case .flag: number { $0.flag.map(RecordedArgument.Value.flag) }
      }
    return argument.map { RecordedArgument(name: json["name"]?.text, value: $0) }
  }
}
