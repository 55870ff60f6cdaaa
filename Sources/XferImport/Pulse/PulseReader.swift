import XferEvents
import XferSQLite

/// Reads the requests of a Pulse store, row by row.
final class PulseReader: ForeignReader {
  let writers: [WriterContext]
  let terms = SourceTerms(file: .init("store", "stores"), stream: .init("store", "stores"), record: .init("request", "requests"))

  private let input: ImportedInput
  private let store: PulseStore
  private let tasks: SQLiteStatement
  private let connections: SQLiteStatement?
  private var isDone = false

  static let coverage = ImportCoverage(log: "a Pulse store", kinds: ForeignExchange.kinds, mayLeaveOutEnds: true)

  private static let columns = [
    "ZCREATEDAT", "ZTASKID", "ZTASKTYPE", "ZURL", "ZHTTPMETHOD", "ZRAWERRORDOMAIN", "ZERRORCODE", "ZSTATUSCODE", "ZDURATION",
    "ZREQUESTSTATE", "ZREQUESTBODYSIZE", "ZRESPONSEBODYSIZE", "ZISFROMCACHE", "ZRESPONSECONTENTTYPE",
  ]

  init?(_ input: ImportedInput, _ store: PulseStore) {
    let known = store.columns(of: "ZNETWORKTASKENTITY")
    // Versions of Pulse differ in their columns.
    let selected = Self.columns.map { known.contains($0) ? "t.\($0)" : "NULL" }.joined(separator: ", ")
    let hasErrors = known.contains("ZERROR") && !store.columns(of: "ZNETWORKERRORENTITY").isEmpty
    let hasMetrics = known.contains("ZMETRICS") && store.columns(of: "ZNETWORKMETRICSENTITY").contains("ZSTARTDATE")
    let query = """
      SELECT t.Z_PK, \(selected), \(hasErrors ? "e.ZDOMAIN, e.ZCODE" : "NULL, NULL"), \(hasMetrics ? "m.ZSTARTDATE, m.Z_PK" : "NULL, NULL")
      FROM ZNETWORKTASKENTITY t
      \(hasErrors ? "LEFT JOIN ZNETWORKERRORENTITY e ON e.Z_PK = t.ZERROR" : "")
      \(hasMetrics ? "LEFT JOIN ZNETWORKMETRICSENTITY m ON m.Z_PK = t.ZMETRICS" : "")
      ORDER BY \(known.contains("ZCREATEDAT") ? "t.ZCREATEDAT, " : "")t.Z_PK
      """
    guard let tasks = try? store.database.statement(query) else { return nil }
    (self.input, self.store, self.tasks) = (input, store, tasks)
    connections = Self.connections(store)
    let info = PulseInfo(of: input.path)
    var writer = WriterContext.foreign(info.app ?? "the app", installation: "pulse \(input.name)", coverage: Self.coverage)
    (writer.version, writer.osVersion) = (info.version, info.system)
    writers = [writer]
  }

  private static func connections(_ store: PulseStore) -> SQLiteStatement? {
    let known = store.columns(of: "ZNETWORKTRANSACTIONMETRICSENTITY")
    // Core Data names the column of a relationship after the number of the other entity.
    guard let owner = known.first(where: { $0.hasPrefix("Z") && $0.hasSuffix("TRANSACTIONS") }),
      known.isSuperset(of: ["ZNETWORKPROTOCOL", "ZISREUSEDCONNECTION", "ZREMOTEADDRESS", "ZREMOTEPORT", "ZINDEX"])
    else { return nil }
    return try? store.database.statement(
      """
      SELECT ZNETWORKPROTOCOL, ZISREUSEDCONNECTION, ZREMOTEADDRESS, ZREMOTEPORT FROM ZNETWORKTRANSACTIONMETRICSENTITY
      WHERE \(owner) = ?1 ORDER BY ZINDEX DESC LIMIT 1
      """)
  }

  func read(into output: ForeignOutput) -> Bool {
    if isDone { return false }
    do {
      guard try tasks.step() else {
        isDone = true
        return false
      }
    } catch {
      isDone = true
      output.gap(
        .damaged(problem: "SQLite cannot read it: \(error)"), positions: UInt64(output.records + 1)...UInt64(output.records + 1))
      return false
    }
    output.records += 1
    output.lines += 1
    guard let exchange = exchange() else { return true }
    output.recognised += 1
    exchange.emit(into: output, position: UInt64(clamping: tasks.value(0).integer ?? 0))
    return true
  }

  private func exchange() -> ForeignExchange? {
    let number = tasks.value(0).integer ?? 0
    let url = text("ZURL").flatMap { URLParts($0) }
    let uid: TaskUID =
      value("ZTASKID").blob.flatMap(Self.uid) ?? TaskUID(foreign: "pulse", input.name, "\(number)")
    var exchange = ForeignExchange(
      task: TaskIdentity(uid: uid, session: "Pulse", number: UInt32(truncatingIfNeeded: number)))
    // Data, download, upload, stream and WebSocket tasks, in this order.
    switch integer("ZTASKTYPE") {
    case 1: exchange.type = .download
    case 2: exchange.type = .upload
    case 3, 4: return nil
    default: exchange.type = .data
    }
    exchange.method = text("ZHTTPMETHOD")
    exchange.url = url
    exchange.start = Moment(wallNanoseconds: date(Int32(Self.columns.count + 3)) ?? date(1))
    exchange.duration = real(value("ZDURATION")).flatMap { $0 > 0 ? TimeText.nanoseconds($0, unit: 1_000_000_000) : nil }
    exchange.status = integer("ZSTATUSCODE").flatMap { $0 > 0 ? Int(clamping: $0) : nil }
    exchange.received = integer("ZRESPONSEBODYSIZE").flatMap { $0 >= 0 ? $0 : nil }
    exchange.sent = integer("ZREQUESTBODYSIZE").flatMap { $0 >= 0 ? $0 : nil }
    exchange.contentType = text("ZRESPONSECONTENTTYPE").flatMap(LoggedText.mediaType)
    // Pulse: 1 is pending, 2 success, 3 failure.
    switch integer("ZREQUESTSTATE") {
    case 3: exchange.failure = failure(status: exchange.status)
    case 2: if integer("ZISFROMCACHE") == 1 { exchange.cacheAnswer = .fresh }
    default: exchange.isPending = true
    }
    note(connectionOf: &exchange)
    return exchange
  }

  private func failure(status: Int?) -> ForeignFailure? {
    let base = Int32(Self.columns.count + 1)
    let code = tasks.value(base + 1).integer ?? integer("ZERRORCODE") ?? 0
    let name = tasks.value(base).text
    if name == "NSURLErrorDomain" || name == nil && integer("ZRAWERRORDOMAIN") == 1 {
      return ForeignFailure(url: Int(clamping: code))
    }
    if name == "NSPOSIXErrorDomain" {
      return ForeignFailure(.transport, domain: .posix, code: Int(clamping: code), name: nil, osError: Int(clamping: code))
    }
    // Pulse counts statuses from 400 on, and failures of the decoder, as failures of the request.
    if code == 0 || (400...599).contains(status ?? 0) || integer("ZRAWERRORDOMAIN") == 2 { return nil }
    return ForeignFailure(nil, code: Int(clamping: code), name: name ?? "error \(code)")
  }

  private func note(connectionOf exchange: inout ForeignExchange) {
    guard let connections, let metrics = tasks.value(Int32(Self.columns.count + 4)).integer else { return }
    connections.bind(metrics, at: 1)
    guard (try? connections.step()) == true else { return }
    exchange.protocol = connections.value(0).text
    exchange.reused = connections.value(1).integer.map { $0 == 1 }
    exchange.remoteAddress = connections.value(2).text
    exchange.remotePort = connections.value(3).integer.flatMap { $0 > 0 ? Int(clamping: $0) : nil }
    // A statement that stopped in the middle of its rows is run to its end, so that it can be bound again.
    while (try? connections.step()) == true {}
  }

  // MARK: Values

  private func value(_ name: String) -> SQLiteValue {
    Self.columns.firstIndex(of: name).map { tasks.value(Int32($0 + 1)) } ?? .null
  }

  private func text(_ name: String) -> String? { value(name).text.flatMap { $0.isEmpty ? nil : $0 } }
  private func integer(_ name: String) -> Int64? { value(name).integer }

  private func real(_ value: SQLiteValue) -> Double? {
    if case .real(let number) = value { number } else { value.integer.map { Double($0) } }
  }

  /// Returns the nanoseconds since 1970 of a date of Core Data, which counts seconds since 2001.
  private func date(_ column: Int32) -> Int64? {
    real(tasks.value(column)).flatMap { TimeText.nanoseconds($0 + 978_307_200, unit: 1_000_000_000) }
  }

  private static func uid(_ bytes: [UInt8]) -> TaskUID? {
    guard bytes.count == 16 else { return nil }
    return TaskUID(
      high: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }, low: bytes[8...].reduce(0) { $0 << 8 | UInt64($1) })
  }

  func original(_ position: UInt64) -> String? {
    guard
      let statement = try? store.database.statement(
        "SELECT ZURL, ZHTTPMETHOD, ZREQUESTSTATE, ZSTATUSCODE, ZERRORCODE FROM ZNETWORKTASKENTITY WHERE Z_PK = ?1")
    else { return nil }
    statement.bind(Int64(clamping: position), at: 1)
    guard (try? statement.step()) == true else { return nil }
    let state = ["?", "pending", "success", "failure"]
    let number = Int(clamping: statement.value(2).integer ?? 0)
    return "ZNETWORKTASKENTITY \(position): \(statement.value(1).text ?? "?") "
      + "\(statement.value(0).text.flatMap { URLParts($0)?.text } ?? "?") \(state.indices.contains(number) ? state[number] : "?") "
      + "status \(statement.value(3).integer ?? 0) error \(statement.value(4).integer ?? 0)"
  }
}
