package import XferEvents

/// Reads the transfer log of FTP servers, xferlog(5): one line for each transfer that has ended.
package struct FTPImporter: EventImporter {
  package let format = "ftp-xferlog"

  package init() {}

  package func recognises(_ candidate: ImportCandidate) -> Bool {
    guard candidate.kind == .file else { return false }
    return candidate.head.withUnsafeBytes { bytes in
      // Empty lines and comments may precede the first transfer.
      var start = 0
      while start < bytes.count {
        guard let end = bytes.first(0x0A, from: start) ?? (candidate.isHeadFull ? nil : bytes.count) else { return false }
        let line = bytes.slice(start, end).withoutReturn
        if !line.isBlank, line.first != UInt8(ascii: "#") { return FTPLine(line) != nil }
        start = end + 1
      }
      return false
    }
  }

  package func open(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) -> any EventSource {
    try ForeignSource(inputs, firstIndex: firstIndex, order: .overlapping) { FTPReader($0) }
  }
}

/// A line of xferlog(5).
struct FTPLine {
  var time = AppleTime()
  var seconds: Int64
  var host: String
  var size: Int64
  var file: String
  var direction: UInt8
  var service: String
  /// `nil` if the server does not tell.
  var isComplete: Bool?

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// - Returns: `nil` if the line does not have the form.
  init?(_ text: UnsafeRawBufferPointer) {
    let words = text.split(separator: 0x20, omittingEmptySubsequences: true).map { UnsafeRawBufferPointer(rebasing: $0) }
    // Thu Sep  4 08:12:00 2026 1 10.0.0.1 1024 /a/file b _ o r user ftp 0 * c
    guard words.count >= 17, let month = Self.months.firstIndex(of: words[1].text), let day = Int(words[2].text),
      (1...31).contains(day),
      let year = Int(words[4].text), (1970...2200).contains(year), let seconds = Int64(words[5].text), seconds >= 0,
      let size = Int64(words[7].text), size >= 0
    else { return nil }
    var clock = ByteScanner(words[3])
    guard words[3].count == 8, let ofDay = clock.takeTimeOfDay() else { return nil }
    // Old servers leave out the last column. The name of the file may contain spaces.
    let last = words[words.count - 1]
    let hasStatus = last.equals("c") || last.equals("i")
    let tail = words.count - (hasStatus ? 9 : 8)
    guard tail >= 9, words[tail].count == 1, words[tail + 2].count == 1, words[tail + 3].count == 1,
      [UInt8(ascii: "a"), UInt8(ascii: "b")].contains(words[tail][0]),
      [UInt8(ascii: "o"), UInt8(ascii: "i"), UInt8(ascii: "d")].contains(words[tail + 2][0]),
      [UInt8(ascii: "a"), UInt8(ascii: "g"), UInt8(ascii: "r")].contains(words[tail + 3][0])
    else { return nil }
    (time.year, time.month, time.day, time.ofDay) = (year, month + 1, day, ofDay)
    (self.seconds, host, self.size, direction) = (seconds, words[6].text, size, words[tail + 2][0])
    // The bytes between the size and the type, because a name may have several spaces in a row.
    guard let start = words[8].baseAddress, let end = words[tail - 1].baseAddress else { return nil }
    file = UnsafeRawBufferPointer(start: start, count: end - start + words[tail - 1].count).text
    service = words[tail + 5].text
    isComplete = hasStatus ? last.equals("c") : nil
  }
}

/// Reads xferlog(5) line by line.
final class FTPReader: ForeignReader {
  let writers: [WriterContext]
  private let input: ImportedInput
  private let source: LineSource
  private var places: LinePlaces
  private var clock: AppleClock
  private var count: UInt32 = 0

  static let coverage = ImportCoverage(
    log: "the transfer log of an FTP server",
    kinds: [
      .taskCreated, .taskResumed, .attemptStarted, .attemptConnectionAcquired, .attemptBytesReceived, .attemptBytesSent,
      .attemptEnded, .taskCompleted,
    ])

  init?(_ input: ImportedInput) {
    guard let source = LineSource(path: input.path) else { return nil }
    (self.input, self.source) = (input, source)
    places = LinePlaces(path: input.path)
    clock = AppleClock(input.options)
    writers = [
      .foreign(
        nil, role: .daemon, boot: BootID(high: 0x6674_70, low: UInt64(input.place + 1)), installation: "ftp \(input.name)",
        coverage: Self.coverage)
    ]
  }

  func original(_ position: UInt64) -> String? { places.text(ofLine: position) }

  func read(into output: ForeignOutput) -> Bool {
    guard let text = source.next() else {
      output.noteEnd(of: source)
      return false
    }
    places.note(text)
    output.lines = source.lineCount
    if text.bytes.isBlank || text.bytes.first == UInt8(ascii: "#") { return true }
    output.records += 1
    guard let line = FTPLine(text.bytes) else {
      output.gap(
        source.endsInLine ? .truncated : .damaged(problem: "the line is not one of xferlog(5)"),
        positions: text.number...text.number)
      return true
    }
    output.recognised += 1
    emit(line, text.number, output)
    return true
  }

  private func emit(_ line: FTPLine, _ number: UInt64, _ output: ForeignOutput) {
    count += 1
    let task = TaskIdentity(uid: TaskUID(foreign: "ftp", input.name, "\(number)"), session: line.service, number: count)
    let end = clock.moment(line.time).0
    // A line is written when the transfer ends.
    let start = end.advanced(by: -(min(line.seconds, 1 << 33) * 1_000_000_000))
    // A deletion is no transfer.
    if line.direction == UInt8(ascii: "d") { return }
    let isUpload = line.direction == UInt8(ascii: "i")
    // The log does not name the server, which wrote it. The host of a line is the client's.
    output.emit(
      TaskCreated(task: task, type: isUpload ? .upload : .download, scheme: line.service, path: line.file), at: start,
      position: number)
    output.emit(TaskResumed(task: task), at: start, position: number)
    output.emit(AttemptStarted(task: task, attempt: 1, scheme: line.service), at: start, position: number)
    output.emit(AttemptConnectionAcquired(task: task, attempt: 1, remoteAddress: line.host), at: start, position: number)
    // Nobody says why a transfer stayed incomplete: the client may have closed the connection on purpose.
    let failure = line.isComplete == false ? ForeignFailure(nil, name: "incomplete") : nil
    let (received, sent) = isUpload ? (nil, line.size) : (line.size, nil)
    if line.size > 0 {
      if isUpload {
        output.emit(AttemptBytesSent(task: task, attempt: 1, sent: line.size), at: end, position: number)
      } else {
        output.emit(AttemptBytesReceived(task: task, attempt: 1, received: line.size), at: end, position: number)
      }
    }
    output.emit(
      AttemptEnded(
        task: task, attempt: 1, end: failure == nil ? .finished : nil, domain: failure?.domain, error: failure?.code,
        errorName: failure?.name, received: received, sent: sent), at: end, position: number)
    output.emit(
      TaskCompleted(
        task: task, received: received, sent: sent, domain: failure?.domain, error: failure?.code, errorName: failure?.name),
      at: end, position: number)
  }
}
