package import XferLogStore
import XferReport

/// The LOG arguments of a command, looked up: what can be read, and what cannot and why.
///
/// A path or glob that matches nothing, where nothing else is to be read, ends with 3; a thing that exists and is no log
/// ends with 2 unless others can be read, and then is listed.
package struct LogInputs {
  /// One thing that can be read.
  package struct Input {
    /// As the user named it, or as a glob or directory gave it.
    package let path: String
    package let source: LogReader.Input
  }

  /// One thing that was named and cannot be read.
  package struct Refusal: Sendable {
    package let path: String
    /// What and why; for people.
    package let problem: String
  }

  package private(set) var inputs: [Input] = []
  package private(set) var refusals: [Refusal] = []
  /// Named, but not there.
  package private(set) var missing: [Refusal] = []
  private var spools: [StandardInputSpool] = []

  package var sources: [LogReader.Input] { inputs.map(\.source) }

  /// - Parameters:
  ///   - arguments: LOG as typed; the standard log when there is none.
  ///   - mayAppear: whether a log that is not there yet counts as one: it is about to be followed.
  package init(_ arguments: [String], environment: [String: String], mayAppear: Bool = false) throws {
    let isDefault = arguments.isEmpty
    let named = isDefault ? [LogDirectory.standard(environment: environment)] : arguments
    for argument in named {
      if argument == "-" {
        try addStandardInput(isFollowed: mayAppear)
      } else {
        add(argument, isDefault: isDefault, mayAppear: mayAppear)
      }
    }
    if !inputs.isEmpty { return }
    if !refusals.isEmpty { throw CommandExit(.failed, refusals.map(\.problem).joined(separator: "\n")) }
    throw CommandExit(.nothingAnalysed, missing.map(\.problem).joined(separator: "\n"))
  }

  // MARK: Looking up

  private mutating func add(_ argument: String, isDefault: Bool, mayAppear: Bool) {
    if add(path: argument, mayAppear: mayAppear) { return }
    if GlobPattern.isPattern(argument) {
      let paths = GlobPattern.paths(matching: argument)
      for path in paths { add(path: path) }
      if paths.isEmpty { missing.append(Refusal(path: argument, problem: "\(argument) matches no file")) }
    } else if mayAppear {
      inputs.append(Input(path: argument, source: .directory(argument)))
    } else {
      missing.append(Refusal(path: argument, problem: absence(of: argument, isDefault: isDefault)))
    }
  }

  /// - Returns: whether something is there.
  @discardableResult
  private mutating func add(path: String, mayAppear: Bool = false) -> Bool {
    switch LogRecognition(path: path) {
    case .nothing: return false
    case .emptyDirectory where mayAppear: inputs.append(Input(path: path, source: .directory(path)))
    case .emptyDirectory: missing.append(Refusal(path: path, problem: "\(path) is an empty directory"))
    case .inputs(let found): inputs += found.map { Input(path: $0.path, source: $0) }
    case .refused(let error): refusals.append(Refusal(path: path, problem: error.description))
    }
    return true
  }

  private func absence(of argument: String, isDefault: Bool) -> String {
    if isDefault { return "there is no log at \(argument) ($XFERLOG_DIR chooses another place)" }
    // What looks like a word may have been meant as a command.
    let isWord = argument.allSatisfy { $0.isLetter || $0 == "-" }
    return "there is no \(argument)" + (isWord ? ", neither a log nor a command (see xferlog --help)" : "")
  }

  private mutating func addStandardInput(isFollowed: Bool) throws {
    if isFollowed { throw CommandExit(.wrongUsage, "standard input cannot be followed; name the log") }
    let refusal = Refusal(path: "-", problem: "standard input is not a log: its first bytes are not those of a segment")
    let spool: StandardInputSpool
    do {
      spool = try StandardInputSpool()
    } catch is StandardInputSpool.NotASegment {
      refusals.append(refusal)
      return
    }
    spools.append(spool)
    if spool.count == 0 {
      missing.append(Refusal(path: "-", problem: "standard input is empty"))
    } else {
      switch LogRecognition(path: spool.path) {
      case .inputs(let found): inputs += found.map { Input(path: "-", source: $0) }
      case .nothing, .emptyDirectory, .refused: refusals.append(refusal)
      }
    }
  }

  // MARK: Reading

  /// One reader of all inputs, in one order.
  ///
  /// - Parameters:
  ///   - recovery: what is done where a log is damaged.
  ///   - selection: what a sealed segment's index may leave out.
  package func reader(
    isFollowing: Bool = false, recovery: RecoveryMode = .tail, selection: BlockSelection? = nil
  ) throws -> LogReader {
    let reader = LogReader(sources, isFollowing: isFollowing, recovery: recovery, selection: selection)
    switch reader.flaw {
    case nil: return reader
    case .gap(let gap): throw CommandExit(.incomplete, "nothing was read: the log is not whole: \(gap.text)")
    case .problem(let error): throw CommandExit(.incomplete, "nothing was read: the log is not whole: \(error)")
    }
  }

  /// Says on standard error what was named and is not read.
  package func remarkRefusals() {
    for refusal in refusals + missing { StandardError.remark("left out: \(refusal.problem)") }
  }
}

extension LogReader.Input {
  package var path: String {
    switch self {
    case .directory(let path), .segment(let path): path
    }
  }
}
