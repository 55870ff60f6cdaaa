import Testing
import XferEvents

@testable import XferEngine

struct LaunchNoteTests {
  @Test(arguments: [
    ([:], "user"), (["XFERD_WAKE": "com.example.reader"], "transfer"), (["XFERD_BACKGROUND": "1"], "unknown"),
    (["XFERD_BACKGROUND": "1", "XFERD_REASON": "push"], "push"), (["XFERD_REASON": "command"], "command"),
  ])
  func `A launch in the background is attributed to the user only if its launcher says so`(
    environment: [String: String], reason: String
  ) {
    #expect(LaunchNote(environment: environment).loggedReason.name == reason)
  }
}
