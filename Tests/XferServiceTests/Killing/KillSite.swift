import LogTestSupport

/// A place of a program where it is killed: before the so-manieth call of this name that one of its threads makes.
struct KillSite: Hashable, CustomStringConvertible {
  let call: String
  let nth: Int

  var description: String { "\(call)#\(nth)" }
  var injection: Injection { Injection(call, nth...nth, "signal=KILL") }

  /// What a call is to a background transfer.
  enum Kind: String, CaseIterable {
    /// A commit of the daemon's database.
    case commit
    /// Bytes of a body on their way into the spool, and to the disk.
    case spool
    /// A file gets its name, or loses it.
    case place
    /// To the other process, or to the server.
    case send
    /// The app writes down what it was told.
    case say
    case other

    init(_ call: SystemCallTrace.Call) {
      let text = call.text
      switch call.name {
      case "fdatasync", "fsync", "pwrite64":
        self = text.contains("tasks.sqlite") ? .commit : text.contains("/spool") ? .spool : .other
      // Of the response to an upload the write is hard to tell from others by its number; what goes before it is not.
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

/// Where a program can be killed, from a run that nobody disturbed.
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

  /// Each kind as often as any other: what matters most is done least often.
  func draw(_ random: inout SeededRandom) -> KillSite {
    byKind.randomElement(using: &random)!.sites.randomElement(using: &random)!
  }

  func sites(_ kind: KillSite.Kind) -> [KillSite] { byKind.first { $0.kind == kind }?.sites ?? [] }
}
