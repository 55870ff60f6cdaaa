/// One event as it is read back: the replay's input.
///
/// The fields are decoded when they are asked for. Clock, process and thread are optional because foreign logs lack
/// some; an event of a newer vocabulary has no `kind` but keeps its name, its level and its fields.
public struct RecordedEvent {
  private let page: RecordPage
  /// A source keeps every layout that it ever had, and `page` keeps the source.
  private let table: UnsafePointer<LayoutTable>
  private let fields: UnsafeRawPointer
  private let presence: UInt64
  private let fieldsSize: UInt32
  /// 0 when unknown.
  private let threadNumber: UInt32
  /// `lineMark` when `position` is a line of a foreign file.
  private let lane: UInt32
  private let position: UInt64
  // `unknownTime` when unknown; optionals would make the event a third larger.
  private let monotonicTime: Int64
  private let boottimeTime: Int64
  private let wallTime: Int64

  private static let lineMark = UInt32.max
  private static let unknownTime = Int64.min

  public var source: RecordSource { page.source }
  public var layout: EventLayout { table.pointee.layout }
  public var kind: EventKind? { table.pointee.kind }
  public var level: Level { table.pointee.level }
  /// The kernel's thread number.
  public var thread: UInt32? { threadNumber == 0 ? nil : threadNumber }
  /// Nanoseconds; see `Moment`.
  public var monotonic: Int64? { monotonicTime == Self.unknownTime ? nil : monotonicTime }
  public var boottime: Int64? { boottimeTime == Self.unknownTime ? nil : boottimeTime }
  public var wall: WallTime? { wallTime == Self.unknownTime ? nil : WallTime(nanoseconds: wallTime) }
  public var moment: Moment { Moment(monotonic: monotonic, boottime: boottime, wall: wall) }

  public var reference: EventReference {
    lane == Self.lineMark
      ? .line(file: source.number, line: position) : .record(segment: source.number, lane: lane, sequence: position)
  }

  /// What is kept of the event; `nil` for an event that this reader does not know.
  @inline(__always)
  public var fact: Fact? { kind.map(fact(of:)) }

  @inline(__always)
  package func fact(of kind: EventKind) -> Fact {
    Fact(
      kind: kind, source: source.number, lane: lane, position: position, monotonic: monotonicTime, boottime: boottimeTime,
      wall: wallTime)
  }

  /// - Parameter payload: presence word and fields, in memory that `page` keeps alive.
  /// - Returns: `nil` when the fields do not fit the payload: the record is whole by its checksum but not by its layout.
  @inline(__always)
  package init?(
    page: RecordPage, table: UnsafePointer<LayoutTable>, lane: UInt32, sequence: UInt64, thread: UInt32, clocks: Clocks,
    payload: UnsafeRawBufferPointer
  ) {
    self.table = table
    let presenceSize = table.pointee.presenceSize
    guard let base = payload.baseAddress, payload.count >= presenceSize else { return nil }
    presence =
      presenceSize == 4
      ? UInt64(UInt32(littleEndian: base.loadUnaligned(as: UInt32.self)))
      : UInt64(littleEndian: base.loadUnaligned(as: UInt64.self))
    guard payload.count >= presenceSize + table.pointee.fixedSize(presence) else { return nil }
    fields = base + presenceSize
    fieldsSize = UInt32(payload.count - presenceSize)
    self.page = page
    threadNumber = thread
    self.lane = lane
    position = sequence
    monotonicTime = clocks.monotonic
    boottimeTime = clocks.boottime
    wallTime = clocks.wall
  }

  /// The event of a line of a foreign log.
  package init?(
    page: RecordPage, table: UnsafePointer<LayoutTable>, line: UInt64, thread: UInt32, clocks: Clocks,
    payload: UnsafeRawBufferPointer
  ) {
    self.init(
      page: page, table: table, lane: Self.lineMark, sequence: line, thread: thread, clocks: clocks, payload: payload)
  }

  /// The clocks of an event, each `Int64.min` when unknown.
  package struct Clocks {
    package let monotonic: Int64
    package let boottime: Int64
    package let wall: Int64

    @inline(__always)
    package init(monotonic: Int64, boottime: Int64, wall: Int64) {
      self.monotonic = monotonic
      self.boottime = boottime
      self.wall = wall
    }

    package init(_ moment: Moment) {
      monotonic = moment.monotonic ?? RecordedEvent.unknownTime
      boottime = moment.boottime ?? RecordedEvent.unknownTime
      wall = moment.wall?.nanoseconds ?? RecordedEvent.unknownTime
    }
  }

  /// Whether it is the same record, byte for byte, wherever that lies.
  package func hasSameContent(as other: RecordedEvent) -> Bool {
    lane == other.lane && position == other.position && layout.number == other.layout.number && presence == other.presence
      && threadNumber == other.threadNumber && moment == other.moment && fieldsSize == other.fieldsSize
      && UnsafeRawBufferPointer(start: fields, count: Int(fieldsSize)).elementsEqual(
        UnsafeRawBufferPointer(start: other.fields, count: Int(fieldsSize)))
  }

  // MARK: Fields by their place in the layout

  /// Where a present field of fixed size begins; `nil` when it is absent.
  @inline(__always)
  private func offset(at place: Int) -> Int? {
    let bit: UInt64 = 1 << UInt64(place)
    guard presence & bit != 0 else { return nil }
    return table.pointee.fixedSize(presence & (bit &- 1))
  }

  /// Where a present field of varying size begins: after the fixed ones and the varying ones before it.
  private func varyingOffset(at place: Int) -> Int? {
    let bit: UInt64 = 1 << UInt64(place)
    guard presence & bit != 0 else { return nil }
    var offset = table.pointee.fixedSize(presence & (bit &- 1))
    var earlier = presence & (bit &- 1) & table.pointee.varying
    while earlier != 0 {
      let place = earlier.trailingZeroBitCount
      guard place < layout.fields.count, let size = varyingSize(at: offset, type: layout.fields[place].type) else { return nil }
      offset += size
      earlier &= earlier &- 1
    }
    return offset
  }

  private func varyingSize(at offset: Int, type: FieldType) -> Int? {
    if case .tasks = type {
      guard let listed = load(UInt32.self, at: offset) else { return nil }
      return checked(4 + 4 * Int(listed), at: offset)
    }
    if case .message = type {
      guard let length = load(UInt32.self, at: offset + 4) else { return nil }
      return checked(8 + Int(length), at: offset)
    }
    guard let form = load(UInt8.self, at: offset).flatMap(TextForm.init) else { return nil }
    switch form {
    case .redacted: return 1
    case .hashed: return checked(9, at: offset)
    case .short: return load(UInt16.self, at: offset + 1).flatMap { checked(3 + Int($0), at: offset) }
    case .long: return load(UInt32.self, at: offset + 1).flatMap { checked(5 + Int($0), at: offset) }
    case .cut: return load(UInt32.self, at: offset + 5).flatMap { checked(9 + Int($0), at: offset) }
    }
  }

  private func checked(_ length: Int, at offset: Int) -> Int? { offset + length <= Int(fieldsSize) ? length : nil }

  @inline(__always)
  private func load<Value: FixedWidthInteger>(_: Value.Type, at offset: Int) -> Value? {
    guard offset + MemoryLayout<Value>.size <= Int(fieldsSize) else { return nil }
    return Value(littleEndian: fields.loadUnaligned(fromByteOffset: offset, as: Value.self))
  }

  // MARK: Typed values, used by the generated accessors

  @inline(__always)
  package func word(_ field: FieldID) -> UInt64? {
    guard let place = table.pointee.place(of: field), let offset = offset(at: place) else { return nil }
    return UInt64(littleEndian: fields.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  package func signedWord(_ field: FieldID) -> Int64? { word(field).map(Int64.init(bitPattern:)) }

  @inline(__always)
  package func half(_ field: FieldID) -> UInt32? {
    guard let place = table.pointee.place(of: field), let offset = offset(at: place) else { return nil }
    return UInt32(littleEndian: fields.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  @inline(__always)
  package func number(_ field: FieldID) -> Int? { half(field).map { Int(Int32(bitPattern: $0)) } }

  @inline(__always)
  package func byte(_ field: FieldID) -> UInt8? {
    guard let place = table.pointee.place(of: field), let offset = offset(at: place) else { return nil }
    return fields.load(fromByteOffset: offset, as: UInt8.self)
  }

  @inline(__always)
  package func pair(_ field: FieldID) -> (high: UInt64, low: UInt64)? {
    guard let place = table.pointee.place(of: field), let offset = offset(at: place) else { return nil }
    return (
      UInt64(littleEndian: fields.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
      UInt64(littleEndian: fields.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
    )
  }

  /// The task's symbol within `source`; `nil` when the event is not about a task.
  @inline(__always)
  package var taskSymbol: UInt32? { half(.task) }

  package func taskIdentity(_ field: FieldID) -> TaskIdentity? { half(field).flatMap(source.task) }

  package func symbol(_ field: FieldID) -> String? { half(field).flatMap(source.string) }

  package func text(_ field: FieldID) -> RecordedText? {
    table.pointee.place(of: field).flatMap(text(at:))
  }

  private func text(at place: Int) -> RecordedText? {
    guard let offset = varyingOffset(at: place), let size = varyingSize(at: offset, type: layout.fields[place].type),
      let form = load(UInt8.self, at: offset).flatMap(TextForm.init)
    else { return nil }
    func string(from start: Int) -> String {
      String(decoding: UnsafeRawBufferPointer(start: fields + offset + start, count: size - start), as: UTF8.self)
    }
    switch form {
    case .redacted: return .redacted
    case .hashed: return load(UInt64.self, at: offset + 1).map(RecordedText.hashed)
    case .short: return .plain(string(from: 3))
    case .long: return .plain(string(from: 5))
    case .cut: return load(UInt32.self, at: offset + 1).map { .cut(string(from: 9), count: Int($0)) }
    }
  }

  package func taskList(_ field: FieldID) -> [TaskIdentity]? {
    table.pointee.place(of: field).flatMap(taskList(at:))
  }

  private func taskList(at place: Int) -> [TaskIdentity]? {
    guard let offset = varyingOffset(at: place), let size = varyingSize(at: offset, type: .tasks) else { return nil }
    return stride(from: offset + 4, to: offset + size, by: 4).compactMap { load(UInt32.self, at: $0).flatMap(source.task) }
  }

  package func message(_ field: FieldID) -> RecordedMessage? {
    table.pointee.place(of: field).flatMap(message(at:))
  }

  private func message(at place: Int) -> RecordedMessage? {
    guard let offset = varyingOffset(at: place), let size = varyingSize(at: offset, type: .message),
      let symbol = load(UInt32.self, at: offset),
      let arguments = RecordedArgument.list(UnsafeRawBufferPointer(start: fields + offset + 8, count: size - 8))
    else { return nil }
    return RecordedMessage(format: source.string(symbol), arguments: arguments)
  }

  // MARK: All fields, whatever they are

  /// The fields that are present, in the order in which people read them, known to this reader or not.
  public var values: [(name: String, value: RecordedValue)] {
    layout.readingOrder.compactMap { place in
      value(at: place).map { (layout.fields[place].name, $0) }
    }
  }

  /// The value of a field by its name; `nil` when the event lacks it.
  public func value(named name: String) -> RecordedValue? {
    layout.fields.firstIndex { $0.name == name }.flatMap(value(at:))
  }

  package func value(at place: Int) -> RecordedValue? {
    let type = layout.fields[place].type
    if type.storedSize == nil {
      guard presence >> UInt64(place) & 1 == 1 else { return nil }
      if case .tasks = type { return taskList(at: place).map(RecordedValue.tasks) ?? .unreadable }
      if case .message = type { return message(at: place).map(RecordedValue.message) ?? .unreadable }
      return text(at: place).map(RecordedValue.text) ?? .unreadable
    }
    guard let offset = offset(at: place) else { return nil }
    switch type {
    case .launch:
      return .launch(.init(high: load(UInt64.self, at: offset) ?? 0, low: load(UInt64.self, at: offset + 8) ?? 0))
    case .boot:
      return .boot(.init(high: load(UInt64.self, at: offset) ?? 0, low: load(UInt64.self, at: offset + 8) ?? 0))
    case .delivery, .handler, .correlation: return load(UInt64.self, at: offset).map(RecordedValue.identifier)
    case .digest: return load(UInt64.self, at: offset).map(RecordedValue.digest)
    case .bytes: return load(Int64.self, at: offset).map(RecordedValue.bytes)
    case .count: return load(Int64.self, at: offset).map(RecordedValue.integer)
    case .duration: return load(Int64.self, at: offset).map { .duration(.nanoseconds($0)) }
    case .wallTime: return load(Int64.self, at: offset).map { .time(WallTime(nanoseconds: $0)) }
    case .number: return load(Int32.self, at: offset).map { .integer(Int64($0)) }
    case .task: return load(UInt32.self, at: offset).map { source.task($0).map(RecordedValue.task) ?? .unreadable }
    case .symbol: return load(UInt32.self, at: offset).map { source.string($0).map { .text(.plain($0)) } ?? .unreadable }
    case .flag: return load(UInt8.self, at: offset).map { .flag($0 != 0) }
    case .choice(let name): return load(UInt8.self, at: offset).map { .choice(Vocabulary.caseName($0, of: name)) }
    case .tasks, .text, .message: return nil
    }
  }
}

/// A field's value, typed as far as it has to be shown.
public enum RecordedValue: Hashable, Sendable {
  case task(TaskIdentity)
  case tasks([TaskIdentity])
  case launch(LaunchID)
  case boot(BootID)
  case identifier(UInt64)
  case digest(UInt64)
  case bytes(Int64)
  case integer(Int64)
  case duration(Duration)
  case time(WallTime)
  case flag(Bool)
  case choice(String)
  case text(RecordedText)
  case message(RecordedMessage)
  /// The record is whole but the definition that the value points to is lost.
  case unreadable
}

extension Vocabulary {
  /// The word for a stored choice; a number that this reader's list lacks is shown as such.
  package static func caseName(_ number: UInt8, of choice: String) -> String {
    guard let names = caseNames[choice], Int(number) < names.count else { return "unknown(\(number))" }
    return names[Int(number)]
  }

  private static let caseNames: [String: [String]] = Dictionary(
    uniqueKeysWithValues: choices.map { ($0.name, $0.cases.map(\.name)) })
}
