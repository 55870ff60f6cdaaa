import Foundation
import LogTestSupport
import Testing

/// Compressed inputs, directories and globs of logs in several formats, read by the built program.
@Suite struct ArchiveInputTests {
  private static let samples = ForeignLogTests.Sample.folder

  /// Returns the output of a script that runs in a new directory with some samples, in which `xferlog` is the tool.
  private static func run(_ script: String) throws -> ToolRun {
    let directory = TemporaryDirectory()
    return try ToolRun.bash(
      """
      cd "$work" && mkdir -p logs/deep && cp "$samples"/har/browser.har logs/ && cp "$samples"/curl/trace-ascii.txt logs/deep/
      cp "$samples"/logcat/threadtime.txt logs/deep/ && echo hello > logs/readme.md
      \(script)
      """, environment: ["work": directory.path("."), "samples": samples])
  }

  private static let paths = #"| grep -o '"path":"[^"]*"' | sort"#
  private static let query = #""$xferlog" replay --fail-on never -o json"#

  @Test func `A directory may contain logs of several formats`() throws {
    let run = try Self.run("\(Self.query) logs \(Self.paths)")
    #expect(
      run.lines == [#""path":"logs/browser.har""#, #""path":"logs/deep/threadtime.txt""#, #""path":"logs/deep/trace-ascii.txt""#])
    #expect(run.standardError.contains("ignored: logs/readme.md (it is not a log)"))
  }

  @Test func `A glob may match logs of several formats`() throws {
    let run = try Self.run("\(Self.query) 'logs/*/*.txt' logs/*.har \(Self.paths)")
    #expect(run.lines.count == 3)
  }

  @Test func `The members of a zip archive are read`() throws {
    let run = try Self.run("zip -qr all.zip logs && \(Self.query) all.zip \(Self.paths)")
    #expect(
      run.lines == [
        #""path":"all.zip/logs/browser.har""#, #""path":"all.zip/logs/deep/threadtime.txt""#,
        #""path":"all.zip/logs/deep/trace-ascii.txt""#,
      ])
  }

  @Test(arguments: ["gzip -c logs/browser.har", "zip -q - logs/browser.har", "cat logs/browser.har"])
  func `An archive on standard input gives the findings of the log`(_ command: String) throws {
    let run = try Self.run(#"\#(command) | \#(Self.query) - | grep -c '"rule":"transport-failed"'"#)
    #expect(run.text == "1\n")
  }

  @Test(arguments: ["issue.md", "- < issue.md"])
  func `A log in a fenced block of an issue is read with the lines of the issue`(_ input: String) throws {
    let run = try Self.run(
      #"""
      "$xferlog" export --format ndjson -o log.ndjson "$samples"/../killed-before-delivery/log.xlog
      { printf 'I get this:\n\n```json\n'; cat log.ndjson; printf '\n```\n\nMy code:\n```swift\ntask.resume()\n```\n'; } > issue.md
      \#(Self.query) log.ndjson | grep -oE '"(line|rule)":[^,}]*' > lines
      \#(Self.query) \#(input) | grep -oE '"(line|rule)":[^,}]*' > moved
      grep -c line moved
      awk -F: '{ print $1 ":" ($1 == "\"line\"" ? $2 + 3 : $2) }' lines | diff - moved && echo same
      """#)
    #expect(run.lines.count == 2 && run.lines[0] != "0" && run.lines[1] == "same", "\(run.text)\(run.standardError)")
  }

  @Test func `A block that is cut, one of two logs, and a document in a directory`() throws {
    let run = try Self.run(
      #"""
      { printf 'Client:\n~~~~\n'; cat $samples/otlp/tempo.json; printf '~~~~\nServer:\n````\n'; cat logs/browser.har; } > issue.md
      \#(Self.query) issue.md | grep -o '"format":"[^"]*"' | sort -u
      cp issue.md logs/deep/ && \#(Self.query) logs \#(Self.paths)
      """#)
    #expect(run.lines.prefix(2) == [#""format":"har""#, #""format":"otlp""#], "\(run.text)\(run.standardError)")
    #expect(run.lines.count == 5 && !run.text.contains("issue.md"), "\(run.text)")
    #expect(run.standardError.contains("ignored: logs/deep/issue.md"))
  }

  @Test func `A compressed log within an archive is unpacked`() throws {
    let run = try Self.run("gzip logs/deep/trace-ascii.txt && zip -qr all.zip logs && \(Self.query) all.zip \(Self.paths)")
    #expect(run.lines.contains(#""path":"all.zip/logs/deep/trace-ascii.txt.gz""#))
  }

  /// A log of more than 500 kB, most of whose characters are surrogate pairs in UTF-16. The lines have different lengths, so that the ends
  /// of the pieces in which a file is read divide pairs.
  private static let wide = #"""
    awk 'BEGIN { for (i = 0; i < 60; i++) wide = wide "😀"; for (n = 1; n < 2000; n++) printf "Task \
    <6B29FC40-CA47-1067-B31D-%012X>.<%d> finished with error [-1001] Error Domain=NSURLErrorDomain Code=-1001 \"%s%s\"\r\n", \
    n, n, substr("xxxxxxx", 1, n % 8), wide }' > log.txt
    "$xferlog" replay -o ndjson --fail-on never log.txt > expected.ndjson
    """#

  @Test(arguments: ["LE", "BE"])
  func `A log in UTF-16 is read like one in UTF-8`(order: String) throws {
    let run = try Self.run(
      """
      \(Self.wide)
      { printf '\(order == "LE" ? "\\377\\376" : "\\376\\377")'; iconv -f UTF-8 -t UTF-16\(order) log.txt; } > wide.txt
      mkdir wide && mv wide.txt wide/log.txt && cd wide && "$xferlog" replay -o ndjson --fail-on never log.txt | cmp - ../expected.ndjson
      "$xferlog" replay --fail-on never - < log.txt | grep -c 'Task unknown/1999'
      zip -q log.zip log.txt && "$xferlog" replay --fail-on never log.zip | grep -c 'Task unknown/1999'
      head -c 100001 log.txt > cut.txt && "$xferlog" replay --fail-on never cut.txt
      """)
    #expect(run.lines.prefix(2) == ["1", "1"], "\(run.lines.prefix(5)) \(run.standardError)")
    #expect(run.text.contains("cut.txt was not read completely: the text ends within a character"))
  }

  @Test func `A log of this package can be read from an archive`() throws {
    let run = try Self.run(
      "cp -r \"$samples\"/../clean-run/log.xlog . && zip -qr run.zip log.xlog && \"$xferlog\" replay run.zip | tail -1")
    #expect(run.text == "verdict: clean\n")
  }

  @Test func `A truncated archive is read as far as it goes and is incomplete`() throws {
    let zip = try Self.run(
      "zip -qr all.zip logs/browser.har logs/deep && head -c 1500 all.zip > cut.zip && \"$xferlog\" replay --fail-on never cut.zip"
    )
    #expect(zip.text.contains("failed: browser.har/4"))
    #expect(zip.text.contains("cut.zip was not read completely:"))
    let gzip = try Self.run(
      "gzip -c logs/deep/trace-ascii.txt | head -c 700 > cut.gz && \"$xferlog\" replay --fail-on never cut.gz")
    #expect(gzip.text.contains("cut.gz was not read completely: the compressed data is truncated"))
    #expect(gzip.text.contains("1 task") || gzip.text.contains("2 tasks"))
  }

  @Test func `A compression bomb is refused`() throws {
    let run = try Self.run("head -c 400000000 /dev/zero | gzip > bomb.gz && \"$xferlog\" replay bomb.gz")
    #expect(run.status == 2)
    #expect(run.standardError.contains("bomb.gz unpacks to more than 400 times its size"))
  }

  @Test func `A member cannot leave the temporary directory`() throws {
    let run = try Self.run(
      #"""
      python3 - <<'END'
      import zipfile
      with zipfile.ZipFile("evil.zip", "w") as archive: archive.write("logs/browser.har", "../../../../../../tmp/xferlog-evil.har")
      END
      "$xferlog" replay --fail-on never evil.zip | tail -1; ls /tmp/xferlog-evil.har
      """#)
    #expect(run.text == "verdict: findings\n")
  }

  @Test func `The temporary files are removed`() throws {
    let run = try Self.run(
      "mkdir tmp && zip -qr all.zip logs && TMPDIR=$PWD/tmp \"$xferlog\" replay --fail-on never all.zip > /dev/null; ls tmp")
    #expect(run.text == "")
  }

  @Test(arguments: ["logs/readme.md.gz", "readme.zip"])
  func `An archive without a log is refused, and its contents are described`(_ name: String) throws {
    let run = try Self.run(
      "gzip -k logs/readme.md; zip -q readme.zip logs/readme.md; \"$xferlog\" replay \(name)")
    #expect(run.status == 2)
    #expect(run.standardError.contains("not a log: expected an xferlog log "), "\(run.standardError)")
    #expect(run.standardError.contains(", but it looks like a "), "\(run.standardError)")
  }
}
