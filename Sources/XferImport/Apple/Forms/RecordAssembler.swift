/// Joins the lines of a log of Apple's to records.
///
/// The form is detected for each line, because a paste may contain several. A record's lines are joined: continuation lines without a
/// header, errors whose braces are not balanced, and blocks of CFNetwork's diagnostics. Banners, column names and trailers are not
/// records.
package struct RecordAssembler {
  /// A part of the result.
  package enum Part {
    case record(AppleRecord)
    /// A record that `recognise` rejected. Only what is counted is known about it.
    case plain(PlainRecord)
    /// All records without a header so far are text around the log, because the log follows in a block of code.
    case proseBefore
    /// Lines that were part of a record and that cannot be read.
    case damaged(ClosedRange<UInt64>, problem: String)
    /// The log says that records were lost.
    case loss(AppleRecord)
  }

  package private(set) var hasTrailer = false
  /// Whether a banner or a trailer of `log` was read, which shows that the text is a capture even if it has no records.
  package private(set) var isCapture = false
  /// The number of records that the last trailer states; `nil` if it states none.
  package private(set) var declaredCount: Int?
  /// The number of records since the last banner, for comparison with a trailer.
  package private(set) var countSinceBanner = 0

  /// Returns what a message of a process means; `nil` if nothing is known about it. Records without a meaning become plain ones, which
  /// saves the copy of their texts.
  package var recognise: Recognise?
  package typealias Recognise = (_ message: UnsafeRawBufferPointer, _ process: ProcessText?) -> RecognisedMessage?

  /// Takes a record in JSON that `recognise` accepted. The texts of its members are those of its line, which the next line may replace.
  /// Set together with `recognise`.
  var takeKnown: ((AppleJSON.Members, AppleTime, RecognisedMessage, _ line: UInt64) -> Void)?
  /// The number of rejected records, since it was last set to 0, whose form shows that the log is Apple's and that have a full date. Such
  /// records are only counted.
  package var usualCount = 0

  private let emit: (Part) -> Void
  /// Whether the bytes of a line stay in place until `keepText` is called. If false, they do so until the next line.
  package var linesStay = false
  /// Whether usual lines are read in the quick way.
  package var isQuick = true
  private let names = NameCache()
  private let layouts = LineLayouts()
  /// The last record if it is a plain one so far. Its text is kept, because lines that continue it may follow.
  private var plain: PlainRecord?
  /// The last record if it is a usual one so far: its line and the offset of the line.
  private var usual: (line: UInt64, offset: UInt64)?
  /// The text of `plain` or `usual` while the bytes of its line are in place, and a copy of it otherwise.
  private var plainLine: UnsafeRawBufferPointer?
  private var plainText: [UInt8] = []
  private var json = JSONObjects()
  private var pending: AppleRecord?
  private var balance = Balance()
  /// Records without a header whose line of metadata may follow.
  private var queue: [AppleRecord] = []
  /// The number of bytes of the messages in the queue.
  private var queueSize = 0
  private var hasMetadata = false
  /// Whether an earlier line has escapes of HTML.
  private var isEscaped = false
  private var hasFences = false
  private var isInFence = false

  /// The maximum number of records without a header that wait for a line of metadata, and of lines that are joined.
  private static let queueLimit = 64
  private static let lineLimit: UInt64 = 2000
  private static let sizeLimit = 1 << 20

  package init(_ emit: @escaping (Part) -> Void) { self.emit = emit }

  package mutating func take(_ line: TextLine) {
    var line = line
    if let text = PastePrefix.withoutRunnerTime(line.bytes) {
      line = TextLine(number: line.number, offset: line.offset &+ UInt64(clamping: line.bytes.count - text.count), bytes: text)
    }
    if line.bytes.first(0x26, from: 0) != nil, hasEscapes(line.bytes) { takeEscaped(line) } else { takeLine(line) }
  }

  /// Whether a line has escapes of HTML. In JSON with quotation marks of its own, they belong to the texts.
  private func hasEscapes(_ line: UnsafeRawBufferPointer) -> Bool {
    guard isEscaped || HTMLEscape.isUsed(in: line) else { return false }
    return line.first(0x22, from: 0) == nil || !json.isOpen && line.trimmed.first != 0x7B
  }

  /// Takes a line with escapes of HTML.
  private mutating func takeEscaped(_ line: TextLine) {
    isEscaped = true
    HTMLEscape.decode(line.bytes).withUnsafeBytes { bytes in
      takeLine(TextLine(number: line.number, offset: line.offset, bytes: bytes))
      keepText()
    }
  }

  /// Returns the number of bytes of the line with which a text begins, if it is a usual record in JSON; else 0. Such a line is taken by
  /// `takeMatch`.
  ///
  /// - Parameter text: a text behind which `LineLayout.padding` bytes can be read.
  @inline(__always)
  func match(_ text: UnsafeRawBufferPointer) -> Int {
    isQuick && !json.isOpen && text.first == 0x7B ? layouts.match(text) : 0
  }

  /// Takes the line that `match` found.
  @inline(__always)
  mutating func takeMatch(_ line: TextLine) {
    if !take(line, layouts.lastMatch) { take(line) }
  }

  private mutating func takeLine(_ line: TextLine) {
    if isQuick, !json.isOpen, takeUsual(line) { return }
    if PastePrefix.isFence(line.bytes) { return takeFence() }
    if takeJSON(line) { return }
    if line.bytes.isBlank { return takeBlank(line) }
    if takeTool(line.bytes) { return }
    if let header = RecordHeader.metadata(line.bytes.trimmed) { return close(with: header, line) }
    if let header = RecordHeader.of(line.bytes) { return begin(header, line, line.bytes) }
    resume()
    if isInDiagnostics { return extend(line, line.bytes) }
    let text = PastePrefix.stripped(line.bytes)
    if text.count < line.bytes.count {
      if let header = RecordHeader.of(text) { return begin(header, line, text) }
      if takeTool(text) { return }
      if let header = RecordHeader.metadata(text) { return close(with: header, line) }
    }
    takeBare(line, text)
  }

  /// Hands out the last records. Call this once, at the end of the text.
  package mutating func finish() {
    json.drop()
    noteBroken()
    flush()
  }

  /// Keeps the text that may be needed of earlier lines, because their bytes are about to be moved.
  package mutating func keepText() {
    guard plain != nil || usual != nil, let line = plainLine else { return }
    plainText.removeAll(keepingCapacity: true)
    plainText.append(contentsOf: line)
    plainLine = nil
  }

  private mutating func keep(_ text: UnsafeRawBufferPointer) {
    plainLine = text
    if !linesStay { keepText() }
  }

  // MARK: Kinds of lines

  /// Takes a line of one of the forms that long logs have: a JSON object, or a line that begins with a date. No other kind of line begins
  /// so.
  @inline(__always)
  private mutating func takeUsual(_ line: TextLine) -> Bool {
    guard let first = line.bytes.first else { return false }
    if first == 0x7B { return takeWhole(line) }
    guard first.isDigit else { return false }
    var recognised: RecognisedMessage?
    if let recognise, let usual = UsualLine(line.bytes) {
      recognised = recognise(usual.message, .name(usual.process))
      if recognised == nil {
        flush()
        self.usual = (line.number, line.offset)
        keep(line.bytes)
        return true
      }
    }
    guard let header = RecordHeader.of(line.bytes) else { return false }
    begin(header, line, line.bytes, recognised)
    return true
  }

  private mutating func takeFence() {
    flush()
    if !hasFences { emit(.proseBefore) }
    hasFences = true
    isInFence.toggle()
  }

  /// Takes a line that is one record in JSON, as nearly all lines of such a log are.
  private mutating func takeWhole(_ line: TextLine) -> Bool {
    guard !json.isOpen else { return false }
    guard isQuick, line.isPadded else { return take(AppleJSON.Members(line: line.bytes, isQuick: isQuick), line) }
    if let layout = layouts.layout(of: line.bytes) { return take(line, layout) }
    let members = AppleJSON.Members(line: line.bytes)
    if members?.isRecord ?? false { layouts.learn(line.bytes) }
    return take(members, line)
  }

  /// Takes a line with a known layout.
  @inline(__always)
  private mutating func take(_ line: TextLine, _ layout: LineLayout) -> Bool {
    guard let recognise, layout.isOfRecords, let record = AppleJSON.Head(line.bytes, layout) else {
      return take(AppleJSON.Members(line.bytes, layout), line)
    }
    // Most records are about something else, so their other members are not needed.
    guard let found = AppleJSON.recognised(record.message, record.process, recognise) else {
      passUsual()
      return true
    }
    return take(AppleJSON.Members(line.bytes, layout), found, line)
  }

  /// Counts a record in JSON about something else.
  private mutating func passUsual() {
    flush()
    json.noteObject()
    countSinceBanner += 1
    usualCount += 1
  }

  /// - Parameter object: the members of the line; `nil` if it is not one JSON object.
  private mutating func take(_ object: AppleJSON.Members?, _ line: TextLine) -> Bool {
    guard let object, object.isRecord else { return false }
    let found = recognise.flatMap { object.recognised($0) }
    if let found, !object.isLoss { return take(object, found, line) }
    if recognise != nil, !object.isLoss {
      passUsual()
      return true
    }
    flush()
    json.noteObject()
    guard let record = object.record(names) else { return false }
    record.lines = line.number...line.number
    record.place = .init(offset: line.offset, count: line.bytes.count)
    hand(record)
    return true
  }

  private mutating func take(_ object: AppleJSON.Members, _ found: RecognisedMessage, _ line: TextLine) -> Bool {
    guard let time = object.time else { return false }
    flush()
    json.noteObject()
    countSinceBanner += 1
    takeKnown?(object, time, found, line.number)
    return true
  }

  private mutating func takeJSON(_ line: TextLine) -> Bool {
    if !isQuick, line.bytes.first == 0x7B, takeWhole(line) { return true }
    var text = line.bytes
    var isJSON = json.take(line, text)
    if !isJSON, !json.isOpen {
      text = PastePrefix.stripped(line.bytes)
      isJSON = text.count < line.bytes.count && json.take(line, text)
    }
    noteBroken()
    guard isJSON else { return false }
    if !json.found.isEmpty || json.isOpen { flush() }
    for object in json.found {
      switch AppleJSON.meaning(object, names) {
      case .record(let record): hand(record)
      case .trailer(let count):
        (hasTrailer, isCapture) = (true, true)
        declaredCount = count
      case .other:
        let record = AppleRecord(form: .bare)
        (record.message, record.lines) = (object.bytes, object.lines)
        record.place = .init(offset: object.offset, count: object.count)
        hand(record)
      }
    }
    return true
  }

  private mutating func noteBroken() {
    guard let broken = json.takeBroken() else { return }
    emit(.damaged(broken...broken, problem: "a JSON object has no end"))
  }

  /// Takes a line that the tool wrote around the records.
  private mutating func takeTool(_ text: UnsafeRawBufferPointer) -> Bool {
    switch LogBanner.line(text) {
    case nil: return false
    case .remark: flush()
    case .banner:
      flush()
      isCapture = true
      // Another capture begins, which has a trailer of its own.
      if text.hasPrefix("Filtering") { (hasTrailer, countSinceBanner, declaredCount) = (false, 0, nil) }
    case .trailer:
      flush()
      (hasTrailer, isCapture) = (true, true)
    }
    return true
  }

  private mutating func takeBlank(_ line: TextLine) {
    guard let pending else { return }
    if balance.isOpen, pending.form == .bare || pending.form == .xcode { return }
    if pending.form == .bare { flush() }
  }

  /// Ends the records above with a line of metadata, and joins them to one.
  private mutating func close(with header: RecordHeader, _ line: TextLine) {
    end()
    hasMetadata = true
    let parts = queue
    queue.removeAll()
    queueSize = 0
    // The app's own prints may precede a message whose beginning is known.
    let start = parts.lastIndex { $0.message.withUnsafeBytes(MessageStart.isKnown) } ?? 0
    for record in parts[..<start] { hand(record) }
    guard let last = parts.last else { return }
    let first = parts[start]
    let record = AppleRecord(header, names)
    record.message = Array(parts[start...].map(\.message).joined(separator: [0x0A]))
    record.lines = first.lines.lowerBound...last.lines.upperBound
    record.place = first.place
    hand(record)
  }

  /// - Parameters:
  ///   - text: the text that begins with the header.
  ///   - known: what the message means, if that was found before.
  private mutating func begin(
    _ header: RecordHeader, _ line: TextLine, _ text: UnsafeRawBufferPointer, _ known: RecognisedMessage? = nil
  ) {
    flush()
    var recognised = known
    // A message with escapes is another one when they are decoded.
    if known == nil, let recognise, header.kind != .loss, !header.message.isBlank,
      header.form != .device || header.message.first(0x5C, from: 0) == nil
    {
      recognised = recognise(header.message, header.process.map { .name($0) })
      if recognised == nil {
        plain = PlainRecord(
          form: header.form, time: header.time, hasLevel: header.level != nil, line: line.number, offset: line.offset)
        keep(text)
        return
      }
    }
    pend(header, line)
    pending?.recognised = recognised
  }

  /// Makes the last record one that can be continued.
  private mutating func resume() {
    guard let (number, offset) = plain.map({ ($0.line, $0.offset) }) ?? usual else { return }
    (plain, usual) = (nil, nil)
    func pend(_ text: UnsafeRawBufferPointer) {
      guard let header = RecordHeader.of(text) else { return }
      self.pend(header, TextLine(number: number, offset: offset, bytes: text))
    }
    if let plainLine { pend(plainLine) } else { plainText.withUnsafeBytes(pend) }
  }

  private mutating func pend(_ header: RecordHeader, _ line: TextLine) {
    let record = AppleRecord(header, names)
    let bytes = line.bytes
    record.place = .init(offset: line.offset, count: bytes.count)
    record.lines = line.number...line.number
    record.message = Array(header.message)
    if header.form == .device { record.message = VisualEscape.decode(record.message) }
    pending = record
    balance = Balance()
    if header.form == .xcode { balance.note(header.message) }
  }

  private mutating func takeBare(_ line: TextLine, _ text: UnsafeRawBufferPointer) {
    if lacksMessage(line) { return takeMessage(line, text) }
    let isStart = MessageStart.isKnown(text)
    if !isStart, isContinuation(text, line.bytes) { return extend(line, PastePrefix.unquoted(line.bytes)) }
    // A line behind `//` or outside of a block of code is the remark of a person.
    if !isStart, line.bytes.trimmed.hasPrefix("//") || hasFences && !isInFence { return flush() }
    end()
    let record = AppleRecord(form: .bare)
    record.place = .init(offset: line.offset, count: line.bytes.count)
    record.lines = line.number...line.number
    let message = isStart ? text : PastePrefix.unquoted(line.bytes).trimmed
    record.message = Array(message)
    pending = record
    balance = Balance()
    balance.note(message)
  }

  /// Whether the line before is a header without a message. Some tools and people break the line there.
  private func lacksMessage(_ line: TextLine) -> Bool {
    guard let pending, pending.form != .bare, line.number == pending.lines.upperBound + 1 else { return false }
    return pending.message.allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }

  /// Takes the message of a header in the line before.
  private mutating func takeMessage(_ line: TextLine, _ text: UnsafeRawBufferPointer) {
    guard let pending else { return }
    var header = RecordHeader(pending.form)
    var scanner = ByteScanner(text)
    header.takeCategory(&scanner)
    pending.subsystem = header.subsystem.flatMap { names.name($0) } ?? pending.subsystem
    pending.category = header.category.flatMap { names.name($0) } ?? pending.category
    pending.message = Array(scanner.rest)
    pending.recognised = nil
    pending.lines = pending.lines.lowerBound...line.number
    if pending.form == .xcode { balance.note(text) }
  }

  // MARK: Continuation

  private var isInDiagnostics: Bool {
    guard let pending, pending.message.count < Self.sizeLimit else { return false }
    return pending.message.withUnsafeBytes { message in
      message.hasPrefix("CFNetwork Diagnostics [") && message.first("\n\t} [") == nil && message.first("\n} [") == nil
        && message.first("\n    } [") == nil
    }
  }

  private func isContinuation(_ text: UnsafeRawBufferPointer, _ raw: UnsafeRawBufferPointer) -> Bool {
    guard let pending, pending.lines.count < Self.lineLimit, pending.message.count < Self.sizeLimit else { return false }
    switch pending.form {
    case .standard, .compact, .syslog, .console, .device: return true
    case .json: return false
    case .xcode, .bare, .xcodeMetadata:
      if balance.isOpen { return true }
      if raw.first == 0x20 || raw.first == 0x09 { return true }
      if pending.message.withUnsafeBytes({ MessageStart.isNameAlone($0) || MessageStart.isOpenError($0, before: text) }) {
        return true
      }
      return text.hasPrefix("UserInfo=") || [0x7D, 0x29, 0x5D].contains(text.first ?? 0)
    }
  }

  private mutating func extend(_ line: TextLine, _ text: UnsafeRawBufferPointer) {
    guard pending != nil else { return }
    pending?.recognised = nil
    pending?.message.append(0x0A)
    pending?.message.append(contentsOf: text)
    pending.map { $0.lines = $0.lines.lowerBound...line.number }
    if pending?.form == .xcode || pending?.form == .bare { balance.note(text) }
  }

  // MARK: Results

  /// Ends the last record. A record without a header waits for a line of metadata.
  private mutating func end() {
    if usual != nil {
      usual = nil
      countSinceBanner += 1
      usualCount += 1
      return
    }
    if let plain {
      self.plain = nil
      countSinceBanner += 1
      emit(.plain(plain))
      return
    }
    guard let record = pending else { return }
    pending = nil
    guard record.form == .bare else { return hand(record) }
    queue.append(record)
    queueSize += record.message.count
    while queue.count > (hasMetadata ? Int(Self.lineLimit) : Self.queueLimit) || queueSize > Self.sizeLimit, !queue.isEmpty {
      queueSize -= queue[0].message.count
      hand(queue.removeFirst())
    }
  }

  @inline(__always)
  private mutating func flush() {
    if usual != nil || plain != nil || pending != nil || !queue.isEmpty { flushRecords() }
  }

  @inline(never)
  private mutating func flushRecords() {
    end()
    if queue.isEmpty { return }
    for record in queue { hand(record) }
    queue.removeAll()
    queueSize = 0
  }

  private mutating func hand(_ record: AppleRecord) {
    if record.form != .bare { countSinceBanner += 1 }
    if record.kind == .loss { emit(.loss(record)) } else { emit(.record(record)) }
  }
}

/// The text with which a record names its process.
package enum ProcessText {
  case name(UnsafeRawBufferPointer)
  /// The raw text of a path in JSON, which ends with the name.
  case path(UnsafeRawBufferPointer)
}

/// A record about which nothing is known but its form and its time.
package struct PlainRecord {
  package let form: AppleForm
  package let time: AppleTime
  package let hasLevel: Bool
  package let line: UInt64
  package let offset: UInt64
}

/// The braces and parentheses of a record that were opened and not closed.
private struct Balance {
  private var braces = 0
  private var parentheses = 0
  private var endsOpen = false

  /// Whether the record continues. A parenthesis counts only if the line ends as a list does, because people write single ones.
  var isOpen: Bool { braces > 0 || parentheses > 0 && endsOpen }

  mutating func note(_ text: UnsafeRawBufferPointer) {
    for byte in text {
      switch byte {
      case 0x7B: braces += 1
      case 0x7D: braces = max(0, braces - 1)
      case 0x28: parentheses += 1
      case 0x29: parentheses = max(0, parentheses - 1)
      default: break
      }
    }
    let last = text.trimmed.last
    endsOpen = last == 0x28 || last == 0x2C || last == 0x7B || last == 0x22
  }
}

extension AppleRecord {
  convenience init(_ header: RecordHeader, _ names: NameCache) {
    self.init(form: header.form)
    (kind, time, pid, thread, level, activity) = (
      header.kind, header.time, header.pid, header.thread, header.level, header.activity
    )
    process = header.process.flatMap { names.name($0) }
    library = header.library.flatMap { names.name($0) }
    subsystem = header.subsystem.flatMap { names.name($0) }
    category = header.category.flatMap { names.name($0) }
  }
}
