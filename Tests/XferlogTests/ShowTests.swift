import Testing

@Suite struct ShowTests {
  @Test func `A log is shown a line an event`() throws {
    let directory = try TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let run = try CommandRun.xferlog("show", log)
    print(run.text, run.standardError)
    print(try CommandRun.xferlog("show", log, "-o", "ndjson").text)
    print(try CommandRun.xferlog("show", log, "-o", "verbose", "-t", "7").text)
    print(try CommandRun.xferlog("show", log, "--color", "always", "-t", "1").text)
    print(try CommandRun.xferlog("show", "--help").text)
    print(try CommandRun.xferlog("--help").text)
    #expect(run.status == 0)
  }
}
