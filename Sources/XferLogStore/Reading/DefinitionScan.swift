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
  private var symbols: [UInt32] = []

  private init(_ isWanted: @escaping (TaskIdentity) -> Bool) { self.isWanted = isWanted }

  /// Returns the symbols of the wanted tasks in ascending order.
  ///
  /// - Parameters:
  ///   - entries: The blocks with definitions.
  ///   - file: The file that contains them.
  ///   - other: Called with each definition that is neither a name nor a task.
  /// - Returns: `nil` if a block cannot be read.
  static func symbols(
    ofTasks isWanted: @escaping (TaskIdentity) -> Bool, in entries: [SealIndex.Entry], _ file: SegmentBytes,
    other: (RecordWalker.Record) -> Void
  ) -> [UInt32]? {
    var scan = DefinitionScan(isWanted)
    for entry in entries {
      guard let decoded = DecodedBlock(entry.block, at: entry.offset, in: file), var walker = decoded.walker(of: entry.block)
      else {
        return nil
      }
      scan.blocks.append(decoded)
      while case .record(let record) = walker.next() {
        if !scan.take(record) { other(record) }
      }
    }
    return withExtendedLifetime(scan.blocks) { scan.symbols.sorted() }
  }

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
