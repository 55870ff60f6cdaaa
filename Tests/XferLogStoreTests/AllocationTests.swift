import LogTestSupport
import Testing

/// Emitting an event must not allocate heap memory, so that an app can log from any context.
struct AllocationTests {
  @Test
  func `Emitting an event allocates no memory, measured by a counter that detects a single allocation`() throws {
    let test = TestLog()
    let run = try ToolRun("allocation-probe", [test.directory])
    #expect(run.lines.contains("12000 events: 0 allocations"), "\(run.lines) \(run.standardError)")
    #expect(run.lines.last == "one deliberate allocation: 1")
    // Unoptimised code allocates a box for every closure.
    if run.lines.contains("optimized: true") { #expect(run.lines.contains("12000 messages: 0 allocations"), "\(run.lines)") }
  }
}
