import Foundation
import LogTestSupport
import Testing
import XferEvents

/// `xferlog sql`: its answers, and the statements that it rejects.
@Suite struct SQLTests {
  private static func ask(
    _ log: String, _ arguments: String..., input: [UInt8]? = nil, in directory: TemporaryDirectory
  ) throws -> ToolRun {
    try ToolRun.xferlog(
      ["sql", log] + arguments, input: input, environment: ["XDG_CACHE_HOME": "\(directory.path)/cache"])
  }

  @Test func `An answer is available as a table, JSON, NDJSON and CSV`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let statement = "SELECT session, number, error_name, total_ns, session FROM tasks ORDER BY session"
    let table = try Self.ask(log, statement, in: directory)
    #expect(
      table.lines == [
        "session  number  error_name         total_ns  session", "docs          1  operationTimedOut         -  docs",
        "img           7  -                         -  img",
      ])
    #expect(
      try Self.ask(log, "-o", "json", statement, in: directory).text == """
        {"schema":"xferlog.sql/1","columns":["session","number","error_name","total_ns","session_2"],"rows":[
        {"session":"docs","number":1,"error_name":"operationTimedOut","total_ns":null,"session_2":"docs"},
        {"session":"img","number":7,"error_name":null,"total_ns":null,"session_2":"img"}
        ]}

        """)
    #expect(
      try Self.ask(log, "-o", "ndjson", statement, in: directory).lines.last == """
        {"session":"img","number":7,"error_name":null,"total_ns":null,"session_2":"img"}
        """)
    #expect(
      try Self.ask(log, "-o", "csv", statement, in: directory).lines == [
        "session,number,error_name,total_ns,session", "docs,1,operationTimedOut,,docs", "img,7,,,img",
      ])
  }

  @Test func `A text cannot control a terminal or become a formula in a spreadsheet`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let statement = #"SELECT '=cmd()' AS a, '-1' AS b, char(27) || '[31m' AS c, 'x"y,' || char(10) AS d"#
    #expect(try Self.ask(log, statement, in: directory).lines.last == #"=cmd()  -1  \x1b[31m  x"y,\n"#)
    #expect(try Self.ask(log, "-o", "csv", statement, in: directory).text == "a,b,c,d\n'=cmd(),-1,\\x1b[31m,\"x\"\"y,\\n\"\n")
    #expect(
      try Self.ask(log, "-o", "csv", "--csv-raw", statement, in: directory).text
        == "a,b,c,d\n=cmd(),-1,\u{1b}[31m,\"x\"\"y,\n\"\n")
  }

  @Test func `A long table keeps its column widths`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let run = try Self.ask(
      log, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) SELECT i, 'x' AS x FROM n",
      in: directory)
    #expect(run.lines.count == 2501)
    #expect(Set(run.lines.map(\.count)) == [7])
  }

  @Test(arguments: [nil, "-"])
  func `A statement can be read from standard input`(dash: String?) throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let statement = Array("-- how many\nSELECT count(*) AS n FROM tasks;\n".utf8)
    let run =
      try dash.map { try Self.ask(log, $0, "-o", "csv", input: statement, in: directory) }
      ?? Self.ask(log, "-o", "csv", input: statement, in: directory)
    #expect(run.lines == ["n", "2"])
  }

  @Test func `An existing path is a log, whatever its name; the default is the standard log`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory, name: "a (test) run.xlog")
    let input = Array("SELECT count(*) AS n FROM tasks".utf8)
    #expect(try Self.ask(log, "-o", "csv", input: input, in: directory).lines == ["n", "2"])
    let standard = try ToolRun.xferlog(
      "sql", "-o", "csv", "SELECT count(*) AS n FROM tasks",
      environment: ["XFERLOG_DIR": log, "XDG_CACHE_HOME": "\(directory.path)/cache"])
    #expect(standard.lines == ["n", "2"])
    let both = try ToolRun.xferlog("sql", "-", "-", input: input)
    #expect(both.status == 2)
    #expect(both.standardError.contains("standard input cannot be both"))
  }

  @Test func `The statement may come before the logs`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    #expect(try Self.ask("SELECT count(*) AS n FROM tasks", log, "-o", "csv", in: directory).lines == ["n", "2"])
  }

  @Test func `Sizes whose sum exceeds 64 bits are added up to the largest number`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    for (place, task) in [RecordedLog.task, RecordedLog.other].enumerated() {
      log.emit(at: 100, TaskCreated(task: task, type: .download, method: "GET", scheme: "https", host: "a.example", path: "/a"))
      log.emit(at: 200 + Int64(place), TaskTransferred(task: task, received: .max, sent: .max, status: 200))
    }
    log.close()
    for view in ["bytes", "hosts"] {
      let run = try Self.ask(log.path, "-o", "csv", "SELECT received, sent FROM \(view)", in: directory)
      #expect(run.lines == ["received,sent", "\(Int64.max),\(Int64.max)"], "\(run.standardError)")
    }
  }

  @Test func `An empty result is an answer`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let run = try Self.ask(log, "SELECT uid FROM tasks WHERE false", in: directory)
    #expect(run.status == 0)
    #expect(run.text == "uid\n")
    #expect(run.standardError == "")
  }

  /// Rejected statements, each with a part of the error message.
  static let refusals = [
    ("DELETE FROM tasks;", "it would write to tasks"),
    ("UPDATE tasks SET host = 'x'", "it would write to tasks"),
    ("INSERT INTO drops VALUES ('x', 1)", "it would write to drops"),
    ("WITH x AS (SELECT 'a', 1) INSERT INTO drops SELECT * FROM x", "it would write to drops"),
    ("CREATE TABLE x(a)", "it would change the database"),
    ("CREATE TEMP TABLE x(a)", "it would write to sqlite_temp_master"),
    ("CREATE VIRTUAL TABLE x USING fts5(a)", "it would change the database"),
    ("DROP TABLE tasks", "it would write to sqlite_master"),
    ("UPDATE sqlite_master SET sql = ''", "may not be modified"),
    ("VACUUM INTO '@/copy.sqlite'", "it would write"),
    ("ATTACH '@/other.sqlite' AS other", "it would open or close another database"),
    ("ATTACH '@/other.sqlite' AS other; SELECT 1", "it would open or close another database"),
    ("SELECT load_extension('@/x.so')", "it would load an extension"),
    ("SELECT 1 FROM tasks WHERE number < 0 AND load_extension('@/x.so')", "it would load an extension"),
    ("PRAGMA journal_mode = wal", "it would change a setting with PRAGMA journal_mode"),
    ("PRAGMA query_only = 0", "it would change a setting with PRAGMA query_only"),
    ("PRAGMA user_version = 9", "it would change a setting with PRAGMA user_version"),
    ("PRAGMA writable_schema = 1", "it would change a setting with PRAGMA writable_schema"),
    ("BEGIN IMMEDIATE;", "it would begin or end a transaction"),
    ("SAVEPOINT x", "it would begin or end a transaction"),
    ("ANALYZE tasks", "it would change the database"),
    ("SELECT 1; DELETE FROM tasks", "it would write to tasks"),
    ("SELECT 1; SELECT 2", "the query has more than one statement"),
    ("SELECT * FROM nowhere", "no such table: nowhere"),
    ("SELECT * FRM tasks", "near \"FRM\": syntax error (line 1, character 10)"),
    ("SELECT 1,\n  FROM tasks", "near \"FROM\": syntax error (line 2, character 3)"),
    ("SELECT 1 FROM tasks WHERE abs(-9223372036854775807 - 1)", "integer overflow"),
    (" ;", "the query is empty"),
    ("/* nothing */ ;", "the query is empty"),
  ]

  @Test(arguments: refusals)
  func `A statement that writes or has an error is rejected with its reason`(_ statement: String, _ remark: String) throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let whole = try Self.ask(log, "SELECT * FROM sqlite_master, tasks", in: directory)
    let before = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
    let run = try Self.ask(log, statement.replacing("@", with: directory.path), in: directory)
    #expect(run.status == 2)
    #expect(run.standardError.contains(remark), "\(run.standardError)")
    #expect(run.standardError.hasPrefix("xferlog: exit 2 (failed): "))
    #expect(run.text == "" || remark == "integer overflow")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: directory.path) == before)
    #expect(try Self.ask(log, "SELECT * FROM sqlite_master, tasks", in: directory).text == whole.text)
  }

  @Test(arguments: [
    "SELECT name FROM pragma_table_info('tasks')", "PRAGMA table_info(tasks)", "PRAGMA user_version",
    "EXPLAIN SELECT * FROM hosts",
    "SELECT key FROM events, json_each(fields)", "VALUES (1);", "SELECT 1; -- and no more", "PRAGMA integrity_check",
  ])
  func `A statement that only reads is answered`(_ statement: String) throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let run = try Self.ask(log, statement, in: directory)
    #expect(run.status == 0, "\(run.standardError)")
    #expect(run.lines.count >= 2)
  }

  @Test func `Unusable logs end with the exit codes of replay`() throws {
    let directory = TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: "\(directory.path)/empty.xlog", withIntermediateDirectories: true)
    let noise = try directory.write((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ 13) }, to: "noise.seg")
    let flipped = try DamagedLog.flipped(in: directory)
    let one = "SELECT count(*) FROM gaps"
    #expect(try Self.ask("\(directory.path)/empty.xlog", one, in: directory).status == 3)
    #expect(try Self.ask("\(directory.path)/empty.xlog", "--allow-empty", one, in: directory).status == 0)
    // The empty index of the previous command is not reused without --allow-empty.
    #expect(try Self.ask("\(directory.path)/empty.xlog", one, in: directory).status == 3)
    #expect(try Self.ask("\(directory.path)/nowhere.xlog", one, in: directory).status == 3)
    #expect(try Self.ask(flipped, "-o", "xml", one, in: directory).status == 2)
    #expect(try Self.ask("-", input: Array("SELECT 1".utf8), in: directory).status == 3)
    let unreadable = try Self.ask(noise, one, in: directory)
    #expect(unreadable.status == 2)
    #expect(unreadable.standardError.contains("not a segment of an xferlog log"))
    // The second command reuses the index.
    for _ in 1...2 {
      let damaged = try Self.ask(flipped, one, in: directory)
      #expect(damaged.status == 0)
      #expect(damaged.lines.last?.trimmingCharacters(in: .whitespaces) == "1")
      #expect(damaged.standardError.contains("the log is incomplete: 1 damaged place"))
    }
    #expect(try Self.ask(flipped, "--strict", one, in: directory).status == 4)
  }

  @Test func `An index tells only of the inputs that its command named`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let one = "SELECT count(*) FROM incompleteness"
    for (missing, answer) in [(["\(directory.path)/a.xlog"], "1"), ([], "0"), (["\(directory.path)/b.xlog"], "1")] {
      let run = try ToolRun.xferlog(
        ["sql", log] + missing + [one], environment: ["XDG_CACHE_HOME": "\(directory.path)/cache"])
      #expect(run.status == 0)
      #expect(run.lines.last?.trimmingCharacters(in: .whitespaces) == answer)
      #expect(run.standardError.contains("the log is incomplete") == (answer == "1"), "\(run.standardError)")
    }
  }
}
