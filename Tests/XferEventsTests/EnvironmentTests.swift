import CXferPlatform
import Testing
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

struct EnvironmentTests {
  @Test func `An empty environment variable counts as not set`() async {
    #expect(["A": "", "B": "b", "C": " "].withoutEmptyVariables == ["B": "b", "C": " "])
    // A separate process, because another test's thread could read the environment while it changes.
    await #expect(processExitsWith: .success) {
      let name = "XFERLOG_TEST_EMPTY_VARIABLE"
      #expect(xp_variable(name) == nil)
      setenv(name, "", 1)
      #expect(xp_variable(name) == nil)
      setenv(name, "x", 1)
      #expect(xp_variable(name).map { String(cString: $0) } == "x")
    }
  }
}
