import XferEvents

/// The definitions of a sealed segment, read for the symbols of some tasks.
///
/// A segment defines every task that its events name, and a reader of a few tasks needs none of the other definitions.
struct DefinitionScan {
  /// The blocks that the names point into.
  private var blocks: [DecodedBlock] = []
  /// The names of symbols 1, 2, 3 and so on.
  private var strings: [UnsafeRawBufferPointer] = []
  /// The names of symbols that are defined out of order.
  private var otherStrings: [UInt32: UnsafeRawBufferPointer] = [:]
  private var sessions: [UInt32: String] = [:]
  /// The session of the previous task, which most often is that of the next one.
  private var latest: (symbol: UInt32, session: String)?
  private let isWanted: (TaskIdentity) -> Bool
  /// The number of all wanted tasks; `nil` if they may have several.
  private let number: UInt32?
  private var symbols: [UInt32] = []

  private init(_ isWanted: @escaping (TaskIdentity) -> Bool, _ number: UInt32?) {
    (self.isWanted, self.number) = (isWanted, number)
  }

  /// Returns the symbols of the wanted tasks in ascending order.
  ///
  /// - Parameters:
  ///   - number: The number of all wanted tasks; `nil` if they may have several.
  ///   - entries: The blocks with definitions.
  ///   - file: The file that contains them.
  ///   - other: Called with each definition that is neither a name nor a task.
  /// - Returns: `nil` if a block cannot be read.
  static func symbols(
    ofTasks isWanted: @escaping (TaskIdentity) -> Bool, numbered number: UInt32?, in entries: [SealIndex.Entry],
    _ file: SegmentBytes, other: (RecordWalker.Record) -> Void
  ) -> [UInt32]? {
    var scan = DefinitionScan(isWanted, number)
    for entry in entries {
      guard let decoded = DecodedBlock(entry.block, at: entry.offset, in: file), var walker = decoded.walker(of: entry.block)
      else {
        return nil
      }
      scan.blocks.append(decoded)
      while case .record(let record) = walker.next() {
        if scan.isOfOtherNumber(record) { continue }
        if !scan.take(record) { other(record) }
      }
    }
    return withExtendedLifetime(scan.blocks) { scan.symbols.sorted() }
  }

  /// Whether the record defines a task that is not wanted because of its number alone.
  @inline(__always)
  private func isOfOtherNumber(_ record: RecordWalker.Record) -> Bool {
    guard let number, record.kind == RecordFormat.taskDefined, record.payload.count >= Self.numberOffset + 4 else { return false }
    return UInt32(littleEndian: record.payload.loadUnaligned(fromByteOffset: Self.numberOffset, as: UInt32.self)) != number
  }

  /// The offset of the number in the definition of a task, after the symbol, the uid and the session.
  private static let numberOffset = 24

  /// - Returns: Whether the record defines a name or a task.
  private mutating func take(_ record: RecordWalker.Record) -> Bool {
    var reader = FixedReader(record.payload)
    switch record.kind {
    case RecordFormat.stringDefined:
      let symbol = reader.take(UInt32.self)
      guard !reader.failed else { return true }
      if Int(symbol) == strings.count + 1 { strings.append(record.payload) } else { otherStrings[symbol] = record.payload }
      return true
    case RecordFormat.taskDefined:
      let (symbol, high, low) = (reader.take(UInt32.self), reader.take(UInt64.self), reader.take(UInt64.self))
      let (session, number) = (reader.take(UInt32.self), reader.take(UInt32.self))
      guard !reader.failed else { return true }
      if isWanted(TaskIdentity(uid: TaskUID(high: high, low: low), session: name(session), number: number)) {
        symbols.append(symbol)
      }
      return true
    default: return false
    }
  }

  private mutating func name(_ symbol: UInt32) -> String {
    if let latest, latest.symbol == symbol { return latest.session }
    guard let session = sessions[symbol] ?? readName(symbol) else { return "?" }
    (sessions[symbol], latest) = (session, (symbol, session))
    return session
  }

  /// - Returns: `nil` if the name is not defined yet.
  private func readName(_ symbol: UInt32) -> String? {
    let payload = symbol > 0 && Int(symbol) <= strings.count ? strings[Int(symbol) - 1] : otherStrings[symbol]
    guard let payload else { return nil }
    var reader = FixedReader(payload)
    _ = reader.take(UInt32.self)
    return reader.takeString().map(SegmentDictionary.shortened) ?? "?"
  }
}
