package import XferEvents
import XferImport
package import XferLogStore
import XferReport

extension LogInputs {
  /// The inputs that are logs, in the order of the arguments.
  package var logs: [LogReader.Input] {
    inputs.compactMap { if case .log(let log) = $0.location { log } else { nil } }
  }

  /// The names of the logs, in the order in which references number them; empty if all are single segments, which have different numbers.
  var logNames: [String] {
    guard logs.contains(where: { if case .directory = $0 { true } else { false } }) else { return [] }
    return inputs.compactMap { if case .log = $0.location { $0.path } else { nil } }
  }

  /// The inputs that were converted from logs of other programs.
  private var converted: [(place: Int, log: LogReader.Input)] {
    inputs.enumerated().compactMap { place, input in
      if case .converted(let log) = input.location { (place, log) } else { nil }
    }
  }

  /// All inputs that consist of segments, converted or not.
  package var segmented: [LogReader.Input] { logs + converted.map(\.log) }

  /// The inputs that are logs of this package.
  package var own: [Input] {
    inputs.filter { if case .foreign = $0.location { false } else { true } }
  }

  /// The inputs that importers read.
  package var foreign: [Input] {
    inputs.filter { if case .foreign = $0.location { true } else { false } }
  }

  private func inputs(of wanted: Int) -> [ImportedInput] {
    inputs.enumerated().compactMap { place, input in
      guard case .foreign(wanted, let file) = input.location else { return nil }
      return ImportedInput(place: place, name: input.path, path: file, options: importOptions)
    }
  }

  /// The name of an input's format in documents.
  package func format(of input: Input) -> String {
    switch input.location {
    case .log, .converted: "xferlog"
    case .foreign(let importer, _): importers[importer].format
    }
  }

  // MARK: Events

  /// Opens all inputs as one source.
  ///
  /// - Parameters:
  ///   - recovery: how damaged logs are read.
  ///   - selection: the blocks of sealed segments to read; `nil` means all blocks.
  package func source(recovery: RecoveryMode = .tail, selection: BlockSelection? = nil) throws -> any EventSource {
    let source = try open(isFollowing: false, recovery: recovery, selection: selection)
    // A command may open its inputs several times.
    if !remarks.areMade {
      for remark in source.remarks { self.remark(UserMessage(remark)) }
      remarks.areMade = true
    }
    return source
  }

  /// The end of a log, or all of it.
  package struct End {
    package let source: any EventSource
    /// Whether no event was left out.
    package let isWhole: Bool
  }

  /// Whether the end of the inputs can be read without the rest.
  package var canReadEnd: Bool { inputs.count == logs.count && inputs.allSatisfy { $0.flaw == nil } }

  /// Opens the end of all inputs.
  ///
  /// - Parameters:
  ///   - count: the number of events that are wanted; `nil` for all. The source may have more, and fewer if records were removed.
  ///   - selection: the blocks of sealed segments to read; `nil` means all blocks.
  package func end(last count: Int?, selection: BlockSelection?) throws -> End {
    guard let count, canReadEnd else { return End(source: try source(selection: selection), isWhole: true) }
    var selection = selection ?? BlockSelection()
    selection.last = count
    let source = try source(selection: selection)
    return End(source: source, isWhole: (source as? LogReader)?.isWhole ?? true)
  }

  /// Opens all inputs as one source whose writers may still add events.
  package func followedSource(selection: BlockSelection?) throws -> any FollowableSource {
    if let converted = converted.first {
      throw SourceError(
        .cannotFollow, place: inputs[converted.place].path, problem: "a converted log cannot be followed: nothing is added to it",
        advice: "Leave out --follow, or convert the original log again.")
    }
    let source = try open(isFollowing: true, recovery: .tail, selection: selection)
    if let reader = source as? LogReader { reader.search = search }
    if let source = source as? any FollowableSource { return source }
    throw unsupported(.cannotFollow, "be followed", "Leave out --follow, or follow a .xlog directory alone.")
  }

  /// Opens the inputs that are logs of this package, for a reader that follows them; `nil` if there are none. Unlike
  /// `followedSource(selection:)`, this function accepts other inputs, and leaves them out.
  package func followedLogs() -> (any FollowableSource)? {
    if logs.isEmpty { return nil }
    let reader = LogReader(logs, isFollowing: true, recovery: .tail, selection: nil)
    reader.search = search
    return reader
  }

  private func open(isFollowing: Bool, recovery: RecoveryMode, selection: BlockSelection?) throws -> any EventSource {
    if !foreign.isEmpty, recovery != .tail {
      throw unsupported(
        .cannotRecover, "be read with --recovery \(recovery)", "Leave out --recovery, which is only for xferlog's own logs.")
    }
    var sources: [any EventSource] = []
    if !logs.isEmpty { sources.append(try reader(logs, isFollowing: isFollowing, recovery: recovery, selection: selection)) }
    for (place, log) in converted {
      if recovery == .strict { _ = try reader([log], isFollowing: false, recovery: .strict, selection: nil) }
      sources.append(
        ConvertedSource(
          log, place: place, isAlone: inputs.count == 1, firstIndex: sources.reduce(0) { $0 + $1.origins.count },
          recovery: recovery))
    }
    // The record sources are numbered in this order, so a source that adds some while it is read comes last.
    let order = importers.indices.filter { !importers[$0].addsOrigins } + importers.indices.filter { importers[$0].addsOrigins }
    for place in order {
      let importer = importers[place]
      let inputs = inputs(of: place)
      if inputs.isEmpty { continue }
      let firstIndex = sources.reduce(0) { $0 + $1.origins.count }
      sources.append(try importer.open(inputs, firstIndex: firstIndex))
    }
    let source = sources.count == 1 ? sources[0] : MergedSource(sources)
    let flaws = inputs.enumerated().compactMap { place, input in
      input.flaw.map { SourceIncompleteness(input: place, reason: $0) }
    }
    return flaws.isEmpty ? source : FlawedSource(source, flaws: flaws)
  }

  private func reader(
    _ logs: [LogReader.Input], isFollowing: Bool, recovery: RecoveryMode, selection: BlockSelection?
  ) throws -> LogReader {
    let reader = LogReader(logs, isFollowing: isFollowing, recovery: recovery, selection: selection)
    switch reader.flaw {
    case nil: return reader
    case .gap(let gap): throw CommandExit(.incomplete, "nothing was read, because the log is not intact: \(gap.text)")
    case .problem(let error): throw CommandExit(.incomplete, "nothing was read, because the log is not intact: \(error)")
    case .missingLog(let process):
      throw CommandExit(.incomplete, "nothing was read, because the log of \(process) is missing")
    }
  }

  // MARK: The log format itself

  /// A command that needs the segments of a log, not only its events.
  package enum LogPurpose {
    case verification, salvage, storage
  }

  /// Returns the logs for a command that is about the log format itself.
  ///
  /// - Throws: `SourceError` when one of the inputs is foreign.
  package func logs(for purpose: LogPurpose) throws -> [LogReader.Input] {
    guard !foreign.isEmpty else { return segmented }
    let advice = "Name a .xlog directory or a segment."
    switch purpose {
    case .verification: throw unsupported(.cannotVerify, "be verified: it has no checksums", advice)
    case .salvage: throw unsupported(.cannotSalvage, "be salvaged", advice)
    case .storage: throw unsupported(.cannotAccount, "be broken down by storage use", advice)
    }
  }

  /// - Parameter action: the words that follow "cannot" in the message.
  private func unsupported(_ code: SourceError.Code, _ action: String, _ advice: String) -> SourceError {
    let (place, format) = foreign.first.map { ($0.path, self.format(of: $0)) } ?? ("the input", "xferlog")
    return SourceError(code, place: place, problem: "an input in the format \(format) cannot \(action)", advice: advice)
  }
}
