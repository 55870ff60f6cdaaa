import XferEvents

/// Translates records of the journal.
final class JournalReader: ForeignReader {
  private(set) var writers: [WriterContext] = []
  private let input: ImportedInput
  private let file: JournalFile
  private var tracker: ForeignTracker?
  private var places: [Process: Int] = [:]

  /// A process that wrote to the journal.
  private struct Process: Hashable {
    let name: String
    let pid: Int?
    let boot: BootID?

    var seed: [String] { ["journal", name, "\(pid ?? -1)", "\(boot.map { "\($0)" } ?? "")"] }
  }

  /// The process that wrote last about transfers for each service.
  private var processOfUnit: [String: Int] = [:]

  /// The line of the last record, and the number of records before it in that line.
  private var (line, recordOfLine): (UInt64, Int) = (0, 0)

  private static let mostWriters = 1000

  static let coverage = ImportCoverage(
    log: "an excerpt of the journal",
    kinds: ForeignTracker.kinds.union(ForeignTracker.messages).union([.processStarted, .processExitObserved]))

  init?(_ input: ImportedInput) {
    guard let file = JournalFile(path: input.path), let preview = JournalFile(path: input.path) else { return nil }
    (self.input, self.file) = (input, file)
    // The processes are numbered before the records are translated.
    while let record = preview.next() { note(record) }
    if writers.isEmpty { writers = [.foreign(nil, installation: "journal", coverage: Self.coverage)] }
  }

  private func process(_ record: JournalRecord) -> Process {
    let isOfKernel = record["_TRANSPORT"] == "kernel"
    return Process(
      name: isOfKernel ? "kernel" : record.identifier ?? "unknown", pid: isOfKernel ? nil : record.pid, boot: record.boot)
  }

  private func note(_ record: JournalRecord) {
    let process = process(record)
    guard JournalMeaning(record) != nil, places[process] == nil, writers.count < Self.mostWriters else { return }
    places[process] = writers.count
    let isOfSystem = process.name == "systemd" || process.name == "kernel" || process.name.hasPrefix("systemd-")
    writers.append(
      .foreign(
        process.name, pid: process.pid, role: process.name == "xferd" ? .daemon : isOfSystem ? .system : .app, seed: process.seed,
        boot: process.boot, installation: "journal \(record["_MACHINE_ID"] ?? "")", coverage: Self.coverage))
  }

  func original(_ position: UInt64) -> String? {
    guard let file = JournalFile(path: input.path) else { return nil }
    while let record = file.next() {
      if record.line == position {
        // A position cannot tell apart the records of one line.
        if file.next()?.line == position { return nil }
        return "\(record.identifier ?? "?")[\(record.pid.map { "\($0)" } ?? "?")]: \(record.message)"
      }
      if record.line > position { break }
    }
    return nil
  }

  func read(into output: ForeignOutput) -> Bool {
    let tracker = tracker ?? ForeignTracker(output, seed: "journal")
    self.tracker = tracker
    let next = file.next()
    if let flaw = file.takeFlaw() {
      output.gap(flaw.isCut ? .truncated : .damaged(problem: flaw.problem), positions: flaw.line...flaw.line)
    }
    guard let record = next else {
      output.lines = file.lineCount > 0 ? file.lineCount - 1 : 0
      output.because("\(output.name) is an excerpt without a known beginning or end")
      return false
    }
    if record.isEmpty { return true }
    output.records += 1
    recordOfLine = record.line == line ? recordOfLine + 1 : 0
    line = record.line
    guard let meaning = JournalMeaning(record) else { return true }
    output.recognised += 1
    let process = process(record)
    tracker.moment = record.moment
    tracker.position = record.line
    tracker.writer = places[process] ?? 0
    if let place = places[process], let unit = record["_SYSTEMD_UNIT"] ?? record["_SYSTEMD_USER_UNIT"] {
      processOfUnit[unit] = place
    }
    translate(meaning, record, tracker, output)
    return true
  }

  private func translate(_ meaning: JournalMeaning, _ record: JournalRecord, _ tracker: ForeignTracker, _ output: ForeignOutput) {
    func observeEnd(_ name: String?, _ pid: Int?, code: Int? = nil, signal: Int? = nil, _ reason: ExitReason) {
      output.emit(
        ProcessExitObserved(
          launch: launch(pid, record.boot), boot: record.boot, pid: pid, code: code, signal: signal, exitReason: reason,
          executable: name), at: tracker.moment, position: record.line, writer: tracker.writer)
    }
    switch meaning {
    case .oomKill(let pid, let name): observeEnd(name, pid, signal: 9, .memoryPressure)
    case .coreDump(let pid, let name, let signal): observeEnd(name, pid, signal: signal, .crashed)
    case .mainProcessExited(let unit, let pid, let signal, let code):
      let reason: ExitReason = signal != nil ? .signal : code == 0 ? .returned : .exitCall
      let known = pid == nil ? unit.flatMap { processOfUnit[$0] }.map { writers[$0] } : nil
      observeEnd(known?.executable ?? unit, pid ?? known?.pid, code: signal == nil ? code : nil, signal: signal, reason)
    case .message: tracker.note(record.message, level: record.level, subsystem: record["_SYSTEMD_UNIT"] ?? record.identifier)
    case .transfer(let fact): fact.tell(tracker, session: record["XFER_SESSION"] ?? record.identifier ?? "journal")
    case .curl(let code, let text):
      let key = "curl \(record.line)" + (recordOfLine > 0 ? ".\(recordOfLine)" : "")
      tracker.observe(key, session: record.identifier ?? "curl")
      tracker.complete(key, ForeignFailure(curl: code, message: text))
    }
  }

  /// Returns the process that a record of the system is about; `nil` if it wrote no record about transfers.
  private func launch(_ pid: Int?, _ boot: BootID?) -> LaunchID? {
    guard let pid, let known = places.first(where: { $0.key.boot == boot && $0.key.pid == pid }) else { return nil }
    return writers[known.value].launch
  }
}

/// What a record of the journal means for transfers.
enum JournalMeaning {
  case oomKill(pid: Int?, name: String?)
  case coreDump(pid: Int?, name: String?, signal: Int?)
  case mainProcessExited(unit: String?, pid: Int?, signal: Int?, code: Int?)
  case transfer(TransferFact)
  case curl(code: Int, text: String)
  case message

  /// Programs that transfer files or manage networks. All their messages are of interest.
  private static let programs: Set<String> = ["xferd", "xfer", "curl", "wget", "aria2c", "rclone", "rsync", "apt-helper", "dnf"]

  /// The identifiers of systemd's messages about services: started, stopping, stopped, failed, their result, and a kill because of
  /// memory.
  private static let unitMessages: Set<String> = [
    "39f53479d3a045ac8e11786248231fbf", "de5b426a63be47a7b6ac3eaac82e2f6f", "9d1aaa27d60140bd96365438aad20286",
    "be02cf6855d2428ba40df7e9d022f03d", "d9b373ed55a64feb8242e02dbe79a49c", "fe6faa94e7774663a0da52717891d8ef",
  ]

  /// - Returns: `nil` if the record tells nothing about transfers.
  init?(_ record: JournalRecord) {
    let message = record.message
    if let fact = TransferFact(named: { record["XFER_\($0)"] }, message: message) {
      self = .transfer(fact)
    } else if record["_TRANSPORT"] == "kernel" || record.identifier == "kernel" {
      guard message.contains("Killed process "), let pid = Self.number(behind: "Killed process ", in: message) else { return nil }
      self = .oomKill(pid: pid, name: Self.text(between: "(", and: ")", in: message))
    } else if record["MESSAGE_ID"] == "fc2e22bc6ee647b6b90729ab34a250b1" || record["COREDUMP_PID"] != nil {
      self = .coreDump(
        pid: record.integer("COREDUMP_PID").map { Int(clamping: $0) }, name: record["COREDUMP_COMM"],
        signal: record.integer("COREDUMP_SIGNAL").map { Int(clamping: $0) })
    } else if record.identifier == "systemd", message.contains("Main process exited, code=") {
      let code = Self.number(behind: "status=", in: message)
      let isSignal = message.contains("code=killed") || message.contains("code=dumped")
      self = .mainProcessExited(
        unit: record["UNIT"] ?? record["USER_UNIT"] ?? message.split(separator: ":").first.map(String.init),
        pid: record.integer("EXIT_PID").map { Int(clamping: $0) }, signal: isSignal ? code : nil, code: isSignal ? nil : code)
    } else if message.hasPrefix("curl: ("), message.contains(")"), let code = Self.number(behind: "curl: (", in: message) {
      self = .curl(code: code, text: String(message.drop { $0 != ")" }.dropFirst(2)))
    } else if let id = record["MESSAGE_ID"], Self.unitMessages.contains(id) {
      self = .message
    } else if let name = record.identifier, Self.programs.contains(name) {
      self = .message
    } else {
      return nil
    }
  }

  private static func number(behind mark: String, in text: String) -> Int? {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBytes { bytes in
      guard let place = bytes.first(Array(mark.utf8), from: 0) else { return nil }
      var scanner = ByteScanner(bytes)
      scanner.move(to: place + mark.utf8.count)
      return scanner.takeInteger().map { Int(clamping: $0) }
    }
  }

  private static func text(between start: Character, and end: Character, in text: String) -> String? {
    guard let open = text.firstIndex(of: start) else { return nil }
    let inside = text[text.index(after: open)...].prefix { $0 != end }
    return inside.isEmpty ? nil : String(inside)
  }
}

extension BootID {
  /// Parses 32 hexadecimal digits, with or without dashes.
  init?(_ text: String) {
    guard let uid = TaskUID(text) else { return nil }
    self.init(high: uid.high, low: uid.low)
  }
}
