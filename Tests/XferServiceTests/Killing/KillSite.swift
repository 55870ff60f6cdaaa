import LogTestSupport

/// The point at which a program is killed: directly before the nth call of a given system call on one thread.
struct KillSite: Hashable, CustomStringConvertible {
  let call: String
  let nth: Int

  var description: String { "\(call)#\(nth)" }
  var injection: Injection { Injection(call, nth...nth, "signal=KILL") }

  /// The role of a system call in a background transfer.
  enum Kind: String, CaseIterable {
    /// A commit of the daemon's database.
    case commit
    /// Writing a body to the spool, or flushing it to disk.
    case spool
    /// Renaming, linking or removing a file.
    case place
    /// Sending data to the other process or to the server.
    case send
    /// The app writing a line to its output file.
    case say
    case other

    init(_ call: SystemCallTrace.Call) {
      let text = call.text
      switch call.name {
      case "fdatasync", "fsync", "pwrite64":
        self = text.contains("tasks.sqlite") ? .commit : text.contains("/spool") ? .spool : .other
      // The `write` of an upload's response body is hard to identify by its number, so the `lseek` before it also counts.
      case "write" where text.contains("/spool/"), "lseek" where text.contains("/spool/"): self = .spool
      case "write" where text.contains("/said>"): self = .say
      case "rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat": self = .place
      case "sendto", "sendmsg": self = .send
      case "write" where text.contains("socket:"), "writev" where text.contains("socket:"): self = .send
      default: self = .other
      }
    }
  }
}

/// The points where a program can be killed, taken from a trace of an undisturbed run.
struct KillSites {
  private let byKind: [(kind: KillSite.Kind, sites: [KillSite])]

  init(_ trace: SystemCallTrace) {
    byKind = KillSite.Kind.allCases.compactMap { kind in
      var seen: Set<KillSite> = []
      let sites = trace.calls.filter { KillSite.Kind($0) == kind && $0.name != "exit_group" }
        .map { KillSite(call: $0.name, nth: $0.nth) }.filter { seen.insert($0).inserted }
      return sites.isEmpty ? nil : (kind, sites)
    }
  }

  var kinds: [KillSite.Kind] { byKind.map(\.kind) }

  /// Returns a random point, choosing each kind with the same probability, because the most critical calls are the rarest.
  func draw(_ random: inout SeededRandom) -> KillSite {
    byKind.randomElement(using: &random)!.sites.randomElement(using: &random)!
  }

  func sites(_ kind: KillSite.Kind) -> [KillSite] { byKind.first { $0.kind == kind }?.sites ?? [] }
}
