package import XferEvents

/// The events of inputs of one foreign format, merged by the wall clock.
package final class ForeignSource: EventSource {
  package let origins: [SourceOrigin]
  package private(set) var unreadable: [UnreadablePart] = []
  private var streams: [Stream] = []

  private struct Stream {
    let reader: any ForeignReader
    let output: ForeignOutput
    let input: Int
    var member: LogMember?
    var isAtEnd = false
    /// The time of the last event or gap that has one.
    var wall = WallTime(nanoseconds: .min)
  }

  /// - Parameter make: returns the reader of an input; `nil` if the input cannot be opened. Throws if it cannot be read for another reason.
  package init(
    _ inputs: [ImportedInput], firstIndex: Int, order: ForeignOutput.Order = .asWritten,
    _ make: (ImportedInput) throws(SourceError) -> (any ForeignReader)?
  ) throws(SourceError) {
    var origins: [SourceOrigin] = []
    for input in inputs {
      let reader: any ForeignReader
      do throws(SourceError) {
        guard let made = try make(input) else { throw .unopened(input) }
        reader = made
      } catch {
        if inputs.count == 1 { throw error }
        unreadable.append(UnreadablePart(input: input.place, error: error))
        continue
      }
      let number = UInt32(clamping: input.place + 1)
      // The writers of a log share memory, because a log may have many.
      let memory = ArchiveMemory()
      var archives: [EventArchive] = []
      for writer in reader.writers {
        archives.append(
          EventArchive(
            number: number, name: input.name, writer: writer, index: firstIndex + origins.count, memory: memory))
        origins.append(
          SourceOrigin(input: input.place, path: input.path, number: number, name: input.name, launch: writer.launch))
      }
      let scope = reader.writers.first.map { InstallationScope($0) } ?? .unknown
      let output = ForeignOutput(input, archives: archives, terms: reader.terms, scope: scope, order: order)
      streams.append(Stream(reader: reader, output: output, input: input.place))
    }
    self.origins = origins
    for place in streams.indices { advance(place) }
  }

  package var incompleteness: [SourceIncompleteness] {
    streams.flatMap { stream in stream.output.reasons.map { SourceIncompleteness(input: stream.input, reason: $0) } }
  }

  package var figures: [SourceFigures] {
    streams.map {
      SourceFigures(input: $0.input, lines: $0.output.lines, records: $0.output.records, recognised: $0.output.recognised)
    }
  }

  package func original(_ reference: EventReference) -> String? {
    guard case .line(let file, let line) = reference else { return nil }
    return streams.first { UInt32(clamping: $0.input + 1) == file }?.reader.original(line)
  }

  package func next() -> LogMember? {
    var first: Int?
    for place in streams.indices where streams[place].member != nil {
      if first.map({ streams[place].wall < streams[$0].wall }) ?? true { first = place }
    }
    guard let first else { return nil }
    defer { advance(first) }
    return streams[first].member
  }

  private func advance(_ place: Int) {
    streams[place].member = nextMember(place)
    switch streams[place].member {
    case .event(let event)?: streams[place].wall = event.wall ?? streams[place].wall
    case .gap(let gap)?: streams[place].wall = gap.after?.wall ?? streams[place].wall
    case nil: break
    }
  }

  private func nextMember(_ place: Int) -> LogMember? {
    let (reader, output) = (streams[place].reader, streams[place].output)
    while true {
      if let member = output.next(isAtEnd: streams[place].isAtEnd) { return member }
      if streams[place].isAtEnd { return nil }
      if !reader.read(into: output) { streams[place].isAtEnd = true }
    }
  }
}

extension SourceError {
  /// The error for an input that cannot be opened.
  package static func unopened(_ input: ImportedInput) -> SourceError {
    SourceError(.unreadable, place: input.name, problem: "it cannot be opened", advice: "Check its permissions.")
  }
}
