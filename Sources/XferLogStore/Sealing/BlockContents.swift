import XferEvents

/// Collects the index entries for the records of a segment's blocks.
struct BlockContents {
  private let page: RecordPage
  /// The session identifiers in order of first occurrence.
  private(set) var sessions: [String] = []
  private var places: [String: UInt32] = [:]
  /// Cached session indexes by task symbol, so that a lookup compares no strings.
  private var placeOfTask: [UInt32: UInt32] = [:]
  /// Cached session indexes by string symbol.
  private var placeOfSymbol: [UInt32: UInt32] = [:]

  init(page: RecordPage) { self.page = page }

  /// - Returns: Whether the record is an event that its layout describes.
  @discardableResult
  mutating func note(_ record: RecordWalker.Record, lane: UInt32, in content: inout BlockContent) -> Bool {
    guard record.kind < RecordFormat.firstInternalKind, let table = page.source.table(record.kind),
      let event = RecordedEvent(
        page: page, table: table, lane: lane, sequence: record.sequence, thread: 0,
        clocks: .init(monotonic: 0, boottime: 0, wall: 0), payload: record.payload)
    else { return false }
    content.firstTime = min(content.firstTime, record.time)
    content.lastTime = max(content.lastTime, record.time)
    content.levels |= 1 << event.level.rawValue
    if let task = event.taskSymbol {
      if content.tasks.last != task { content.tasks.append(task) }
      if let place = place(ofTask: task), content.sessions.last != place { content.sessions.append(place) }
    }
    if let successor = event.view.half(.successor) { content.tasks.append(successor) }
    if let symbol = event.view.half(.session), let place = place(ofSymbol: symbol), content.sessions.last != place {
      content.sessions.append(place)
    }
    return true
  }

  /// Sorts the collected symbols and removes duplicates.
  func close(_ content: inout BlockContent) {
    content.tasks = Array(Set(content.tasks)).sorted()
    content.sessions = Array(Set(content.sessions)).sorted()
  }

  private mutating func place(ofTask symbol: UInt32) -> UInt32? {
    if let known = placeOfTask[symbol] { return known }
    guard let task = page.source.task(symbol) else { return nil }
    let place = place(of: task.session)
    placeOfTask[symbol] = place
    return place
  }

  private mutating func place(ofSymbol symbol: UInt32) -> UInt32? {
    if let known = placeOfSymbol[symbol] { return known }
    guard let session = page.source.string(symbol) else { return nil }
    let place = place(of: session)
    placeOfSymbol[symbol] = place
    return place
  }

  private mutating func place(of session: String) -> UInt32 {
    if let known = places[session] { return known }
    let place = UInt32(sessions.count)
    sessions.append(session)
    places[session] = place
    return place
  }
}
