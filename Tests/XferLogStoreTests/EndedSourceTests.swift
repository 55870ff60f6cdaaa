import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// The memory of segments that have been read.
struct EndedSourceTests {
  private let test = TestLog()

  /// Writes a sealed log with three threads and several segments.
  private func write() throws {
    let log = try test.open { _ in }
    SystemThread.run(3) { thread in Workload.emit(thread, numbers: 0..<6000, to: log) }
    log.close()
    #expect(LogSealer(directory: test.directory).seal().count > 1)
  }

  /// Reads a log in batches and forgets the tasks of each source as soon as it has ended.
  ///
  /// - Returns: One event of each batch, the sources that ended, and the numbers of their segments that had an event afterwards.
  private func read(_ batches: some EventBatches) -> (kept: [RecordedEvent], ended: [RecordSource], late: Set<UInt32>) {
    var (kept, ended, late): ([RecordedEvent], [RecordSource], Set<UInt32>) = ([], [], [])
    var (batch, forgotten) = (EventBatch(), 0)
    while batches.fill(&batch) {
      for event in batch.events where ended.contains(where: { $0 === event.source }) { late.insert(event.source.number) }
      for event in batch.events { _ = event.task }
      if let event = batch.events.first(where: { ($0.taskSymbol ?? 0) != 0 }) { kept.append(RecordedEvent(event)) }
      for source in batch.endedSources {
        forgotten += source.definedTasks.count
        source.forgetTasks()
        #expect(source.definedTasks.isEmpty)
      }
      ended += batch.endedSources
      batch.removeAll()
    }
    #expect(forgotten > 0)
    return (kept, ended, late)
  }

  @Test(arguments: [false, true])
  func `An event that is kept finds its task after its segment was read`(isReadAhead: Bool) throws {
    try write()
    let expected = Dictionary(uniqueKeysWithValues: test.read().events.map { ($0.reference, $0.task) })
    let reader = LogReader([.directory(test.directory)])
    let ahead = isReadAhead ? AheadReader(reader) { _, _ in } : nil
    let (kept, ended, late) = ahead.map { read($0) } ?? read(reader)
    #expect(ended.count > 1 && late.isEmpty && !kept.isEmpty)
    for event in kept { #expect(event.task != nil && event.task == expected[event.reference] ?? nil) }
    #expect(reader.segments.allSatisfy { !$0.source.lacksDefinitions })
  }

  @Test func `A log that is followed or searched keeps the tasks of its segments`() throws {
    try write()
    for reader in [
      LogReader([.directory(test.directory)], isFollowing: true),
      LogReader([.directory(test.directory)], isFollowing: false, selection: BlockSelection()),
    ] {
      var batch = EventBatch()
      while reader.fill(&batch) {
        for event in batch.events { _ = event.task }
        for source in batch.endedSources { source.forgetTasks() }
        batch.removeAll()
      }
      // The last segment may have no event about a task.
      #expect(reader.segments.count > 1 && reader.segments.dropLast().allSatisfy { !$0.source.definedTasks.isEmpty })
    }
  }

  @Test func `A log read on another thread has all definitions of a segment before its first event`() throws {
    try write()
    let reader = LogReader([.directory(test.directory)])
    guard let ahead = AheadReader(reader, arrange: { _, _ in }) else { return }
    var batch = EventBatch()
    while ahead.fill(&batch) {
      #expect(batch.events.allSatisfy { $0.source.refresh == nil })
      batch.removeAll()
    }
  }

  // MARK: The index

  @Test func `An index without lists has the same blocks, and is valid under the same conditions`() throws {
    try write()
    let file = try SegmentBytes(path: test.segment(1))
    let whole = try #require(SealedBlocks.index(of: file, nonce: nil))
    #expect(whole.entries.contains { !$0.content.tasks.isEmpty && !$0.content.sessions.isEmpty })
    var expected = whole
    for place in expected.entries.indices {
      (expected.entries[place].content.tasks, expected.entries[place].content.sessions) = ([], [])
    }
    #expect(SealedBlocks.index(of: file, nonce: nil, listsTasks: false) == expected)
    let bytes = whole.encoded()
    for damage in 0..<bytes.count {
      var damaged = bytes
      damaged[damage] ^= 0xFF
      for bytes in [damaged, Array(bytes.prefix(damage))] {
        let (lists, leaves) = bytes.withUnsafeBytes {
          (SealIndex.decode($0, nonce: nil), SealIndex.decode($0, nonce: nil, listsTasks: false))
        }
        #expect((lists == nil) == (leaves == nil), "byte \(damage)")
      }
    }
  }

  @Test func `Only a reader that skips blocks keeps the lists of their tasks`() throws {
    try write()
    let path = test.segment(1)
    for isSelective in [false, true] {
      let (segment, source) = try SegmentReader.open(number: 1, path: path, name: "1", index: 0, isSelective: isSelective)
      withExtendedLifetime(source) {
        #expect(segment.sealed?.entries.contains { !$0.content.tasks.isEmpty } == isSelective)
      }
    }
  }
}
