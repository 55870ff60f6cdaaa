import CXferPlatform
import XferDiagnosis
import XferImport
import XferLifecycle
import XferLogStore
import XferReading
import XferReplay
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files and annotations of one replay that CI services read.
///
/// The files are created before the log is read, so that a wrong path is an error at once. They appear when they are complete.
final class JobResults {
  private let options: JobOptions
  private let annotations: JobOptions.Annotations
  private let summaryPath: String?
  private let category: String
  private let anchor: RepositoryPlace?
  private let repository: RepositoryRoot
  private var files: [(form: Form, path: String, destination: ExportDestination)] = []
  private var jsonFile: ExportDestination?
  private var jsonWriter = ReplayWriter(.document)
  private var hasTasks = false

  /// Whether the command runs as a step of a CI job.
  private let isStep: Bool

  private enum Form { case junit, sarif, markdown, codeQuality }

  /// - Parameter isText: whether standard output is text, in which annotations may stand.
  init(_ options: JobOptions, isText: Bool, _ surroundings: Surroundings) throws {
    self.options = options
    let environment = surroundings.environment
    var annotations = options.annotations(in: environment)
    if !isText, annotations == .github || annotations == .azure {
      if options.annotations != nil {
        throw CommandExit(.wrongUsage, "--annotations \(annotations.rawValue) needs -o text; write JSON to a file with --json")
      }
      annotations = .none
    }
    self.annotations = annotations
    isStep = options.isStep(in: environment)
    summaryPath = isStep ? environment["GITHUB_STEP_SUMMARY"] : nil
    repository = RepositoryRoot.current(environment)
    anchor = try options.anchor.map(repository.place)
    if options.category.isEmpty { throw CommandExit(.wrongUsage, "--category needs a name") }
    category = options.category
    let codeQuality = options.codeQuality ?? (annotations == .gitlab ? CodeQualityDocument.usualName : nil)
    let named: [(form: Form, option: String, path: String?)] = [
      (.junit, "--junit", options.junit), (.sarif, "--sarif", options.sarif), (.markdown, "--markdown", options.markdown),
      (.codeQuality, "--code-quality", codeQuality),
    ]
    for (form, option, path) in named {
      guard let path else { continue }
      files.append((form, path, try Self.open(path, option, surroundings)))
    }
    jsonFile = try options.json.map { try Self.open($0, "--json", surroundings) }
  }

  private static func open(_ path: String, _ option: String, _ surroundings: Surroundings) throws -> ExportDestination {
    if path == "-" { throw CommandExit(.wrongUsage, "\(option) cannot be standard output, which has the findings; name a file") }
    try checkIsNoLog(path, option, surroundings)
    return try ExportDestination(path, replaces: true, isBinary: false, option: option, surroundings)
  }

  /// Throws if the file is a log. In other programs, an option such as `--json` is a switch, so that a log may follow it.
  private static func checkIsNoLog(_ path: String, _ option: String, _ surroundings: Surroundings) throws {
    guard let candidate = ImportCandidate(path: path), candidate.kind == .file, candidate.head.first != UInt8(ascii: "#"),
      LogRecognition.isSegment(at: path) || surroundings.importers.contains(where: { $0.recognises(candidate) })
    else { return }
    throw CommandExit(
      .wrongUsage,
      "\(option) names the file to write, but \(path) is a log.\n"
        + "For JSON on standard output, write xferlog replay -o json \(path).")
  }

  /// Writes a task that has ended to the JSON document.
  func append(_ task: TaskLifecycle, _ world: World) {
    guard let jsonFile else { return }
    hasTasks = true
    jsonWriter.append(task, world, to: &jsonFile.output.buffer)
  }

  func flushIfLarge() throws { try jsonFile?.output.flushIfLarge() }

  // MARK: The end

  /// Writes all files and the job summary.
  ///
  /// - Parameter limit: the lowest severity that fails the job; `nil` if no finding does.
  /// - Returns: the annotations for standard output, one for each line.
  func finish(
    _ document: ReplayDocument, limit: Severity?, _ conclusion: DiagnosedLog.Conclusion, isAboutFindings: Bool
  ) throws -> [String] {
    guard options.isGiven || isStep else { return [] }
    let document = document.passedOn
    let report = JobReport(
      document,
      JobReport.Settings(
        category: category, version: LogConfiguration.libraryVersion, anchor: anchor, limit: limit, repository: repository),
      JobReport.Conclusion(
        code: conclusion.status.code, word: conclusion.status.word, reason: conclusion.reason.description,
        isAboutFindings: isAboutFindings))
    for (form, path, destination) in files {
      if let cut = Self.append(report, form, to: &destination.output.buffer) { StandardError.remark("\(path) has \(cut.text)") }
      try destination.finish()
    }
    if let jsonFile {
      try jsonWriter.end(document, append: jsonFile.output.append)
      try jsonFile.finish()
    }
    if let summaryPath { appendSummary(report, to: summaryPath) }
    guard let service = JobAnnotations.Service(rawValue: annotations.rawValue) else { return [] }
    let (lines, cut) = JobAnnotations.lines(report, for: service)
    if let cut { StandardError.remark("annotations show \(cut.text)") }
    return lines
  }

  /// Writes all files for a replay that failed before a log was read, so that no file of an earlier job remains in their place.
  ///
  /// - Returns: the annotations for standard output, one for each line.
  func fail(_ conclusion: DiagnosedLog.Conclusion) throws -> [String] {
    if hasTasks { jsonFile = nil }
    var diagnosis = JointDiagnosis()
    diagnosis.finish()
    let document = ReplayDocument(
      diagnosis: diagnosis, inputs: [], exitCode: conclusion.status.code, incompleteness: [conclusion.reason.problem])
    return try finish(document, limit: nil, conclusion, isAboutFindings: false)
  }

  private static func append(_ report: JobReport, _ form: Form, to text: inout TextBuffer) -> JobCut? {
    switch form {
    case .junit: return JUnitDocument.append(report, to: &text)
    case .sarif: return SARIFDocument.append(report, to: &text, compressedSize: CompressedSize.gzip)
    case .markdown: return JobSummary.append(report, room: JobSummary.sizeLimit, to: &text)
    case .codeQuality:
      CodeQualityDocument.append(report, to: &text)
      return nil
    }
  }

  /// Appends the job summary to GitHub's file, within the room that earlier commands of the step have left. A summary that cannot be
  /// written does not fail the job.
  private func appendSummary(_ report: JobReport, to path: String) {
    let descriptor = xp_open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return StandardError.remark("the job summary \(path) cannot be opened: \(systemText(errno))") }
    defer { close(descriptor) }
    var status = stat()
    let used = fstat(descriptor, &status) == 0 ? Int(clamping: status.st_size) : 0
    let output = StandardOutput(descriptor: descriptor, name: path)
    if let cut = JobSummary.append(report, room: JobSummary.sizeLimit - used, to: &output.buffer) {
      StandardError.remark("the job summary has \(cut.text)")
    }
    do {
      try output.flush()
    } catch {
      StandardError.remark("the job summary \(path) cannot be written")
    }
  }
}
