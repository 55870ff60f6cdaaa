/// A view of an event in memory that its source or its reader keeps. Copying a view changes no reference counts.
///
/// A field is decoded when it is read. The properties that the replay reads from every event can be inlined in other modules.
@usableFromInline package struct EventView {
  /// The code that hands out the view keeps the memory behind `common` and `shape`.
  @usableFromInline let common: UnsafePointer<EventOrigin>
  @usableFromInline let shape: UnsafePointer<EventShape>
  /// The bytes after the presence word.
  @usableFromInline let fields: UnsafeRawPointer
  @usableFromInline let position: UInt64
  /// The time relative to the clocks of the origin, in nanoseconds.
  @usableFromInline let time: Int64
  private let fieldsSize: UInt32

  @inlinable static var unknownTime: Int64 { .min }

  package var page: RecordPage { common.pointee.page }
  package var source: RecordSource { page.source }
  /// The `index` of the source.
  @inlinable package var sourceIndex: Int { Int(common.pointee.sourceIndex) }
  private var sourceNumber: UInt32 { common.pointee.sourceNumber }
  private var lane: UInt32 { common.pointee.lane }
  private var table: UnsafePointer<LayoutTable> { shape.pointee.table }
  package var layout: EventLayout { table.pointee.layout }
  /// The number of the layout. Unlike `layout`, this retains nothing.
  package var layoutNumber: UInt16 { table.pointee.number }
  @inlinable package var kind: EventKind? { shape.pointee.kind }
  package var level: Level { table.pointee.level }
  /// The kernel's thread number. `nil` if unknown.
  package var thread: UInt32? { common.pointee.thread == 0 ? nil : common.pointee.thread }

  private var presence: UInt64 {
    if shape.pointee.offsets != nil { return shape.pointee.presence }
    return shape.pointee.presenceSize == 4
      ? UInt64(UInt32(littleEndian: fields.loadUnaligned(fromByteOffset: -4, as: UInt32.self)))
      : UInt64(littleEndian: fields.loadUnaligned(fromByteOffset: -8, as: UInt64.self))
  }

  @inlinable func clock(_ base: Int64) -> Int64 { base == Self.unknownTime ? base : base &+ time }

  @inlinable var monotonicTime: Int64 { clock(common.pointee.clocks.monotonic) }
  private var boottimeTime: Int64 { clock(common.pointee.clocks.boottime) }
  private var wallTime: Int64 { clock(common.pointee.clocks.wall) }

  /// The monotonic time, in nanoseconds, as in `Moment`. `nil` if unknown.
  @inlinable package var monotonic: Int64? { monotonicTime == Self.unknownTime ? nil : monotonicTime }
  package var boottime: Int64? { boottimeTime == Self.unknownTime ? nil : boottimeTime }
  package var wall: WallTime? { wallTime == Self.unknownTime ? nil : WallTime(nanoseconds: wallTime) }
  package var moment: Moment { Moment(monotonic: monotonic, boottime: boottime, wall: wall) }

  package var reference: EventReference {
    lane == EventOrigin.lineMark
      ? .line(file: sourceNumber, line: position)
      : .record(segment: sourceNumber, lane: lane, sequence: position, log: common.pointee.log)
  }

  /// The event's kind, times and position; `nil` if this reader does not know the kind.
  @inline(__always)
  package var fact: Fact? { kind.map(fact(of:)) }

  @inline(__always)
  @inlinable package func fact(of kind: EventKind) -> Fact {
    let origin = common.pointee
    return Fact(
      kind: kind, log: origin.log, source: origin.sourceNumber, lane: origin.lane, boot: origin.boot, position: position,
      monotonic: clock(origin.clocks.monotonic), boottime: clock(origin.clocks.boottime), wall: clock(origin.clocks.wall))
  }

  /// - Parameters:
  ///   - time: nanoseconds relative to the clocks of the origin
  ///   - payload: the presence word and the fields, in memory that the origin's page keeps alive
  /// - Returns: `nil` if the fields do not fit the payload, which means that the record's layout is wrong although its checksum
  ///   is right.
  @inline(__always)
  package init?(
    _ origin: UnsafePointer<EventOrigin>, shape: UnsafePointer<EventShape>, position: UInt64, time: Int64,
    payload: UnsafeRawBufferPointer
  ) {
    let presenceSize = shape.pointee.presenceSize
    guard let base = payload.baseAddress, payload.count >= presenceSize else { return nil }
    common = origin
    self.shape = shape
    fields = base + presenceSize
    fieldsSize = UInt32(payload.count - presenceSize)
    self.position = position
    self.time = time
    let size = shape.pointee.offsets == nil ? table.pointee.fixedSize(presence) : shape.pointee.fixedSize
    guard Int(fieldsSize) >= size else { return nil }
  }

  /// The clocks of an event, each `Int64.min` if unknown.
  @usableFromInline package struct Clocks: Equatable {
    @usableFromInline package let monotonic: Int64
    @usableFromInline package let boottime: Int64
    @usableFromInline package let wall: Int64

    @inline(__always)
    package init(monotonic: Int64, boottime: Int64, wall: Int64) {
      self.monotonic = monotonic
      self.boottime = boottime
      self.wall = wall
    }

    package init(_ moment: Moment) {
      monotonic = moment.monotonic ?? EventView.unknownTime
      boottime = moment.boottime ?? EventView.unknownTime
      wall = moment.wall?.nanoseconds ?? EventView.unknownTime
    }

    /// Returns the nanoseconds since other clocks; `nil` if not all clocks differ by the same time, or if not the same are known.
    package func time(since other: Self) -> Int64? {
      var time: Int64?
      func agrees(_ clock: Int64, _ base: Int64) -> Bool {
        if clock == EventView.unknownTime, base == clock { return true }
        let (difference, overflows) = clock.subtractingReportingOverflow(base)
        guard clock != EventView.unknownTime, base != EventView.unknownTime, !overflows, time ?? difference == difference else {
          return false
        }
        time = difference
        return true
      }
      guard agrees(monotonic, other.monotonic), agrees(boottime, other.boottime), agrees(wall, other.wall) else { return nil }
      return time ?? 0
    }
  }

  /// Whether both events have the same position, times and bytes.
  package func hasSameContent(as other: EventView) -> Bool {
    lane == other.lane && position == other.position && layout.number == other.layout.number && presence == other.presence
      && thread == other.thread && moment == other.moment && fieldsSize == other.fieldsSize
      && UnsafeRawBufferPointer(start: fields, count: Int(fieldsSize)).elementsEqual(
        UnsafeRawBufferPointer(start: other.fields, count: Int(fieldsSize)))
  }

  // MARK: Fields by their place in the layout

  /// Returns the offset of a field of fixed size; `nil` if the event lacks the field.
  @inline(__always)
  private func offset(at place: Int) -> Int? {
    let bit: UInt64 = 1 << UInt64(place)
    guard presence & bit != 0 else { return nil }
    return table.pointee.fixedSize(presence & (bit &- 1))
  }

  /// Returns the offset of a field of varying size; `nil` if the event lacks the field. The offset is the total size of the
  /// fields of fixed size and of the varying fields before this one.
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

  /// The indexes in the layout of the fields that the event has.
  var presentPlaces: [Int] {
    let presence = presence
    return layout.fields.indices.filter { presence >> UInt64($0) & 1 == 1 }
  }

  /// Returns the bytes of a field; `nil` if the event lacks the field, or if the field exceeds the record.
  func storedBytes(at place: Int) -> UnsafeRawBufferPointer? {
    let type = layout.fields[place].type
    guard let offset = type.storedSize == nil ? varyingOffset(at: place) : offset(at: place),
      let size = type.storedSize ?? varyingSize(at: offset, type: type), offset + size <= Int(fieldsSize)
    else { return nil }
    return UnsafeRawBufferPointer(start: fields + offset, count: size)
  }

  private func checked(_ length: Int, at offset: Int) -> Int? { offset + length <= Int(fieldsSize) ? length : nil }

  @inline(__always)
  private func load<Value: FixedWidthInteger>(_: Value.Type, at offset: Int) -> Value? {
    guard offset + MemoryLayout<Value>.size <= Int(fieldsSize) else { return nil }
    return Value(littleEndian: fields.loadUnaligned(fromByteOffset: offset, as: Value.self))
  }

  // MARK: Typed values for the generated accessors

  /// Returns the offset of a field of fixed size; `nil` if the event lacks the field.
  @inlinable func offset(of field: FieldID) -> Int? {
    guard let offsets = shape.pointee.offsets else { return offsetInLayout(of: field) }
    let offset = offsets[Int(field.rawValue)]
    return offset == EventShape.absent ? nil : Int(offset)
  }

  /// Returns the offset of a field of fixed size in an event whose shape is shared by events with other fields; `nil` if the
  /// event lacks the field.
  @inline(never)
  @usableFromInline func offsetInLayout(of field: FieldID) -> Int? { table.pointee.place(of: field).flatMap(offset(at:)) }

  @inline(__always)
  package func word(_ field: FieldID) -> UInt64? {
    guard let offset = offset(of: field) else { return nil }
    return UInt64(littleEndian: fields.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  package func signedWord(_ field: FieldID) -> Int64? { word(field).map(Int64.init(bitPattern:)) }

  @inlinable package func half(_ field: FieldID) -> UInt32? {
    guard let offset = offset(of: field) else { return nil }
    return UInt32(littleEndian: fields.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  @inline(__always)
  package func number(_ field: FieldID) -> Int? { half(field).map { Int(Int32(bitPattern: $0)) } }

  @inline(__always)
  package func byte(_ field: FieldID) -> UInt8? {
    guard let offset = offset(of: field) else { return nil }
    return fields.load(fromByteOffset: offset, as: UInt8.self)
  }

  @inline(__always)
  package func pair(_ field: FieldID) -> (high: UInt64, low: UInt64)? {
    guard let offset = offset(of: field) else { return nil }
    return (
      UInt64(littleEndian: fields.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
      UInt64(littleEndian: fields.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
    )
  }

  /// The symbol of the task within `source`; `nil` if the event names no task.
  @inlinable package var taskSymbol: UInt32? { half(.task) }

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

  // MARK: All fields of the event

  /// The present fields in the order in which people read them, including fields that this reader's vocabulary lacks.
  package var values: [(name: String, value: RecordedValue)] {
    layout.readingOrder.compactMap { place in
      value(at: place).map { (layout.fields[place].name, $0) }
    }
  }

  /// Returns the value of the field with this name; `nil` if the event lacks it.
  package func value(named name: String) -> RecordedValue? {
    layout.fields.firstIndex { $0.name == name }.flatMap(value(at:))
  }

  /// Returns the value of a field; `nil` if the event lacks the field or stores it with a type that this reader does not know.
  @inline(__always)
  package func value(of field: FieldID) -> RecordedValue? { table.pointee.place(of: field).flatMap(value(at:)) }

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
