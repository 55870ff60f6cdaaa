import XferEvents

/// The installations of segments whose headers name none, because an older version wrote them.
///
/// The segments of a directory are one log, and a log belongs to one installation. Logs in different directories belong together only
/// if they contain the same process life, or if one of them names a process life of the other. A boot in common is not enough, because
/// several installations may use one machine.
extension LogReader {
  /// Determines the installation of each segment that has been opened since the last call.
  func inferInstallations() {
    defer { placedSegments = segments.count }
    guard segments.dropFirst(placedSegments).contains(where: { $0.header.installation == nil }) else { return }
    var logs = NamelessLogs(segments)
    if !isFollowing, logs.count > 1 {
      for segment in segments { logs.note(mentions(in: segment), by: segment) }
    }
    for segment in segments.dropFirst(placedSegments) where segment.header.installation == nil {
      segment.source.scope = logs.scope(of: segment)
    }
  }

  /// Returns the process lives that the events of a segment name.
  private func mentions(in segment: SegmentReader) -> Set<LaunchID> {
    var launches: Set<LaunchID> = []
    let reader = LogReader([.segment(segment.path)], isFollowing: false, selection: nil, infersInstallations: false)
    while let member = reader.nextOfLanes() {
      guard case .event(let event) = member else { continue }
      switch event.kind {
      case .linkConnected, .linkDisconnected: if let peer = event.view.peer { launches.insert(peer) }
      case .wakeLaunched, .processExitObserved: if let launch = event.view.launch { launches.insert(launch) }
      default: break
      }
    }
    return launches
  }
}

/// The logs that are read together when some of them name no installation, and the launches that join those with others.
private struct NamelessLogs {
  /// The log of each segment: the installation, or else the directory.
  private typealias Log = InstallationScope

  /// The log that each log was joined with.
  private var joined: [Log: Log] = [:]
  private var ofLaunch: [LaunchID: Log] = [:]
  private(set) var count = 0

  init(_ segments: [SegmentReader]) {
    var named: [String: Set<InstallationID>] = [:]
    for segment in segments {
      if let installation = segment.header.installation { named[Self.directory(segment), default: []].insert(installation) }
    }
    // An older version wrote the first segments of a log, and a newer one went on.
    for (directory, installations) in named {
      if let only = installations.first, installations.count == 1 { joined[.directory(directory)] = .installation(only) }
    }
    for segment in segments {
      let log = Self.log(segment)
      if let known = ofLaunch[segment.header.launch] { join(log, known) } else { ofLaunch[segment.header.launch] = log }
    }
    count = Set(segments.map { root(Self.log($0)) }).count
  }

  private static func directory(_ segment: SegmentReader) -> String {
    SegmentStamp.canonical(LogDirectory.parent(of: segment.path))
  }

  private static func log(_ segment: SegmentReader) -> Log {
    segment.header.installation.map(Log.installation) ?? .directory(directory(segment))
  }

  mutating func note(_ mentions: Set<LaunchID>, by segment: SegmentReader) {
    for launch in mentions { if let other = ofLaunch[launch] { join(Self.log(segment), other) } }
  }

  func scope(of segment: SegmentReader) -> InstallationScope { root(Self.log(segment)) }

  private func root(_ log: Log) -> Log {
    var log = log
    while let next = joined[log] { log = next }
    return log
  }

  /// Joins two logs. Two logs that name different installations are never joined.
  private mutating func join(_ one: Log, _ other: Log) {
    let (first, second) = (root(one), root(other))
    if first == second { return }
    switch (first, second) {
    case (.installation, .installation): return
    case (.installation, _): joined[second] = first
    default: joined[first] = second
    }
  }
}
