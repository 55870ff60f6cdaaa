import Foundation
import LogTestSupport
import Testing

/// Files that are not logs, each passed to the built program by its path and through standard input.
@Suite struct UnrelatedFileTests {
  struct Unrelated: Sendable, CustomTestStringConvertible {
    let name: String
    /// The appearance that the refusal states.
    let kind: String
    let contents: [UInt8]
    var testDescription: String { name }

    init(_ name: String, _ kind: String, _ text: String) {
      (self.name, self.kind, contents) = (name, kind, Array(text.utf8))
    }

    init(_ name: String, _ kind: String, bytes: [UInt8]) { (self.name, self.kind, contents) = (name, kind, bytes) }
  }

  /// What every refusal says was expected.
  private static let expected = """
    not a log: expected an xferlog log (a .xlog directory, a .seg file, or a directory that contains them) or a log in the format \
    xferlog-ndjson, apple-log, har, curl, journal, logcat, netlog, netlog-viewer, otlp, pulse, qlog or ftp-xferlog, but
    """

  private static func random(_ count: Int) -> [UInt8] {
    var random = SeededRandom(seed: 20)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// Files whose words and forms resemble those of logs.
  static let all: [Unrelated] = [
    .init(
      "README.md", "it looks like Markdown text",
      """
      # Uploader

      Uploads photos with a background `URLSession`. A Task is resumed when the Connection is ready.

      * Connected to the team
      > Trying 192.168.1.20...

      ```swift
      let task = session.uploadTask(with: request, fromFile: file)
      task.resume()
      ```
      """),
    .init(
      "prices.csv", "it looks like a CSV table",
      "time,pid,message\n2026-11-24 10:00:00,12,Task finished\n2026-11-24 10:00:01,12,Connection lost\n"),
    .init(
      "people.tsv", "it looks like a table of tab-separated values", "name\tcity\tage\nAda\tLondon\t36\nAlan\tWilmslow\t41\n"),
    .init(
      "access.log", "it looks like a web server's access log",
      """
      192.0.2.1 - - [24/Nov/2026:10:00:00 +0000] "GET /o/1.bin HTTP/1.1" 200 612 "-" "MyApp/1 CFNetwork/1498 Darwin/23.6.0"
      192.0.2.1 - alice [24/Nov/2026:10:00:01 +0000] "POST /upload HTTP/2.0" 201 0 "-" "curl/7.88.1"

      """),
    .init(
      "error.log", "it looks like a log of another program",
      """
      2026/11/24 10:00:00 [error] 31#31: *7 open() "/srv/o/1.bin" failed (2: No such file or directory), client: 192.0.2.1
      2026/11/24 10:00:01 [warn] 31#31: *8 upstream timed out (110: Connection timed out) while reading response header

      """),
    .init(
      "Uploader.swift", "it looks like source code",
      """
      import Foundation

      /// Prints what CFNetwork would: `Task <UUID>.<1> finished successfully`.
      final class Uploader: NSObject, URLSessionTaskDelegate {
        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?) {
          print("Task <\\(task.taskIdentifier)> finished with error [\\(error)]")
        }
      }
      """),
    .init(
      "Uploader.m", "it looks like source code",
      """
      #import "Uploader.h"

      @implementation Uploader
      - (void)URLSession:(NSURLSession *)session didBecomeInvalidWithError:(NSError *)error {
        NSLog(@"Application delegate received call to -application:handleEventsForBackgroundURLSession:completionHandler: but "
              "the completion handler was never called");
        NSLog(@"session didCompleteWithError Error Domain=%@", error.domain);
      }
      @end
      """),
    .init(
      "uploader.c", "it looks like source code",
      "#include <stdio.h>\n\nint main(void) {\n  printf(\"Connection %d: done\\n\", 1);\n  return 0;\n}\n"),
    .init(
      "upload.py", "it looks like source code",
      "import sys\n\ndef main(path):\n    with open(path) as file:\n        print(file.read())\n\nclass Upload:\n    pass\n"),
    .init("deploy.sh", "it looks like a script", "#!/bin/sh\nset -e\ncurl -v https://example.com/ > out.txt\n"),
    .init(
      "package.json", "it looks like a JSON document of another kind",
      "{\n  \"name\": \"uploader\",\n  \"version\": \"1.0.0\",\n  \"log\": { \"level\": \"debug\" },\n  \"events\": []\n}\n"),
    .init(
      "events.ndjson", "it looks like JSON objects of another kind, one on each line",
      """
      {"timestamp":"2026-11-24 10:00:00.000000+0100","message":"Task finished","level":"info","pid":7}
      {"timestamp":"2026-11-24 10:00:01.000000+0100","message":"Connection lost","level":"error","pid":7}

      """),
    .init("points.geojson", "it looks like a JSON document of another kind", "[{\"type\":\"Point\",\"coordinates\":[1,2]}]\n"),
    .init("noise.bin", "it looks like binary data", bytes: random(5000)),
    .init("zeros.img", "it looks like binary data", bytes: [UInt8](repeating: 0, count: 10_000)),
    .init(
      "manual.pdf", "it looks like a PDF document",
      bytes: Array("%PDF-1.7\n%\u{e2}\u{e3}\n1 0 obj\n<< /Type /Catalog >>\nendobj\n".utf8) + random(3000)),
    .init(
      "index.html", "it looks like an HTML page",
      "<!DOCTYPE html>\n<html><head><title>Task</title></head><body><pre>Connection 1: done</pre></body></html>\n"),
    .init(
      "Info.plist", "it looks like an XML document",
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\"><dict><key>CFBundleName</key></dict></plist>\n"),
    .init(
      "mail.eml", "it looks like an e-mail",
      """
      Delivered-To: ada@example.com
      From: Alan <alan@example.com>
      To: Ada <ada@example.com>
      Subject: lost uploads
      Date: Tue, 24 Nov 2026 10:00:00 +0000

      The upload finished with error -1001, as far as I can tell.
      """),
    .init(
      "config.yaml", "it looks like a configuration file", "name: build\non:\n  push:\njobs:\n  test:\n    runs-on: macos-15\n"),
    .init("settings.ini", "it looks like a configuration file", "[upload]\nretries = 3\ntimeout = 60\n"),
    .init(
      "photo.png", "it looks like an image", bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D] + random(500)),
    .init("tool", "it looks like a program", bytes: [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0] + random(500)),
    .init("data.sqlite", "it looks like an SQLite database", bytes: Array("SQLite format 3\0".utf8) + random(500)),
    .init(
      "fix.patch", "it looks like a patch",
      "diff --git a/log.txt b/log.txt\nindex 1..2 100644\n--- a/log.txt\n+++ b/log.txt\n@@ -1 +1 @@\n-Task\n+Connection\n"),
    .init(
      "server.log", "it looks like a log of another program",
      """
      2026-11-24 10:00:00,123 INFO  [main] com.example.Uploader - Task 7 finished
      2026-11-24 10:00:01,456 ERROR [pool-1] com.example.Uploader - Connection 7: timed out
      java.net.SocketTimeoutException: timeout
      \tat com.example.Uploader.run(Uploader.java:12)
      2026-11-24 10:00:02,000 INFO  [main] com.example.Uploader - bye

      """),
    .init(
      "syslog", "it looks like a log of another program",
      """
      Nov 24 10:00:00 web1 sshd[812]: Accepted publickey for ada from 192.0.2.1 port 51522 ssh2
      Nov 24 10:00:01 web1 CRON[813]: (root) CMD (run-parts /etc/cron.hourly)

      """),
    .init(
      "letter.txt", "it looks like plain text", "Dear Ada,\n\nmy task is finished, and the connection is done.\n\nYours, Alan\n"),
    .init(
      "film.srt", "it looks like subtitles",
      "1\n00:00:01,000 --> 00:00:02,500\nHello.\n\n2\n00:00:03,000 --> 00:00:04,000\n00:00:05,000\n"),
    .init(
      "notes.rtf", "it looks like a rich-text document", "{\\rtf1\\ansi\\deff0 {\\fonttbl {\\f0 Helvetica;}}\nTask done\\par }\n"),
    .init(
      "windows.txt", "it looks like text in UTF-16 with plain text",
      bytes: [0xFF, 0xFE] + Array("Task done\r\n".utf16).flatMap { [UInt8($0), 0] }),
    .init("blank.txt", "it looks like blank text", "\n\n  \n"), .init("empty.log", "the file is empty", ""),
  ]

  @Test(arguments: all)
  func `A file that is not a log is refused in one sentence with what was expected and what it looks like`(
    _ file: Unrelated
  ) throws {
    let directory = TemporaryDirectory()
    let path = try directory.write(file.contents, to: file.name)
    for command in ["replay", "show", "stats"] {
      let run = try ToolRun.xferlog(command, path)
      #expect(run.status == 2 && run.standardOutput.isEmpty, "\(command): \(run.status) \(run.text.prefix(300))")
      #expect(run.remarks == ["xferlog: exit 2 (failed): \(path): \(Self.expected) \(file.kind)"], "\(run.standardError)")
    }
  }

  @Test(arguments: all)
  func `Standard input that is not a log is refused in the same words`(_ file: Unrelated) throws {
    let run = try ToolRun.xferlog("replay", "-", input: file.contents)
    let reason =
      file.contents.isEmpty
      ? "exit 3 (nothing analysed): standard input is empty" : "exit 2 (failed): standard input is \(Self.expected) \(file.kind)"
    #expect(run.remarks == ["xferlog: \(reason)"], "\(run.standardError)")
    #expect(run.status == (file.contents.isEmpty ? 3 : 2))
  }

  @Test(arguments: [("gz", "a gzip file with "), ("zip", "a ZIP archive with ")])
  func `A compressed file without a log is refused with what is in it`(_ suffix: String, _ start: String) throws {
    for file in Self.all where ["it looks like Markdown text", "it looks like a CSV table"].contains(file.kind) {
      let directory = TemporaryDirectory()
      _ = try directory.write(file.contents, to: file.name)
      let run = try ToolRun.bash(
        "cd \"$dir\" && if [ \(suffix) = gz ]; then gzip \(file.name); else zip -q \(file.name).zip \(file.name); fi\n"
          + "\"$xferlog\" replay \(file.name).\(suffix)", environment: ["dir": directory.path])
      let kind = file.kind.dropFirst("it looks like ".count)
      #expect(
        run.remarks == ["xferlog: exit 2 (failed): \(file.name).\(suffix): \(Self.expected) it looks like \(start)\(kind)"],
        "\(run.standardError)")
      #expect(run.status == 2)
    }
  }

  /// A capture whose predicate matched nothing, and one that caught other processes only.
  @Test(arguments: [
    (
      "Filtering the log data using \"process == \"x\"\"\nTimestamp                       Thread     Type        Activity             PID    TTL  \n",
      ""
    ),
    ("{\"count\":0,\"finished\":1}\n", ""),
    (
      "2026-01-25 23:03:22.041859+0200 0x1 Default 0x0 10 0 locationd: hello\n2026-01-25 23:03:22.041860+0200 0x1 Default 0x0 10 0 locationd: hello\n",
      ": xferlog recognises none of its 2 records as part of a transfer; see `xferlog collect-help` for what to capture"
    ),
    (
      "2026-01-25 23:03:22.041859+0200 0x1 Default 0x0 10 0 locationd: hello\n",
      ": xferlog does not recognise its only record as part of a transfer; see `xferlog collect-help` for what to capture"
    ),
  ])
  func `A capture without a record of a transfer has nothing to analyse`(_ text: String, _ reason: String) throws {
    let directory = TemporaryDirectory()
    let path = try directory.write(Array(text.utf8), to: "capture.log")
    let run = try ToolRun.xferlog("replay", path)
    #expect(run.status == 3, "\(run.status)")
    #expect(
      run.remarks.last == "xferlog: exit 3 (nothing analysed): the log has no events\(reason)", "\(run.standardError)")
  }
}
