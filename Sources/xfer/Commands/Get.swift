import ArgumentParser
import Foundation
import XferEngine
import XferReport

struct Get: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Download files.",
    discussion: """
      A file appears at its place whole or not at all. A status of 400 and above is a failure (22), unless --no-fail takes \
      the page as the file. Redirects are followed. Of several failures the first one's code is the command's.
      """)

  @Argument(help: "What to download. Without a scheme it is http.")
  var url: [String] = []

  @Option(
    name: [.customShort("i"), .long],
    help: "Also the URLs in FILE, one a line, - for standard input. Below a URL ' out=NAME' and ' dir=DIRECTORY' as in aria2.")
  var inputFile: String?

  @Option(
    name: .shortAndLong,
    help: "Where to write: one for each URL, in their order, - for standard output. Else the URL's last part is the name.")
  var output: [String] = []

  @Option(help: "Where relative names begin; made when it is not there.")
  var outputDir: String?

  @Option(help: "How many transfers run at a time.")
  var parallel = 6

  @Flag(name: .shortAndLong, inversion: .prefixedNo, help: "Take a status of 400 and above for a failure.")
  var fail = true

  @Option(name: [.customShort("m"), .long], help: "Seconds that a transfer may take, decimals allowed.")
  var maxTime: Double?

  @Flag(name: .shortAndLong, help: "Say nothing but failures.")
  var silent = false

  @Flag(help: "Hash paths and destinations in the log, as everything private is.")
  var `private` = false

  @Option(
    help: ArgumentHelp(
      "What the log keeps of private values: hashed, redacted, or full: everything, passwords too.", valueName: "mode"))
  var capture = CaptureChoice.hashed

  @Option(help: "Write the log to this directory.")
  var log: String?

  func validate() throws {
    guard (1...1000).contains(parallel) else { throw ValidationError("--parallel takes a number from 1 to 1000") }
    if let maxTime, !(maxTime > 0 && maxTime < 1e9) { throw ValidationError("--max-time takes a number of seconds above 0") }
  }

  func run() async throws {
    let plan = try plan()
    let log = CommandLog(
      directory: log, isPrivate: self.private, capture: capture.mode, environment: ProcessInfo.processInfo.environment)
    let code = await carry(plan, log)
    log.close(code: code)
    if code != 0 { throw CommandExit(code) }
  }

  private func plan() throws -> TransferPlan {
    let list = try inputFile.map(read)
    do throws(TransferPlan.Problem) {
      return try TransferPlan(urls: url, outputs: output, list: list, directory: outputDir)
    } catch {
      throw CommandExit(Execution.wrongUsage, error.text)
    }
  }

  private func read(_ path: String) throws -> InputList {
    let text: String
    do {
      let bytes =
        path == "-" ? try FileHandle.standardInput.readToEnd() ?? Data() : try Data(contentsOf: URL(fileURLWithPath: path))
      text = String(decoding: bytes, as: UTF8.self)
    } catch {
      throw CommandExit(26, "the list \(path) cannot be read: \(error.localizedDescription)")
    }
    do throws(InputList.Problem) {
      return try InputList(text)
    } catch {
      throw CommandExit(Execution.wrongUsage, "\(path) line \(error.line): \(error.text)")
    }
  }

  // MARK: Carrying

  private func carry(_ plan: TransferPlan, _ log: CommandLog) async -> Int32 {
    for directory in plan.directories {
      do {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      } catch {
        Remarks.say("(23) the directory \(directory) cannot be made: \(error.localizedDescription)")
        return 23
      }
    }
    let line = !silent && isatty(STDERR_FILENO) == 1 ? ProgressLine(total: plan.transfers.count) : nil
    let run = TransferRun(plan, limits: .init(parallel: parallel, failsOnStatus: fail), sink: log.sink) { line?.show($0) }
    let interruption = Interruption { run.cancel() }
    let start = ContinuousClock.now
    let results = await run(configuration(plan))
    line?.clear()
    report(results, took: ContinuousClock.now - start, log: log)
    return interruption.exitCode ?? results.lazy.compactMap(\.problem).first?.exitCode ?? 0
  }

  private func configuration(_ plan: TransferPlan) -> TransferSession.Configuration {
    var configuration = TransferSession.Configuration.default
    configuration.name = "get"
    if let maxTime { configuration.timeoutIntervalForResource = .seconds(maxTime) }
    // A file that begins where it is to end up needs no copy.
    if plan.transfers.contains(where: { $0.destination != .standardOutput }) {
      configuration.temporaryDirectory = plan.directories.first ?? "."
    }
    return configuration
  }

  private func report(_ results: [TransferResult], took: Duration, log: CommandLog) {
    var failed = 0
    for result in results {
      guard let problem = result.problem else { continue }
      failed += 1
      Remarks.say("(\(problem.exitCode)) \(ShownURL.text(result.transfer.url)): \(problem.text)")
    }
    if failed > 0, let directory = log.directory { Remarks.say("what happened: xferlog replay \(directory)") }
    if silent { return }
    let bytes = results.reduce(0) { $0 + $1.received }
    let files = results.count - failed
    let rate = took > .zero ? Int64(Double(bytes) / (took / .seconds(1))) : 0
    Remarks.say(
      "\(files) file\(files == 1 ? "" : "s"), \(ByteCount(bytes)) in \(took.short) (\(ByteCount(rate))/s)"
        + (failed == 0 ? "" : ", \(failed) failed"))
  }
}
