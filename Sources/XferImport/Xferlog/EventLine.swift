package import XferEvents

/// The fields of one kind of event in the lines that `xferlog show -o ndjson` prints.
///
/// The members of a line are put directly into an encoder. Fields that this version does not know are left out, and those that it cannot
/// read are counted.
final class EventLine {
  private let layout: EventLayout
  private let names: [[UInt8]]
  /// The places in the layout of the last line's members. Lines of one kind usually have the same members in the same order.
  @exclusivity(unchecked) private var order: [Int] = []
  /// The values of the current line by their places in the layout.
  @exclusivity(unchecked) private var found: [JSONNode?]
  /// The number of values in all lines of this kind that could not be read.
  @exclusivity(unchecked) private(set) var unreadable = 0

  init?(_ kind: EventKind) {
    guard let layout = EventLayout.known[Int(kind.rawValue)] else { return nil }
    self.layout = layout
    names = layout.fields.map { $0.id == nil ? [] : Array($0.name.utf8) }
    found = Array(repeating: nil, count: layout.fields.count)
  }

  /// Finds the values of a line, which are used by the next `encode`.
  func find(in row: JSONNode) {
    for place in found.indices { found[place] = nil }
    if let fields = row["fields"] {
      for (number, member) in fields.children.enumerated() {
        if let place = place(of: member, number), found[place] == nil { found[place] = member }
      }
    }
    for place in layout.fields.indices where layout.fields[place].id == .task { found[place] = row["task"] }
  }

  private func place(of member: JSONNode, _ number: Int) -> Int? {
    guard let key = member.plainKey else { return nil }
    if number < order.count, Self.equal(names[order[number]], key) { return order[number] }
    guard let place = names.firstIndex(where: { Self.equal($0, key) }) else { return nil }
    if number == order.count { order.append(place) } else if number < order.count { order[number] = place }
    return place
  }

  @inline(__always)
  private static func equal(_ name: [UInt8], _ key: UnsafeRawBufferPointer) -> Bool {
    name.count == key.count && !name.isEmpty && key.has(name, at: 0)
  }

  /// Writes the values that were found.
  func encode(into encoder: inout FieldEncoder) {
    var fixedSize = 0
    for (place, value) in found.enumerated() where value != nil { fixedSize += layout.fields[place].type.storedSize ?? 0 }
    encoder.begin(presenceSize: layout.presenceSize, fixedSize: fixedSize)
    for (place, value) in found.enumerated() {
      guard let value, !value.isNull else { continue }
      if !Self.put(value, layout.fields[place].type, at: UInt64(place), into: &encoder) { unreadable += 1 }
    }
    encoder.finish(presenceSize: layout.presenceSize)
  }

  /// - Returns: whether the value could be read.
  private static func put(_ json: JSONNode, _ type: FieldType, at place: UInt64, into encoder: inout FieldEncoder) -> Bool {
    switch type {
    case .task:
      guard let task = task(json) else { return false }
      encoder.put(task, at: place)
    case .tasks: encoder.put(json.isArray ? json.children.compactMap(task) : [], at: place)
    case .launch:
      guard let id = json.launch else { return false }
      encoder.put(high: id.high, low: id.low, at: place)
    case .boot:
      guard let id = json.boot else { return false }
      encoder.put(high: id.high, low: id.low, at: place)
    case .delivery, .handler, .correlation:
      guard let id = json.unsigned else { return false }
      encoder.put(id, at: place)
    case .digest:
      guard let digest = json.hexadecimal else { return false }
      encoder.put(digest, at: place)
    case .bytes, .count, .duration:
      guard let number = json.integer else { return false }
      encoder.put(number, at: place)
    case .number:
      guard let number = json.int else { return false }
      encoder.put(number: number, at: place)
    case .wallTime:
      guard let time = json.time else { return false }
      encoder.put(time.nanoseconds, at: place)
    case .flag:
      guard let flag = json.flag else { return false }
      encoder.put(flag ? 1 : 0 as UInt8, at: place)
    case .choice(let list):
      guard let word = json.text else { return false }
      encoder.put(Vocabulary.caseNumber(word, of: list) ?? .max, at: place)
    case .symbol:
      guard let text = json.string else { return false }
      encoder.put(symbol: text, at: place)
    case .text:
      guard let text = text(json) else { return false }
      encoder.put(recorded: text, at: place)
    case .message:
      guard let message = message(json) else { return false }
      message.storedArguments.withUnsafeBytes { encoder.put(message: message.format ?? "", arguments: $0, at: place) }
    }
    return true
  }

  private static func task(_ json: JSONNode) -> TaskIdentity? {
    guard let uid = json["uid"]?.taskUID, let session = json["session"]?.string,
      let number = json["number"]?.integer.flatMap({ UInt32(exactly: $0) })
    else { return nil }
    return TaskIdentity(uid: uid, session: session, number: number)
  }

  private static func text(_ json: JSONNode) -> RecordedText? {
    if let text = json.string { return .plain(text) }
    if let text = json["cut"]?.string { return .cut(text, count: json["bytes"]?.int ?? text.utf8.count) }
    if let hash = json["hash"]?.hexadecimal { return .hashed(hash) }
    return json["redacted"]?.flag == true ? .redacted : nil
  }

  private static func message(_ json: JSONNode) -> RecordedMessage? {
    guard let format = json["format"]?.string else { return nil }
    let arguments = json["arguments"].flatMap { $0.isArray ? $0.children.compactMap(argument) : nil }
    return RecordedMessage(format: format, arguments: arguments ?? [])
  }

  private static func argument(_ json: JSONNode) -> RecordedArgument? {
    guard let kind = json["type"]?.text.flatMap({ RecordedArgument.Kind(rawValue: $0) }), let value = json["value"] else {
      return nil
    }
    func number(_ read: (JSONNode) -> RecordedArgument.Value?) -> RecordedArgument.Value? {
      if let hash = value["hash"]?.hexadecimal { return .hashed(hash, kind) }
      return value["redacted"]?.flag == true ? .redacted(kind) : read(value)
    }
    let argument: RecordedArgument.Value? =
      switch kind {
      case .text: text(value).map(RecordedArgument.Value.text)
      case .signed: number { $0.integer.map(RecordedArgument.Value.signed) }
      case .unsigned: number { $0.integer.flatMap { UInt64(exactly: $0) }.map(RecordedArgument.Value.unsigned) }
      case .double: number { ($0.value.number ?? $0.text.flatMap { Double($0) }).map(RecordedArgument.Value.double) }
      case .flag: number { $0.flag.map(RecordedArgument.Value.flag) }
      }
    return argument.map { RecordedArgument(name: json["name"]?.text, value: $0) }
  }
}

extension JSONNode {
  /// The identifiers as `xferlog` writes them, with or without dashes.
  package var launch: LaunchID? { uuid.map { LaunchID(high: $0.high, low: $0.low) } ?? text.flatMap { LaunchID($0) } }
  package var boot: BootID? { uuid.map { BootID(high: $0.high, low: $0.low) } ?? text.flatMap { BootID($0) } }
  package var taskUID: TaskUID? { uuid.map { TaskUID(high: $0.high, low: $0.low) } ?? text.flatMap { TaskUID($0) } }

  /// The time of RFC 3339 text with an offset.
  package var time: WallTime? { plainString.map { TimeText.wall($0) } ?? text.flatMap { TimeText.wall($0) } }
}
