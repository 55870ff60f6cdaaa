import Dispatch
import Foundation
import LogTestSupport
import XferEngine
import XferLogStore

/// An app with background sessions that follows a plan in every launch. The plan may include one flaw.
///
/// `lifecycle-probe begin PLAN` opens the sessions, writes `opened`, waits for the file `go`, and creates and resumes the tasks.
/// `lifecycle-probe open PLAN`, which the daemon also launches, only opens the sessions. A process exits when its sessions have
/// no task left and every received completion handler was called. A process whose flaw prevents that writes `idle` and waits
/// for the file `end`.
///
/// Each line of the file `said` starts with the process id: `lives`, `opened`, `made NAME UID NUMBER`, `resumed`,
/// `woken SESSION`, `file NAME`, `completed NAME CODE`, `finished SESSION`, `called SESSION`, `idle`, `exit`.
@main
enum LifecycleProbe {
  static func main() throws {
    let (word, path) = (CommandLine.arguments[1], CommandLine.arguments[2])
    let app = try PlannedApp(AppPlan(contentsOf: path))
    app.start(later: ["open", path], begins: word == "begin")
    BackgroundApp.run()
  }
}
