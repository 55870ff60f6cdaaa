import XferEvents
package import XferImport
package import XferLogStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The LOG arguments of a command, resolved to readable inputs and to inputs that cannot be read, with the reasons.
///
/// If no input can be read, a command exits with 2 when an input exists but has no known format, and with 3 when no path or glob
/// matches anything, unless inputs may be absent (`--allow-empty`). Otherwise, inputs that cannot be read are reported and the others are
/// read.
package struct LogInputs {
  /// One input that can be read.
  package struct Input {
    /// The path as the user named it, or as a glob or directory gave it; `-` for standard input.
    package let path: String
    package let location: Location
    /// Why the input is incomplete, for example because its archive is truncated; `nil` if no reason is known.
    package internal(set) var flaw: String?
    /// Whether the input is in a bundle.
    package internal(set) var isBundled = false

    package enum Location {
      case log(LogReader.Input)
      /// A log that was converted from logs of other programs.
      case converted(LogReader.Input)
      /// An input in another format. `importer` is an index into `importers`.
      case foreign(importer: Int, file: String)
    }
  }

  /// Whether each input was converted from logs of other programs.
  package var areConverted: Bool { inputs.allSatisfy { if case .converted = $0.location { true } else { false } } }

  /// One input that cannot be read.
  package struct Refusal: Sendable {
    package let path: String
    /// The reason, as a message for the user.
    package let problem: UserMessage
  }

  /// Logs first, then foreign inputs in the order of their importers, each in the order in which they were named.
  package private(set) var inputs: [Input] = []
  package private(set) var refusals: [Refusal] = []
  /// Inputs that do not exist.
  package private(set) var missing: [Refusal] = []
  /// Empty directories, which may be the places of logs that nobody has written yet, and reports without events.
  package private(set) var empty: [Refusal] = []
  /// The files and hidden directories in the named directories that are not logs.
  package private(set) var ignored: [String] = []
  package let importers: [any EventImporter]
  package let importOptions: ImportOptions
  private var spools: [StandardInputSpool] = []
  private var archives: [UnpackedArchive] = []
  /// Finds the logs again, because some arguments are patterns or directories in which logs may be created. `nil` if no argument is.
  private(set) var search: (() -> [LogReader.Input])?
  private var bundles: [(manifest: BundleManifest, directory: String, name: String)] = []
  package let remarks = Remarks()
  private let context: any ReadingContext

  /// The paths and patterns for which no log exists now.
  package var absent: [String] {
    missing.map(\.path)
      + inputs.compactMap { input in
        guard case .log(.directory(let path)) = input.location, access(path, F_OK) != 0 else { return nil }
        return path
      }
  }

  /// Whether the user has been told about inputs that are not read.
  package final class Remarks {
    package var areMade = false
  }

  /// - Parameters:
  ///   - arguments: the LOG arguments as typed. When there are none, the standard log is read.
  ///   - mayAppear: whether an input that does not exist yet is accepted as a log directory, because it is about to be followed.
  ///   - mayBeAbsent: whether it is accepted that no input exists. Then there are no events.
  package init(
    _ arguments: [String], _ context: any ReadingContext, mayAppear: Bool = false, mayBeAbsent: Bool = false
  ) throws {
    self.context = context
    importers = context.importers
    importOptions = context.importOptions
    let isDefault = arguments.isEmpty
    let named = isDefault ? [LogDirectory.standard(environment: context.environment)] : arguments
    for argument in named {
      if argument == "-" {
        try addStandardInput(context, isFollowed: mayAppear)
      } else {
        add(argument, isDefault: isDefault, mayAppear: mayAppear)
      }
    }
    if mayAppear, named.contains(where: Self.isSearched) {
      search = { (try? LogInputs(arguments, context, mayAppear: true))?.logs ?? [] }
    }
    try conclude(mayBeAbsent: mayBeAbsent)
  }

  /// Creates the input of one path, which is not a pattern.
  package init(path: String, _ context: any ReadingContext) throws {
    self.context = context
    importers = context.importers
    importOptions = context.importOptions
    if !add(path: path) { missing.append(Refusal(path: path, problem: "\(path) does not exist")) }
    try conclude(mayBeAbsent: false)
  }

  /// Sorts the inputs, and throws if there is none.
  private mutating func conclude(mayBeAbsent: Bool) throws {
    inputs = inputs.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
    if !inputs.isEmpty { return }
    if !refusals.isEmpty { throw CommandExit(.failed, UserMessage(refusals.map(\.problem))) }
    if mayBeAbsent { return }
    throw CommandExit(.nothingAnalysed, UserMessage((missing + empty).map(\.problem)))
  }

  /// Creates the input of one file with the lines of `xferlog export --format ndjson`. The file is not examined.
  ///
  /// - Parameter name: the name of the input in messages.
  package init(eventLines path: String, named name: String, _ context: any ReadingContext) throws {
    self.context = context
    importers = context.importers
    importOptions = context.importOptions
    guard let importer = importers.firstIndex(where: { $0 is EventLinesImporter }) else {
      throw CommandExit(.failed, "this program cannot read exported events")
    }
    inputs = [Input(path: name, location: .foreign(importer: importer, file: path))]
  }

  /// The inputs that should have been read. Without them, the events of the others are not the whole story.
  package var unread: [Refusal] { refusals + missing }

  // MARK: Bundles

  /// Whether bundles alone are read.
  package var areBundled: Bool { !inputs.isEmpty && inputs.allSatisfy(\.isBundled) }

  /// Whether a bundle is read.
  package var hasBundles: Bool { !bundles.isEmpty }

  /// Reads the rules, limits and accepted findings of the bundles among the inputs.
  package func decisions() throws -> [BundleDecisions] {
    try bundles.map { try BundleDecisions($0.manifest, in: $0.directory, of: $0.name) }.filter { !$0.isEmpty }
  }

  /// Tells the user which inputs are not read.
  package func remarkRefusals() {
    for refusal in unread + empty { remark("left out: \(refusal.problem)") }
    guard !ignored.isEmpty else { return }
    let others = ignored.count > Self.named ? " and \(ignored.count - Self.named) more" : ""
    let verb = ignored.count == 1 ? "it is not a log" : "they are not logs"
    remark("ignored: \(ignored.prefix(Self.named).joined(separator: ", "))\(others) (\(verb))")
  }

  func remark(_ message: UserMessage) { context.remark(message) }

  /// The maximum number of ignored files that a remark names.
  private static let named = 5

  // MARK: Recognition

  private mutating func add(_ argument: String, isDefault: Bool, mayAppear: Bool) {
    if add(path: argument, mayAppear: mayAppear) { return }
    if GlobPattern.isPattern(argument) {
      let paths = GlobPattern.paths(matching: argument)
      for path in paths { add(path: path) }
      if paths.isEmpty { missing.append(Refusal(path: argument, problem: "\(argument) matches no file")) }
    } else if mayAppear {
      inputs.append(Input(path: argument, location: .log(.directory(argument))))
    } else {
      missing.append(Refusal(path: argument, problem: absence(of: argument, isDefault: isDefault)))
    }
  }

  /// Whether an argument stands for the logs that it matches or contains.
  private static func isSearched(_ argument: String) -> Bool {
    switch LogRecognition(path: argument) {
    case .nothing: GlobPattern.isPattern(argument)
    case .emptyDirectory: true
    case .inputs(_, let search): search != nil && !argument.hasSuffix(LogDirectory.suffix)
    case .refused: false
    }
  }

  /// - Returns: whether the path exists.
  @discardableResult
  private mutating func add(path: String, mayAppear: Bool = false) -> Bool {
    let found = inputs.count
    defer { noteManifest(in: path, named: path, from: found) }
    switch LogRecognition(path: path) {
    case .nothing: return false
    case .emptyDirectory where mayAppear: inputs.append(Input(path: path, location: .log(.directory(path))))
    case .emptyDirectory: empty.append(Refusal(path: path, problem: "\(path) is an empty directory"))
    case .inputs(let found, let search):
      for log in found { add(log, path: log.path) }
      refusals += search?.problems.map { Refusal(path: $0.place, problem: $0.message) } ?? []
      for file in search?.ignored ?? [] where !addForeign(file) { ignored.append(file) }
    case .refused(let error):
      if error.code == .notALog, addForeign(path, isNamed: true) || addContents(of: path) { return true }
      refusals.append(
        Refusal(path: path, problem: error.code == .notALog ? notALog(path) ?? error.message : error.message))
    }
    return true
  }

  /// Takes from the manifest of a bundle why its logs are incomplete, which of its files are not logs, and what decided its verdict.
  ///
  /// - Parameters:
  ///   - directory: the directory that may contain an unpacked bundle.
  ///   - name: the name of the bundle for people.
  ///   - first: the index of the first input from the directory.
  private mutating func noteManifest(in directory: String, named name: String, from first: Int) {
    guard inputs.count > first, let manifest = BundleManifest(in: directory) else { return }
    let parent = name.hasSuffix("/") ? name : name + "/"
    ignored.removeAll { $0.hasPrefix(parent) && manifest.isOther(String($0.dropFirst(parent.count))) }
    bundles.append((manifest, directory, name.hasSuffix("/") ? String(name.dropLast()) : name))
    for place in first..<inputs.count { inputs[place].isBundled = true }
    if manifest.reasons.isEmpty { return }
    inputs[first].flaw = ([inputs[first].flaw].compactMap(\.self) + manifest.reasons).joined(separator: "; ")
  }

  /// Adds a log of this package.
  private mutating func add(_ log: LogReader.Input, path: String, flaw: String? = nil) {
    switch ConvertedLog.kind(of: log) {
    case .recorded: inputs.append(Input(path: path, location: .log(log), flaw: flaw))
    case .converted: inputs.append(Input(path: path, location: .converted(log), flaw: flaw))
    case .mixed:
      refusals.append(
        Refusal(
          path: path,
          problem: "\(path): it has segments of a converted log and others.\nMove the others to a directory of their own."))
    }
  }

  /// Adds the foreign logs in a directory and its subdirectories.
  ///
  /// - Returns: whether there is any.
  private mutating func addContents(of path: String) -> Bool {
    guard ImportCandidate(path: path)?.kind == .directory else { return false }
    let (found, passed) = (inputs.count, refusals.count)
    var others: [String] = []
    for file in LogSearch(path).ignored where !addForeign(file) { others.append(file) }
    guard inputs.count > found || refusals.count > passed else { return false }
    ignored += others
    return true
  }

  /// - Parameter isNamed: whether the user named the file. Only such a file may have its log in a fenced block: the documents in a
  ///   directory contain excerpts of logs as examples.
  /// - Returns: whether an importer reads the path.
  private mutating func addForeign(_ path: String, isNamed: Bool = false) -> Bool {
    guard !importers.isEmpty, let candidate = ImportCandidate(path: path) else { return false }
    if let kind = UnpackedArchive.kind(beginningWith: candidate.head) {
      addArchive(path, name: path, kind)
      return true
    }
    guard let importer = importers.firstIndex(where: { $0.recognises(candidate) }) else {
      if isNamed, FencedBlocks.begin(in: candidate.head) {
        addArchive(path, name: path, .markdown)
        return true
      }
      if isNamed, let quoted = QuotedText(candidate.head, for: importers) {
        addArchive(path, name: path, .quoted(quoted))
        return true
      }
      return false
    }
    inputs.append(Input(path: path, location: .foreign(importer: importer, file: path)))
    return true
  }

  /// Adds the logs in a compressed file or an archive.
  private mutating func addArchive(_ path: String, name: String, _ kind: UnpackedArchive.Kind, isNested: Bool = false) {
    let archive: UnpackedArchive
    do {
      archive = try UnpackedArchive(path, name: name, kind: kind)
    } catch {
      return refusals.append(Refusal(path: name, problem: (error as? CommandExit)?.reason ?? "\(error)"))
    }
    archives.append(archive)
    let flaw = archive.flaw.map { "\(name == "-" ? "standard input" : name) was not read completely: \($0)" }
    ignored += archive.leftOut
    let found = inputs.count
    // An archive may contain logs of this package as directories.
    var logs: [String] = []
    if kind == .zip || archive.files.contains(where: { LogRecognition.isSegment(at: $0.path) }) {
      if case .inputs(let inputs, _) = LogRecognition(path: archive.directory) {
        logs = inputs.map(\.path)
        for log in inputs { add(log, path: name + log.path.dropFirst(archive.directory.count), flaw: flaw) }
      }
    }
    for file in archive.files where !logs.contains(where: { file.path == $0 || file.path.hasPrefix($0 + "/") }) {
      guard let candidate = file.candidate else { continue }
      if let importer = importers.firstIndex(where: { $0.recognises(candidate) }) {
        inputs.append(Input(path: file.name, location: .foreign(importer: importer, file: file.path), flaw: flaw))
      } else if !isNested, let kind = UnpackedArchive.kind(beginningWith: candidate.head) {
        addArchive(file.path, name: file.name, kind, isNested: true)
      } else if kind != .markdown, archive.files.count > 1 || isNested {
        ignored.append(file.name)
      }
    }
    noteManifest(in: archive.directory, named: name == "-" ? "stdin" : name, from: found)
    if inputs.count == found, !isNested { refuse(archive, path, name, kind) }
  }

  /// Refuses an archive without a log.
  private mutating func refuse(_ archive: UnpackedArchive, _ path: String, _ name: String, _ kind: UnpackedArchive.Kind) {
    var what =
      switch kind {
      case .gzip: "a gzip file"
      case .zip: "a ZIP archive"
      case .report: "an xferlog report"
      case .utf16: "text in UTF-16"
      case .markdown, .quoted: FileKind.describe(ImportCandidate(path: path)?.head ?? [])
      }
    // Most texts with blocks are documents, and their blocks are examples.
    if kind == .markdown { return refusals.append(Refusal(path: name, problem: notALog(name, "it looks like \(what)"))) }
    if let only = archive.files.first, archive.files.count == 1, let head = ImportCandidate(path: only.path)?.head {
      if kind == .report, head.isEmpty, archive.flaw == nil {
        return empty.append(Refusal(path: name, problem: "\(name) is the report of a log without events"))
      }
      what += " with \(FileKind.describe(head))"
    } else if !archive.files.isEmpty {
      what += " with \(archive.files.count) files, none of which is a log"
    }
    if let flaw = archive.flaw, !archive.files.isEmpty { what += " (\(flaw))" }
    refusals.append(Refusal(path: name, problem: notALog(name, "it looks like \(what)")))
  }

  /// Returns what was expected, and what a file that no importer reads looks like; `nil` if the path does not name a file.
  private func notALog(_ path: String) -> UserMessage? {
    guard let candidate = ImportCandidate(path: path), candidate.kind == .file else { return nil }
    return notALog(
      path, candidate.head.isEmpty ? "the file is empty" : "it looks like \(FileKind.describe(candidate.head))")
  }

  /// - Parameters:
  ///   - name: the name of the input, or `-` for standard input.
  ///   - appearance: a clause about what was found.
  private func notALog(_ name: String, _ appearance: String) -> UserMessage {
    let own = "an xferlog log (a .xlog directory, a .seg file, or a directory that contains them)"
    let formats = importers.map(\.format)
    let foreign =
      formats.count < 2 ? formats.first : formats.dropLast().joined(separator: ", ") + " or " + formats[formats.count - 1]
    let expected = foreign.map { "\(own) or a log in the format \($0)" } ?? own
    return "\(name == "-" ? "standard input is" : "\(name):") not a log: expected \(expected), but \(appearance)"
  }

  private func absence(of argument: String, isDefault: Bool) -> UserMessage {
    if argument.isEmpty { return "the name of the log is empty; name a log, or leave the argument out to read $XFERLOG_DIR" }
    if isDefault { return "there is no log at \(argument); name a log or set $XFERLOG_DIR" }
    return context.absence(of: argument)
  }

  private mutating func addStandardInput(_ context: any ReadingContext, isFollowed: Bool) throws {
    if isFollowed { throw CommandExit(.wrongUsage, "standard input cannot be followed; name the log") }
    let refusal = Refusal(path: "-", problem: "standard input is not a log: its first bytes are not those of a segment")
    let spool: StandardInputSpool
    do {
      spool = try StandardInputSpool(context)
    } catch let refused as StandardInputSpool.NotRecognised {
      refusals.append(Refusal(path: "-", problem: notALog("-", "it looks like \(FileKind.describe(refused.head))")))
      return
    }
    spools.append(spool)
    if let kind = spool.archive {
      addArchive(spool.path, name: "-", kind)
    } else if let importer = spool.importer {
      // The first bytes may be those of several kinds of file.
      if let candidate = ImportCandidate(path: spool.path), !importers[importer].recognises(candidate) {
        refusals.append(Refusal(path: "-", problem: notALog("-", "it looks like \(FileKind.describe(candidate.head))")))
        return
      }
      inputs.append(Input(path: "-", location: .foreign(importer: importer, file: spool.path)))
    } else if spool.count == 0 {
      missing.append(Refusal(path: "-", problem: "standard input is empty"))
    } else {
      switch LogRecognition(path: spool.path) {
      case .inputs(let found, _): for log in found { add(log, path: "-") }
      case .nothing, .emptyDirectory, .refused: refusals.append(refusal)
      }
    }
  }
}

extension LogInputs.Input {
  /// The sort key of the input: logs come before foreign inputs.
  fileprivate var rank: Int {
    switch location {
    case .log: -2
    case .converted: -1
    case .foreign(let importer, _): importer
    }
  }

  /// The file or directory that holds the input.
  package var file: String {
    switch location {
    case .log(let log), .converted(let log): log.path
    case .foreign(_, let file): file
    }
  }
}
