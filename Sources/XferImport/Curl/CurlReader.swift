import XferEvents

/// Reads curl's output line by line.
///
/// Without `--trace-ids`, nothing tells the transfers apart, so they are taken to run one after the other.
final class CurlReader: ForeignReader {
  let writers: [WriterContext]
  private let input: ImportedInput
  private let source: LineSource
  private var places: LinePlaces
  private var clock: AppleClock
  private var transfers: [Int64: CurlTransfer] = [:]
  private var count: UInt32 = 0
  private var block = Block()
  private var moment = Moment()
  /// Whether the text is the header of responses alone, as `-I` and `-i` print it; `nil` before the first line that tells.
  private var isPlain: Bool?

  /// The bytes of a header within a trace.
  private struct Block {
    var isOpen = false
    var isSent = false
    var transfer: Int64 = 0
    var bytes: [UInt8] = []
    var line: UInt64 = 0
    static let limit = 1 << 16
  }

  static let coverage = ImportCoverage(
    log: "the output of curl",
    kinds: ForeignExchange.kinds.union([.taskObserved, .attemptBytesReceived]).subtracting([.cacheAnswered]))

  init?(_ input: ImportedInput) {
    guard let source = LineSource(path: input.path) else { return nil }
    (self.input, self.source) = (input, source)
    places = LinePlaces(path: input.path)
    clock = AppleClock(input.options)
    writers = [
      .foreign(
        "curl", role: .tool, boot: BootID(high: 0x6375_726c, low: UInt64(input.place + 1)),
        installation: "curl \(input.name)", coverage: Self.coverage)
    ]
  }

  func original(_ position: UInt64) -> String? { places.text(ofLine: position) }

  func read(into output: ForeignOutput) -> Bool {
    guard let text = source.next() else {
      endBlock(output)
      for key in transfers.keys.sorted() { finish(key, output, isEnd: true) }
      output.noteEnd(of: source)
      return false
    }
    places.note(text)
    let line = CurlLine(text.bytes)
    if let prefix = line.prefix, let wall = TimeText.wall(prefix, input.options) {
      moment = Moment(wall: wall)
    } else if line.ofDay != nil {
      var time = AppleTime()
      time.ofDay = line.ofDay
      moment = clock.moment(time).0
    }
    take(line, text.bytes.withoutReturn, text.number, output)
    output.lines = source.lineCount
    return true
  }

  private func take(_ line: CurlLine, _ text: UnsafeRawBufferPointer, _ number: UInt64, _ output: ForeignOutput) {
    let key = line.transfer ?? 0
    if case .row(let row) = line.kind {
      if block.isOpen { add(row) }
      return
    }
    endBlock(output)
    if isPlain ?? false, takePlain(line, text, number, output) { return }
    if case .other = line.kind { return }
    if case .status = line.kind, isPlain == nil {
      isPlain = true
      _ = takePlain(line, text, number, output)
      return
    }
    isPlain = isPlain ?? false
    output.records += 1
    switch line.kind {
    case .info(let text):
      guard let message = CurlMessage(text.trimmed) else { return }
      output.recognised += 1
      take(message, text.trimmed, key, number, output)
    case .sent(let text):
      output.recognised += 1
      takeHeader(text.withoutReturn, isSent: true, key, number, output)
    case .received(let text):
      output.recognised += 1
      takeHeader(text.withoutReturn, isSent: false, key, number, output)
    case .trace(let isSent, true, _, _):
      output.recognised += 1
      (block.isOpen, block.isSent, block.transfer, block.line) = (true, isSent, key, number)
    case .trace(let isSent, false, false, let count):
      output.recognised += 1
      transfers[key]?.note(bytes: count, isSent: isSent, at: moment, number, output)
    case .data(let isSent):
      output.recognised += 1
      if !isSent { transfers[key]?.noteBody(output) }
    case .failure(let code, let text):
      output.recognised += 1
      fail(code, text.text, number, output)
    case .warning(let text):
      if let retry = text.first("Will retry in ") {
        output.recognised += 1
        var scanner = ByteScanner(text)
        scanner.move(to: retry + 14)
        let seconds = scanner.takeInteger() ?? 0
        let key = transfers.keys.sorted().last { transfers[$0]?.isOver ?? false } ?? key
        transfers[key]?.retry(after: .seconds(min(max(0, seconds), 86_400)), at: moment, number, output)
      }
    case .wholeMeter:
      output.recognised += 1
      transfers[key]?.noteWholeBody(at: moment, number)
    case .trace, .row, .status, .other: break
    }
  }

  // MARK: Transfers

  /// Returns whether a line of this kind begins another transfer, if the last one is over.
  private func begin(_ key: Int64, _ number: UInt64, _ output: ForeignOutput) {
    if transfers[key]?.isOver ?? false { finish(key, output) }
    if transfers[key] != nil { return }
    count += 1
    transfers[key] = CurlTransfer(
      task: TaskIdentity(uid: TaskUID(foreign: "curl", input.name, "\(count)"), session: "curl", number: count), start: moment,
      line: number)
  }

  private func finish(_ key: Int64, _ output: ForeignOutput, isEnd: Bool = false) {
    guard var transfer = transfers.removeValue(forKey: key) else { return }
    if isEnd, transfer.isDecided { transfer.endAtLastLine() }
    if transfer.isOver {
      transfer.complete(output)
    } else if isEnd {
      transfer.answer(output)
      transfer.create(output)
      output.because("\(output.name) ends within a transfer")
      output.gap(.truncated, positions: source.lineCount...source.lineCount)
    }
  }

  private func take(
    _ message: CurlMessage, _ text: UnsafeRawBufferPointer, _ key: Int64, _ number: UInt64, _ output: ForeignOutput
  ) {
    switch message {
    case .trying(let address):
      begin(key, number, output)
      transfers[key]?.beginConnecting()
      transfers[key]?.url.setAuthorityIfUnknown(address)
    case .resolved(let host):
      begin(key, number, output)
      if let host { transfers[key]?.url.host = host }
    case .connected(let host, let address, let port, let connection):
      begin(key, number, output)
      transfers[key]?.connect(host: host, address: address, port: port, connection: connection, at: moment)
    case .reused(let connection):
      begin(key, number, output)
      transfers[key]?.reuse(connection, at: moment)
    case .secured: transfers[key]?.isSecure = true
    case .protocol(let name): transfers[key]?.protocol = name
    case .intact: transfers[key]?.end(at: moment, number, isIntact: true)
    case .closed: transfers[key]?.end(at: moment, number)
    case .again(let url): transfers[key]?.again(url, at: moment, number, output)
    case .fresh: transfers[key]?.fresh(at: moment, number, output)
    case .failed(let code):
      // If standard output and standard error go to one file, `curl: (18) …` may precede the line `* …` about the same failure.
      if let failure = transfers[key]?.failure, failure.code == code, transfers[key]?.isToldOfFailure ?? false { return }
      begin(key, number, output)
      transfers[key]?.fail(ForeignFailure(curl: code, message: text.text), at: moment, number)
    }
  }

  /// Takes an error message, which ends the transfer that failed last.
  private func fail(_ code: Int, _ text: String, _ number: UInt64, _ output: ForeignOutput) {
    let keys = transfers.keys.sorted()
    let key = keys.last { transfers[$0]?.failure != nil } ?? keys.last ?? 0
    // An error that is told twice, or first of all, belongs to a transfer that left no other line.
    if transfers[key] == nil || transfers[key]?.isToldOfFailure ?? false { begin(key, number, output) }
    transfers[key]?.fail(ForeignFailure(curl: code, message: text), at: moment, number, isTold: true)
  }

  // MARK: Headers

  private func takeHeader(
    _ text: UnsafeRawBufferPointer, isSent: Bool, _ key: Int64, _ number: UInt64, _ output: ForeignOutput
  ) {
    if isSent {
      if text.isRequestLine {
        begin(key, number, output)
        if transfers[key]?.isWaiting ?? false {
          // Two requests at once: transfers run in parallel, and their lines cannot be told apart.
          output.because("transfers in \(output.name) run in parallel and cannot be told apart; record it with --trace-ids")
          if var transfer = transfers.removeValue(forKey: key) { transfer.create(output) }
          begin(key, number, output)
        }
      }
      transfers[key]?.note(requestHeader: text, at: moment, number, output)
    } else {
      // An excerpt may begin with the response.
      if transfers[key] == nil, text.hasPrefix("HTTP/") { begin(key, number, output) }
      transfers[key]?.note(responseHeader: text, at: moment, number, output)
    }
  }

  private func add(_ row: UnsafeRawBufferPointer) {
    guard block.bytes.count < Block.limit else { return }
    if let bytes = Self.hexadecimal(row) { return block.bytes += bytes }
    block.bytes += row
    // A row is as long as the line, or 64 bytes of it.
    if row.count < 64 { block.bytes += [0x0D, 0x0A] }
  }

  /// Returns the bytes of a row of `--trace`; `nil` for a row of `--trace-ascii`.
  private static func hexadecimal(_ row: UnsafeRawBufferPointer) -> [UInt8]? {
    guard row.count > 48 else { return nil }
    var bytes: [UInt8] = []
    for place in 0..<16 {
      let start = place * 3
      if row[start] == 0x20, row[start + 1] == 0x20 { break }
      guard let high = row[start].hexadecimalValue, let low = row[start + 1].hexadecimalValue, row[start + 2] == 0x20 else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes.isEmpty ? nil : bytes
  }

  private func endBlock(_ output: ForeignOutput) {
    guard block.isOpen else { return }
    let (bytes, isSent, key, line) = (block.bytes, block.isSent, block.transfer, block.line)
    block = Block()
    bytes.withUnsafeBytes { bytes in
      for part in bytes.split(separator: 0x0A, omittingEmptySubsequences: true) {
        let text = UnsafeRawBufferPointer(rebasing: part).withoutReturn
        if text.isEmpty, isSent { continue }
        takeHeader(text, isSent: isSent, key, line, output)
      }
    }
  }
}

extension CurlReader {
  // MARK: Headers without marks

  /// Takes a line of a response that `-I` or `-i` prints.
  ///
  /// - Returns: whether the line belongs to the response's header or body.
  private func takePlain(_ line: CurlLine, _ text: UnsafeRawBufferPointer, _ number: UInt64, _ output: ForeignOutput) -> Bool {
    switch line.kind {
    case .status:
      output.records += 1
      output.recognised += 1
      if !(transfers[0]?.followsRedirect(at: moment, number, output) ?? false) { begin(0, number, output) }
      takeHeader(text, isSent: false, 0, number, output)
    case .other, .row, .wholeMeter:
      guard let transfer = transfers[0], !transfer.isOver else { return true }
      takeHeader(text, isSent: false, 0, number, output)
      // `-I` prints only headers. A body that `-i` prints after them is not distinguished from a complete one.
      if text.isBlank { transfers[0]?.end(at: moment, number) }
    case .info, .sent, .received, .data, .trace, .failure, .warning: return false
    }
    return true
  }
}

extension UnsafeRawBufferPointer {
  var withoutReturn: UnsafeRawBufferPointer { last == 0x0D ? slice(0, count - 1) : self }

  /// Whether the text is the first line of a request.
  fileprivate var isRequestLine: Bool {
    guard first(" HTTP/") != nil, let space = first(0x20, from: 0), space > 0 else { return false }
    return self[..<space].allSatisfy { $0 >= 0x41 && $0 <= 0x5A }
  }
}

extension URLParts {
  fileprivate mutating func setAuthorityIfUnknown(_ text: String) {
    if host == nil { return setAuthority(text) }
    var address = URLParts()
    address.setAuthority(text)
    port = port ?? address.port
  }
}
