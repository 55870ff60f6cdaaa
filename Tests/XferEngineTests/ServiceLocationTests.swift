import Testing

@testable import XferEngine

/// The place of the daemon, as the environment determines it.
struct ServiceLocationTests {
  @Test func `Empty variables count as not set`() {
    func location(_ environment: [String: String]) -> ServiceLocation {
      ServiceLocation(environment: environment, executable: "/nowhere/app")
    }
    let usual = location([:])
    #expect(location(["XFERD_DIR": "", "XDG_RUNTIME_DIR": ""]).directory == usual.directory)
    #expect(location(["XFERD_DIR": "", "XDG_RUNTIME_DIR": "/run/user/7"]).directory == "/run/user/7/xferd")
    // Without a name, the daemon's program is searched in PATH.
    let program = location(["XFERD": "", "PATH": "/bin:/usr/bin"]).program
    #expect(program == location(["PATH": "/bin:/usr/bin"]).program)
  }

  @Test func `The program that XFERD names is used, and found in PATH if XFERD is empty`() {
    #expect(ServiceLocation(environment: ["XFERD": "/bin/sh"], executable: "/nowhere/app").program == "/bin/sh")
  }
}
