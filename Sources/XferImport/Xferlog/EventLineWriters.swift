import XferEvents

/// The process lives that wrote the events of an export, found before the first event is read.
struct EventLineWriters {
  private(set) var contexts: [WriterContext] = []
  private var places: [String: Int] = [:]
  /// The last writer that was looked for. Most lines have the same writer as the line before them.
  private var last: (launch: [UInt8], file: Int64?, place: Int)?
  /// The number of events whose process life is unknown, because its identifier could not be read.
  private(set) var unplaced = 0

  /// The maximum number of writers that are told apart.
  private static let limit = 4096

  init(_ source: LineSource, name: String) {
    let tree = JSONTree()
    while let line = source.next() { note(line.bytes, tree, name) }
    last = nil
    if contexts.isEmpty { contexts = [WriterContext(installation: Self.installation)] }
  }

  /// Returns the index of the writer of an event.
  ///
  /// - Parameters:
  ///   - launch: the process life as the export names it; `nil` for a log that does not tell process lives apart.
  ///   - file: the number of the foreign file that the event came from; `nil` for a record of a log of this package.
  mutating func place(launch: JSONNode?, file: Int64?) -> Int {
    let raw = launch?.plainString
    if let last, let raw, isLast(raw, file) { return last.place }
    let name = launch?.text
    // A report of exported events names the file of each event, but its writers have no file of their own.
    guard let place = places[Self.key(name, file)] ?? name.flatMap({ places[Self.key($0, nil)] }) else {
      if name != nil { unplaced += 1 }
      return 0
    }
    if let raw { last = (Array(raw), file, place) }
    return place
  }

  private func isLast(_ launch: UnsafeRawBufferPointer, _ file: Int64?) -> Bool {
    guard let last else { return false }
    return last.file == file && last.launch.count == launch.count && launch.has(last.launch, at: 0)
  }

  /// All exports that are read together count as those of one installation, so that an app and its daemon meet.
  static let installation = InstallationID.foreign("xferlog-ndjson")

  private static func key(_ launch: String?, _ file: Int64?) -> String { "\(launch ?? "")\u{0}\(file ?? -1)" }

  private mutating func note(_ bytes: UnsafeRawBufferPointer, _ tree: JSONTree, _ name: String) {
    guard let row = tree.read(bytes) else {
      // A damaged line is reported when it is read. Its writer may have no other line.
      if let launch = Self.launch(in: bytes) { addRecorded(launch.text, name) }
      return
    }
    if let writer = row["writer"] { return writer["file"] == nil ? addHeader(writer.value, name) : add(writer.value, name) }
    if let event = row["event"], event.equals("process.started") || event.equals("log.opened") {
      return noteEvent(row.value, name)
    }
    guard let launch = row["launch"]?.plainString, !isLast(launch, nil) else { return }
    addRecorded(launch.text, name)
    last = (Array(launch), nil, places[Self.key(launch.text, nil)] ?? 0)
  }

  /// Returns the first launch in a line, which is the writer's if the line names its writer.
  private static func launch(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let key = "\"launch\":\"" as StaticString
    guard let start = bytes.first(key) else { return nil }
    let text = bytes.slice(start + key.utf8CodeUnitCount, start + key.utf8CodeUnitCount + 36)
    return text.count == 36 ? text : nil
  }

  private mutating func addRecorded(_ launch: String, _ name: String) {
    guard places[Self.key(launch, nil)] == nil, contexts.count < Self.limit, let id = LaunchID(launch) else { return }
    places[Self.key(launch, nil)] = contexts.count
    // The exported writers recorded each other's ends, as the writers of one log do.
    contexts.append(
      WriterContext(launch: id, installation: Self.installation, place: .init(directory: name, namespace: 0)))
  }

  /// Notes what the first events of a process life tell about it.
  private mutating func noteEvent(_ row: JSONValue, _ name: String) {
    guard let launch = row["launch"]?.text, row["source"]?["segment"] != nil else { return }
    addRecorded(launch, name)
    guard let place = places[Self.key(launch, nil)], let fields = row["fields"] else { return }
    contexts[place].pid = row["pid"]?.int
    contexts[place].role = row["role"]?.text.flatMap(Self.role)
    if row["event"]?.text == "process.started", fields["launch"]?.text == launch {
      contexts[place].boot = fields["boot"]?.text.flatMap { BootID($0) }
      contexts[place].executable = fields["executable"]?.text
    } else if let mode = fields["captureMode"]?.text {
      contexts[place].captureMode = Self.captureMode(mode)
      // The level that applies where no exception does comes first.
      contexts[place].lowestLevel = fields["levels"]?.text?.split(separator: ",").first.flatMap { Level(name: String($0)) }
    }
  }

  private static func role(_ name: String) -> WriterRole? { WriterRole.allCases.first { $0.name == name } }
  private static func captureMode(_ name: String) -> CaptureMode? { CaptureMode.allCases.first { $0.name == name } }

  /// Adds the writer of a log of this package as the header of its segment describes it. Its first events, which tell the same, may be
  /// missing.
  private mutating func addHeader(_ writer: JSONValue, _ name: String) {
    guard let launch = writer["launch"]?.text else { return }
    addRecorded(launch, name)
    guard let place = places[Self.key(launch, nil)] else { return }
    contexts[place].pid = writer["pid"]?.int
    contexts[place].role = writer["role"]?.text.flatMap(Self.role)
    contexts[place].boot = writer["boot"]?.text.flatMap { BootID($0) }
    contexts[place].executable = writer["executable"]?.text
    contexts[place].captureMode = writer["captureMode"]?.text.flatMap(Self.captureMode)
    contexts[place].lowestLevel = writer["lowestLevel"]?.text.flatMap { Level(name: $0) }
  }

  /// Adds the writer of a foreign log, for which the export has a line.
  private mutating func add(_ writer: JSONValue, _ name: String) {
    guard contexts.count < Self.limit else { return }
    var context = WriterContext(
      launch: writer["launch"]?.text.flatMap { LaunchID($0) }, boot: writer["boot"]?.text.flatMap { BootID($0) },
      pid: writer["pid"]?.int, role: writer["role"]?.text.flatMap(Self.role), executable: writer["executable"]?.text,
      captureMode: writer["captureMode"]?.text.flatMap(Self.captureMode),
      lowestLevel: writer["lowestLevel"]?.text.flatMap { Level(name: $0) },
      installation: writer["installation"]?.text.flatMap { InstallationID(text: $0) })
    (context.version, context.osVersion) = (writer["version"]?.text, writer["osVersion"]?.text)
    if let coverage = writer["coverage"], let log = coverage["log"]?.text {
      context.coverage = ImportCoverage(log: log, words: coverage["events"]?.text ?? "")
    } else {
      // The writer's events were exported before from a log of this package.
      context.place = .init(directory: name, namespace: 0)
    }
    places[Self.key(writer["launch"]?.text, writer["file"]?.integer)] = contexts.count
    contexts.append(context)
  }
}
