import XferEvents

/// The definitions of a sealed segment, read for the symbols of some tasks.
///
/// A segment defines every task that its events name, and a reader of a few tasks needs few of the definitions.
struct DefinitionScan {
  /// The symbols of the wanted tasks, in ascending order.
  private(set) var wanted: [UInt32] = []
  /// The blocks that the definitions point into.
  private var blocks: [DecodedBlock] = []
  /// The definitions of the tasks with the symbols 1, 2, 3 and so on.
  private var tasks: [UnsafeRawBufferPointer] = []
  /// The definitions of tasks with other symbols than the next one.
  private var otherTasks: [UInt32: UnsafeRawBufferPointer] = [:]

  /// - Parameters:
  ///   - entries: The blocks with the definitions that are needed.
  ///   - number: The number of all wanted tasks; `nil` if they may have several.
  ///   - file: The file that contains them.
  ///   - define: Called with each definition that does not define a task.
  ///   - name: Returns the name that a symbol stands for; `nil` if it is not defined yet.
  /// - Returns: `nil` if a block cannot be read.
  init?(
    ofTasks isWanted: (TaskIdentity) -> Bool, in entries: [SealIndex.Entry], numbered number: UInt32?, _ file: SegmentBytes,
    define: (RecordWalker.Record) -> Void, name: (UInt32) -> String?
  ) {
    for entry in entries {
      guard let decoded = DecodedBlock(entry.block, at: entry.offset, in: file), var walker = decoded.walker(of: entry.block)
      else {
        return nil
      }
      blocks.append(decoded)
      while case .record(let record) = walker.next() {
        guard record.kind == RecordFormat.taskDefined else {
          define(record)
          continue
        }
        note(record.payload)
        if let number, TaskDefinition.number(in: record.payload) != number { continue }
        guard let task = TaskDefinition(record.payload) else { continue }
        let identity = TaskIdentity(uid: task.uid, session: name(task.session) ?? "?", number: task.number)
        if isWanted(identity) { wanted.append(task.symbol) }
      }
    }
    wanted.sort()
  }

  @inline(__always)
  private mutating func note(_ definition: UnsafeRawBufferPointer) {
    guard let symbol = TaskDefinition.symbol(in: definition) else { return }
    if Int(symbol) == tasks.count + 1 { tasks.append(definition) } else { otherTasks[symbol] = definition }
  }

  /// Calls a closure with the definition of each task among some symbols.
  func forEachDefinition(of symbols: some Sequence<UInt32>, _ body: (UnsafeRawBufferPointer) -> Void) {
    for symbol in symbols {
      let definition = symbol > 0 && Int(symbol) <= tasks.count ? tasks[Int(symbol) - 1] : otherTasks[symbol]
      if let definition { withExtendedLifetime(blocks) { body(definition) } }
    }
  }
}
