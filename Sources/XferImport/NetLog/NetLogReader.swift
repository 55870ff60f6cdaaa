import XferEvents

/// Reads a NetLog event by event.
final class NetLogReader: ForeignReader {
  let writers: [WriterContext]
  let terms = SourceTerms(file: .init("file", "files"), stream: .init("file", "files"), record: .init("event", "events"))

  private let input: ImportedInput
  private let json: JSONReader
  private var state = State.start
  private var constants = NetLogConstants()
  private var requests: NetLogRequests?
  private var events: UInt64 = 0
  private var places: [(event: UInt64, offset: UInt64)] = []

  private enum State { case start, members, events, end }

  init?(_ input: ImportedInput) {
    guard let json = JSONReader(path: input.path) else { return nil }
    (self.input, self.json) = (input, json)
    writers = [NetLogRequests.writer(of: input)]
  }

  func read(into output: ForeignOutput) -> Bool {
    let requests = requests ?? NetLogRequests(of: input, output)
    self.requests = requests
    defer { output.lines = json.line }
    switch state {
    case .start:
      guard json.beginObject() else { return end(output) }
      state = .members
    case .members:
      guard let key = json.nextKey() else { return end(output) }
      switch (key, json.kind) {
      case ("constants", .object): constants = NetLogConstants(json)
      case ("events", .array): if json.beginArray() { state = .events }
      default: json.skip()
      }
    case .events:
      guard json.nextElement() else {
        if json.flaw != nil { return end(output) }
        state = .members
        return true
      }
      let offset = json.offset
      guard let event = json.value() else { return true }
      events += 1
      if events % 256 == 1 { places.append((events, offset)) }
      output.records += 1
      if take(event, requests) { output.recognised += 1 }
    case .end: return false
    }
    return true
  }

  private func end(_ output: ForeignOutput) -> Bool {
    state = .end
    // Chromium writes the end of the file when logging stops, so the log of a crash or of a running browser has none.
    output.noteFlaw(of: json, after: events)
    return false
  }

  // MARK: Events

  /// - Returns: whether the event tells something about a request.
  private func take(_ event: JSONValue, _ requests: NetLogRequests) -> Bool {
    guard let source = event["source"], let id = source["id"]?.integer, let type = event["type"]?.int,
      source["type"]?.int.flatMap({ constants.sources[$0] }) == "URL_REQUEST", let name = constants.events[type]
    else { return false }
    let phase = event["phase"]?.int.flatMap { constants.phases[$0] }
    let params = event["params"]
    if let ticks = event["time"]?.scalarText.flatMap({ TimeText.nanoseconds($0, unit: 1_000_000) }) {
      requests.tracker.moment = Moment(
        monotonic: ticks, wall: constants.offset.map { WallTime(nanoseconds: ticks.addingClamped($0)) })
    }
    requests.tracker.position = events
    return requests.take(name, NetLogRequests.Phase(phase), params, of: id)
  }

  func original(_ position: UInt64) -> String? {
    guard let place = places.last(where: { $0.event <= position }), let json = JSONReader(path: input.path, from: place.offset)
    else { return nil }
    var event: JSONValue?
    for number in place.event...position {
      if number > place.event { json.takeSeparator() }
      event = json.value()
    }
    guard let event else { return nil }
    let name = event["type"]?.int.flatMap { constants.events[$0] } ?? "?"
    var text = "events[\(position - 1)]: URL_REQUEST \(event["source"]?["id"]?.integer ?? 0) \(name)"
    if let phase = event["phase"]?.int.flatMap({ constants.phases[$0] }), phase != "PHASE_NONE" {
      text += " \(phase.dropFirst(6))"
    }
    // Headers and queries are left out, because they may contain secrets.
    if let url = event["params"]?["url"]?.text.flatMap({ URLParts($0)?.text }) { text += " \(url)" }
    if let code = event["params"]?["net_error"]?.integer { text += " net_error \(code)" }
    if let first = event["params"]?["headers"]?.elements.first?.text { text += " \(first.prefix(60))" }
    return text
  }
}

/// The numbers that a NetLog uses, which differ between versions of Chromium.
struct NetLogConstants {
  private(set) var events: [Int: String] = [:]
  private(set) var phases: [Int: String] = [0: "PHASE_NONE", 1: "PHASE_BEGIN", 2: "PHASE_END"]
  private(set) var sources: [Int: String] = [:]
  /// The nanoseconds to add to a time of the log for the wall clock; `nil` if the log does not tell.
  private(set) var offset: Int64?

  init() {}

  init(_ json: JSONReader) {
    guard json.beginObject() else { return }
    while let key = json.nextKey() {
      switch key {
      case "logEventTypes": events = Self.table(json.value())
      case "logEventPhase": phases = Self.table(json.value())
      case "logSourceType": sources = Self.table(json.value())
      case "timeTickOffset": offset = json.value()?.scalarText.flatMap { TimeText.nanoseconds($0, unit: 1_000_000) }
      default: json.skip()
      }
    }
  }

  private static func table(_ value: JSONValue?) -> [Int: String] {
    var table: [Int: String] = [:]
    for member in value?.members ?? [] { if let number = member.value.int { table[number] = member.key } }
    return table
  }
}
