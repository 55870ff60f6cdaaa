import Foundation
import LogTestSupport
import XferDiagnosis
import XferEvents
import XferLogStore

/// One damaged copy of a log, and its comparison with the undamaged log.
struct DamageTrial: Sendable {
  let seed: UInt64
  let log: String
  /// The name of the damage, for counts.
  let damage: String
  /// The sentences that say what is wrong with the commands' answers.
  private(set) var faults: [String] = []
  private(set) var isUnreadable = false
  /// Whether events of the log are lost.
  private(set) var hasLoss = false
  /// The kind of loss that nothing in the remaining files shows; `nil` if the commands noticed the loss, or nothing is lost.
  private(set) var unnoticeable: String?
  private(set) var intact = Share()
  /// Like `intact`, for all findings whose evidence is intact, whatever else their lanes lost.
  private(set) var cited = Share()
  /// The certain findings that lost their certainty although they are intact, with the reasons.
  private(set) var lowered: [String] = []

  /// A number of certain findings, and how many of them are still certain in the damaged copy.
  struct Share: Sendable {
    var of = 0
    var kept = 0

    var value: Double { of == 0 ? 1 : Double(kept) / Double(of) }
    var text: String { "\(kept) of \(of) (\(String(format: "%.1f", 100 * value)) %)" }

    static func + (left: Self, right: Self) -> Self { Self(of: left.of + right.of, kept: left.kept + right.kept) }
  }

  /// - Returns: `nil` if the chosen log cannot be damaged in the chosen way.
  init?(seed: UInt64, of logs: [LiveLog], in directory: String) throws {
    var random = SeededRandom(seed: seed)
    let log = logs[Int(seed) % logs.count]
    guard let damages = Damages(log, logs, &random) else { return nil }
    (self.seed, self.log, damage) = (seed, log.name, damages.name)
    // The file's name tells the seed if a reader traps.
    let path = "\(directory)/damaged-\(seed).xlog"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try damages.files.write(to: path)
    guard let reading = try LogReading([path]) else {
      isUnreadable = true
      return
    }
    judge(reading, damages, log, path)
    if seed % 8 == 0 { try judgeOtherModes(damages, log, path) }
    if seed % 50 == 7 { try compareWithTool(reading, path) }
    if !faults.isEmpty, let kept = testVariable("XFERLOG_KEEP") {
      try damages.files.write(to: "\(kept)/\(seed)/damaged.xlog")
      try log.files.write(to: "\(kept)/\(seed)/whole.xlog")
    }
  }

  /// The files of a log after one or two damages.
  private struct Damages {
    let kinds: [FileDamage]
    let files: LogFiles
    let other: LiveLog

    init?(_ log: LiveLog, _ logs: [LiveLog], _ random: inout SeededRandom) {
      other = logs.filter { $0.name != log.name }.randomElement(using: &random) ?? log
      var (kinds, files): ([FileDamage], LogFiles) = ([], log.files)
      let count = Int.random(in: 0..<5, using: &random) == 0 ? 2 : 1
      for kind in FileDamage.allCases.shuffled(using: &random) where kinds.count < count {
        guard let next = kind.applied(to: files, of: log.files, salvaged: log.salvaged, other: other.files, &random) else {
          continue
        }
        kinds.append(kind)
        files = next
      }
      if kinds.isEmpty { return nil }
      (self.kinds, self.files) = (kinds, files)
      isSameInstallation = other.installations == log.installations
    }

    let isSameInstallation: Bool

    var name: String {
      if kinds.count > 1 { return "two at once" }
      guard kinds[0] == .mixedLogs else { return "\(kinds[0])" }
      return isSameInstallation ? "mixed logs of one installation" : "mixed logs of two installations"
    }
    var text: String { kinds.map { "\($0)" }.joined(separator: " and ") }
    var addsEvents: Bool { kinds.contains(where: \.addsEvents) }
  }

  // MARK: Judgement

  private func what(_ damages: Damages) -> String { "seed \(seed), \(log), \(damages.text)" }

  private mutating func judge(_ reading: LogReading, _ damages: Damages, _ log: LiveLog, _ path: String) {
    let truth = log.reading
    judgeCertainty(of: reading, damages, log)
    let lost = reading.lost(from: truth)
    hasLoss = !lost.isEmpty
    let isNoticed = !Set(reading.losses).subtracting(truth.losses).isEmpty
    if hasLoss, !isNoticed {
      unnoticeable = Unnoticeable.kind(of: lost, in: reading, damages.files, log, path)
      if unnoticeable == nil {
        faults.append("\(what(damages)): \(lost.count) events are missing, but nothing says so: \(reading.reasons)")
      }
    }
    if truth.losses.isEmpty, reading.losses.isEmpty == reading.verifiesLoss {
      faults.append(
        "\(what(damages)): verify \(reading.verifiesLoss ? "sees" : "does not see") a loss; replay says \(reading.reasons)")
    }
    if reading.verifiesLoss && !reading.isRefused || reading.isRefused && !reading.verifiesFlaw {
      faults.append(
        "\(what(damages)): strict \(reading.isRefused ? "refuses" : "accepts") the log, but verify "
          + (reading.verifiesLoss ? "sees a loss" : reading.verifiesFlaw ? "sees a flaw" : "sees no flaw"))
    }
    count(reading, lost, damages, log)
  }

  /// Notes the certain findings that the undamaged log contradicts.
  private mutating func judgeCertainty(of reading: LogReading, _ damages: Damages, _ log: LiveLog, mode: String = "") {
    let known = log.reading.findings + (damages.addsEvents ? damages.other.reading.findings : [])
    let certainty = Dictionary(known.map { ($0.key, $0.certainty) }, uniquingKeysWith: max)
    for finding in reading.certain {
      switch certainty[finding.key] {
      case nil: faults.append("\(what(damages))\(mode): \(finding.key) is wrong")
      case .certain: break
      case let less?: faults.append("\(what(damages))\(mode): \(finding.key) is certain, but the undamaged log says \(less)")
      }
    }
  }

  private mutating func count(_ reading: LogReading, _ lost: Set<LogReading.Place>, _ damages: Damages, _ log: LiveLog) {
    let certain = Set(reading.certain.map(\.key))
    let damagedLanes = Set(lost.map { Lane($0) })
    let damagedWriters = Set(lost.map(\.launch))
    for finding in log.reading.certain where lost.isDisjoint(with: finding.evidence) {
      let isKept = certain.contains(finding.key)
      cited = cited + Share(of: 1, kept: isKept ? 1 : 0)
      guard damagedWriters.isDisjoint(with: log.reading.deciding(finding)),
        damagedLanes.isDisjoint(with: finding.evidence.map { Lane($0) })
      else { continue }
      intact = intact + Share(of: 1, kept: isKept ? 1 : 0)
      if isKept { continue }
      let now = reading.findings.first { $0.key == finding.key }
      lowered.append(
        "\(damages.text): \(finding.key.rule) \(now.map { "\($0.certainty), \($0.lowered)" } ?? "is gone") [seed \(seed), \(self.log)]"
      )
    }
  }

  private struct Lane: Hashable {
    let launch: LaunchID
    let lane: UInt32

    init(_ place: LogReading.Place) { (launch, lane) = (place.launch, place.lane) }
  }

  /// Checks that the modes `prefix` and `salvage` claim nothing wrong either.
  private mutating func judgeOtherModes(_ damages: Damages, _ log: LiveLog, _ path: String) throws {
    for mode in [RecoveryMode.prefix, .salvage] {
      guard let reading = try LogReading([path], recovery: mode) else { continue }
      judgeCertainty(of: reading, damages, log, mode: " read with --recovery \(mode)")
    }
  }

  /// Checks that the program `xferlog` says what this process says.
  private mutating func compareWithTool(_ reading: LogReading, _ path: String) throws {
    let tool = try Replayed(log: path)
    let (ours, theirs) = (
      reading.findings.map { "\($0.key.rule) \($0.certainty)" }, tool.findings.map { "\($0.rule) \($0.certainty)" }
    )
    if ours != theirs || reading.isComplete != tool.complete || reading.verdict != tool.verdict {
      faults.append("seed \(seed): xferlog says \(tool.verdict) \(theirs), this process says \(reading.verdict) \(ours)")
    }
  }
}
