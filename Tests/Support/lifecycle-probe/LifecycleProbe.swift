import Dispatch
import Foundation
import LogTestSupport
import XferEngine
import XferLogStore

/// An app with background sessions that does as a plan says, in all its lives; one thing may be wrong.
///
/// `lifecycle-probe begin PLAN` opens the sessions, says so, waits for a file `go`, makes and resumes the tasks; `lifecycle-probe open PLAN`,
/// which is what the daemon launches, too, opens the sessions. A life ends by itself when its sessions have no task left and each handler
/// that it was handed was called; one that has nothing left to do but what its flaw leaves says `idle` and waits for a file `end`.
///
/// Each line of the file `said` begins with the process's number: `lives`, `opened`, `made NAME UID NUMBER`, `resumed`, `woken SESSION`,
/// `file NAME`, `completed NAME CODE`, `finished SESSION`, `called SESSION`, `idle`, `exit`.
@main
enum LifecycleProbe {
  static func main() throws {
    let (word, path) = (CommandLine.arguments[1], CommandLine.arguments[2])
    let app = try PlannedApp(AppPlan(contentsOf: path))
    app.start(later: ["open", path], begins: word == "begin")
    BackgroundApp.run()
  }
}
