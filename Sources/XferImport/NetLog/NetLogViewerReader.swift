import XferEvents

/// Reads the text of the NetLog viewer line by line.
final class NetLogViewerReader: ForeignReader {
  let writers: [WriterContext]

  private let input: ImportedInput
  private let source: LineSource
  private var places: LinePlaces
  private var requests: NetLogRequests?
  /// The source of the next events; its type is `nil` if the text does not tell it.
  private var current: (id: Int64, type: String?) = (-1, nil)
  /// The last number that was given to a source without a line that names it. Such numbers are negative.
  private var unnamed: Int64 = -1
  /// The last event, whose parameters may follow.
  private var event: (event: NetLogViewerLine.Event, line: UInt64)?
  private var parameters: [JSONValue.Member] = []
  private var headers: [JSONValue] = []

  /// The maximum number of parameters and of headers of an event that are kept.
  private static let mostParameters = 1000
  /// The milliseconds from which a time counts from 1970: 2001.
  private static let firstDate: Int64 = 1_000_000_000_000

  init?(_ input: ImportedInput) {
    guard let source = LineSource(path: input.path) else { return nil }
    (self.input, self.source) = (input, source)
    places = LinePlaces(path: input.path)
    writers = [NetLogRequests.writer(of: input)]
  }

  func original(_ position: UInt64) -> String? { places.text(ofLine: position) }

  func read(into output: ForeignOutput) -> Bool {
    let requests = requests ?? NetLogRequests(of: input, output)
    self.requests = requests
    guard let line = source.next() else {
      finishEvent(requests, output)
      output.noteEnd(of: source)
      output.because("\(output.name) is a copy from the NetLog viewer, which may leave out other requests")
      return false
    }
    places.note(line)
    output.lines = source.lineCount
    switch NetLogViewerLine(line.bytes) {
    case .source(let id, let type):
      finishEvent(requests, output)
      current = (id, type)
    case .event(let event):
      finishEvent(requests, output)
      self.event = (event, line.number)
    case .parameter(let key, let value):
      if event != nil, parameters.count < Self.mostParameters { parameters.append(.init(key: key, value: value)) }
    case .firstHeader(let text): headers = [.string(text)]
    case .other(let text):
      if !headers.isEmpty, !text.isEmpty, headers.count < Self.mostParameters { headers.append(.string(text)) }
    }
    return true
  }

  /// Hands out the last event with its parameters.
  private func finishEvent(_ requests: NetLogRequests, _ output: ForeignOutput) {
    guard let (event, line) = event else { return }
    if !headers.isEmpty { parameters.append(.init(key: "headers", value: .array(headers))) }
    let params = JSONValue.object(parameters)
    (self.event, parameters, headers) = (nil, [], [])
    output.records += 1
    // A copy may begin within a source, or have several sources without their first lines.
    if event.name == "REQUEST_ALIVE", event.phase != .end, current.type == nil {
      unnamed -= 1
      current.id = unnamed
    }
    guard current.type == nil || current.type == "URL_REQUEST" else { return }
    let nanoseconds = event.time.multipliedReportingOverflow(by: 1_000_000)
    requests.tracker.moment =
      nanoseconds.overflow
      ? Moment()
      : event.time >= Self.firstDate
        ? Moment(wallNanoseconds: nanoseconds.partialValue) : Moment(monotonic: nanoseconds.partialValue)
    requests.tracker.position = line
    let isKnown = requests.take(event.name, event.phase ?? .begin, params, of: current.id)
    if event.phase == nil { _ = requests.take(event.name, .end, nil, of: current.id) }
    if isKnown { output.recognised += 1 }
    if event.name == "REQUEST_ALIVE", event.phase != .begin { current.type = nil }
  }
}
