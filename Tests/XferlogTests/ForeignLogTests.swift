import Foundation
import LogTestSupport
import Testing

/// Logs of other programs, read by the built program. Each sample has a file with the replay and the events that are expected.
@Suite struct ForeignLogTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let format: String
    let name: String
    var testDescription: String { "\(format)/\(name)" }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Samples/ForeignLogs").path

    var directory: String { "\(Self.folder)/\(format)" }
    var expected: String { "\(directory)/\(name).expected" }
    /// The options that the sample needs.
    var options: String { (try? String(contentsOfFile: "\(directory)/\(name).options", encoding: .utf8)) ?? "" }

    static let all: [Sample] = {
      let files = FileManager.default
      let formats = ((try? files.contentsOfDirectory(atPath: folder)) ?? []).sorted()
      return formats.flatMap { format in
        ((try? files.contentsOfDirectory(atPath: "\(folder)/\(format)")) ?? []).sorted().filter { $0.hasSuffix(".expected") }
          .map { Sample(format: format, name: String($0.dropLast(".expected".count))) }
      }
    }()
  }

  private static func run(_ script: String, in directory: String) throws -> String {
    let run = try ToolRun.bash("cd \"$directory\" && TZ=UTC && export TZ && \(script)", environment: ["directory": directory])
    return run.text
  }

  @Test(arguments: Sample.all)
  func `A sample gives its expected replay and events`(_ sample: Sample) throws {
    let arguments = "\(sample.options.trimmingCharacters(in: .whitespacesAndNewlines)) \(sample.name)"
    let text = try Self.run(
      "\"$xferlog\" replay \(arguments) 2>/dev/null; echo ---; \"$xferlog\" show \(arguments) 2>/dev/null", in: sample.directory)
    let expected = try String(contentsOfFile: sample.expected, encoding: .utf8)
    #expect(text == expected)
  }

  @Test(arguments: Sample.all)
  func `Standard input gives the findings of the file`(_ sample: Sample) throws {
    // A directory cannot be piped.
    var isDirectory: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: "\(sample.directory)/\(sample.name)", isDirectory: &isDirectory)
    if isDirectory.boolValue { return }
    let options = sample.options.trimmingCharacters(in: .whitespacesAndNewlines)
    let query = "replay --fail-on never -o json \(options)"
    let rules = #"| grep -o '"rule":"[a-z-]*"' | sort"#
    let file = try Self.run("\"$xferlog\" \(query) \(sample.name) 2>/dev/null \(rules)", in: sample.directory)
    let piped = try Self.run("cat \(sample.name) | \"$xferlog\" \(query) - 2>/dev/null \(rules)", in: sample.directory)
    #expect(piped == file)
  }

  @Test(arguments: Sample.all)
  func `A truncated sample is read as far as it goes`(_ sample: Sample) throws {
    let whole = try Data(contentsOf: URL(filePath: "\(sample.directory)/\(sample.name)"))
    for part in 1..<8 {
      let directory = TemporaryDirectory()
      let path = try directory.write(Array(whole.prefix(whole.count * part / 8)), to: sample.name)
      let options = sample.options.trimmingCharacters(in: .whitespacesAndNewlines)
      let run = try ToolRun.bash(
        "cd \"$directory\" && \"$xferlog\" replay --fail-on never \(options) \"$path\"",
        environment: ["directory": sample.directory, "path": path])
      // 2 and 3: too little is left to recognise the format, or to find an event.
      #expect([0, 2, 3].contains(run.status), "\(part)/8: \(run.standardError.suffix(300))")
    }
  }
  /// Windows programs begin a text with a byte order mark.
  @Test(arguments: Sample.all.filter { !$0.name.hasSuffix(".sqlite") })
  func `A byte order mark changes nothing`(_ sample: Sample) throws {
    let directory = TemporaryDirectory()
    let bytes = try Data(contentsOf: URL(filePath: "\(sample.directory)/\(sample.name)"))
    _ = try directory.write([0xEF, 0xBB, 0xBF] + bytes, to: sample.name)
    let arguments = "\(sample.options.trimmingCharacters(in: .whitespacesAndNewlines)) \"$marked/\(sample.name)\""
    let run = try ToolRun.bash(
      "cd \"$directory\" && \"$xferlog\" replay --fail-on never \(arguments); echo ---; \"$xferlog\" show \(arguments)",
      environment: ["directory": sample.directory, "marked": directory.path, "TZ": "UTC"])
    let text = run.text.replacing("\(directory.path)/", with: "")
    #expect(text == (try String(contentsOfFile: sample.expected, encoding: .utf8)), "\(run.standardError)")
  }

  @Test(arguments: [true, false])
  func `The name of an OpenTelemetry service may follow the spans`(_ isFirst: Bool) throws {
    let spans = #"""
      "scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","name":"GET","kind":3,
      "startTimeUnixNano":"1795183327000000000","endTimeUnixNano":"1795183328000000000","attributes":[
      {"key":"http.request.method","value":{"stringValue":"GET"}},{"key":"url.full","value":{"stringValue":"https://a.example/x"}},
      {"key":"http.response.status_code","value":{"intValue":"200"}}]}]}]
      """#
    let resource = #""resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]}"#
    let members = (isFirst ? [resource, spans] : [spans, resource]).joined(separator: ",")
    let directory = TemporaryDirectory()
    let path = try directory.write(Array(#"{"resourceSpans":[{\#(members)}]}"#.utf8), to: "spans.json")
    let run = try ToolRun.xferlog("query", "* | tasks | fields session", "-o", "csv", path)
    #expect(run.lines.last == "shop", "\(run.text)\(run.standardError)")
  }

  @Test func `Archives that were joined to one file are all read, and other text behind an archive is reported`() throws {
    let directory = TemporaryDirectory()
    let archive = Array(try Data(contentsOf: URL(filePath: "\(Sample.folder)/har/healthy.har")))
    let twice = try ToolRun.xferlog("replay", directory.write(archive + archive, to: "twice.har"))
    #expect(twice.status == 0 && twice.text.contains("8 records, 8 recognised"), "\(twice.text)\(twice.standardError)")
    let text = try ToolRun.xferlog("replay", directory.write(archive + Array("<html>".utf8), to: "text.har"))
    #expect(
      text.text.contains("4 recognised") && text.text.contains("because text follows the archive"),
      "\(text.text)\(text.standardError)")
  }

  /// A recorder may write any text as a time.
  @Test(arguments: [
    ("2026-02-28T10:00:00Z", true), ("2026-02-30T10:00:00Z", false), ("2024-02-29T10:00:00Z", true),
    ("2026-12-31T10:00:00Z", true), ("2026-04-31T10:00:00Z", false), ("9999-01-01T10:00:00Z", false),
    ("1600-01-01T10:00:00Z", false), ("2026-11-24T10:00:00+05:99", false), ("2026-11-24T10:00:00+05:45", true),
  ])
  func `A time that does not exist is unknown`(_ time: String, exists: Bool) throws {
    let entry =
      #"{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[{"startedDateTime":"TIME","time":5,"#
      + #""request":{"method":"GET","url":"http://[2001:db8::7]:8080/a"},"response":{"status":200,"content":{}},"timings":{}}]}}"#
    let directory = TemporaryDirectory()
    let path = try directory.write(Array(entry.replacing("TIME", with: time).utf8), to: "time.har")
    let run = try ToolRun.xferlog("show", path)
    #expect(run.text.contains("data GET http://[2001:db8::7]:8080/a"), "\(run.text)\(run.standardError)")
    #expect(run.lines[0].hasPrefix("20") == exists, "\(run.lines[0])")
  }
}

/// Texts that resemble logs of other programs.
@Suite struct UnrelatedTextTests {
  private static let texts = [
    "# Notes\n\n* Connected to the team\n* Trying new things\n* Host the party\n> a quotation\n",
    "a,b,c\n1,2,3\n", "{\"name\": \"package\", \"version\": \"1.0\"}\n", "{\"log\": \"x\", \"version\": 1}\n", "[{\"a\": 1}]\n",
    "127.0.0.1 - - [24/Nov/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 200 612 \"-\" \"curl/7.88.1\"\n",
    "Nov 24 10:00:00 host sshd[1]: Accepted\n", "2026-11-24 10:00:00,123 INFO main - hello\n",
    "struct Log { let entries: [Int] }\n",
  ]

  @Test(arguments: texts)
  func `An unrelated text is refused`(_ text: String) throws {
    let directory = TemporaryDirectory()
    let path = try directory.write(Array(text.utf8), to: "text")
    #expect(try ToolRun.xferlog("replay", path).status == 2)
  }
}
