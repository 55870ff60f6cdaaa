import LogTestSupport
import Testing

/// Emission takes nothing from the heap: an app may log from wherever it is.
struct AllocationTests {
  @Test
  func `An event allocates nothing, by a counter that sees a single allocation`() throws {
    let test = TestLog()
    let run = try ToolRun("allocation-probe", [test.directory])
    #expect(run.lines.contains("12000 events: 0 allocations"), "\(run.lines) \(run.standardError)")
    #expect(run.lines.last == "one deliberate allocation: 1")
    // What is not optimised has a box for every closure.
    #if !DEBUG
      #expect(run.lines.contains("12000 messages: 0 allocations"), "\(run.lines)")
    #endif
  }
}
