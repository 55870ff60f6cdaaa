import Testing
import XferEvents

@testable import XferDiagnosis

/// The compatibility table of fingerprints, and the dates of entries.
struct AcceptanceTests {
  private static let basis = FingerprintBasis(
    rule: "lost-completion", variant: "never sent", name: "photos", method: "GET", host: "example.com")
  private static let today = ExpiryDay(of: WallTime(nanoseconds: 1_795_183_327_000_000_000))

  /// A version that also distinguishes findings of different methods.
  private static let second = FingerprintVersion(number: 2) { basis in String(basis.rule.utf8.count, radix: 16) }

  private static func entry(_ fingerprint: String, expires: String? = nil) -> AcceptedEntry {
    AcceptedEntry(kind: .baseline, fingerprint: fingerprint, expires: expires, place: "base.yaml:3")
  }

  @Test func `An entry with a fingerprint of an older version still matches after a new version was added`() {
    let old = FingerprintVersion.all[0].fingerprint(of: Self.basis)
    var acceptance = Acceptance([Self.entry(old)], today: Self.today, versions: FingerprintVersion.all + [Self.second])
    #expect(acceptance.entry(for: Self.basis)?.fingerprint == old)
    let new = Self.second.fingerprint(of: Self.basis)
    #expect(new == "2:f")
    acceptance = Acceptance(
      [Self.entry(new), Self.entry(old)], today: Self.today, versions: FingerprintVersion.all + [Self.second])
    #expect(acceptance.entry(for: Self.basis)?.fingerprint == new)
    #expect(acceptance.matches == [1, 1] && acceptance.unused.isEmpty)
    // An older program knows only version 1.
    acceptance = Acceptance([Self.entry(new)], today: Self.today)
    #expect(acceptance.entry(for: Self.basis) == nil && acceptance.standings == [.unknownVersion])
    #expect(acceptance.warnings(judgesUse: true).count == 1)
  }

  @Test func `The fingerprint of a finding has the newest version, and every version has its own number`() {
    let numbers = FingerprintVersion.all.map(\.number)
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    #expect(FingerprintVersion.current.number == numbers.last)
    #expect(
      FingerprintVersion.all[0].fingerprint(of: Self.basis)
        == Fingerprint.make(rule: "lost-completion", variant: "never sent", name: "photos", method: "GET", host: "example.com"))
  }

  @Test func `The first entry in force accepts a finding`() {
    let fingerprint = FingerprintVersion.all[0].fingerprint(of: Self.basis)
    var acceptance = Acceptance(
      [Self.entry(fingerprint, expires: "2026-11-19"), Self.entry(fingerprint, expires: "2026-11-20")], today: Self.today)
    #expect(acceptance.entry(for: Self.basis)?.expires == "2026-11-20")
    #expect(acceptance.standings == [.expired, .inForce])
  }

  @Test func `Only dates that exist are dates`() {
    for text in ["2026-11-20", "2024-02-29", "1970-01-01", "9999-12-31"] { #expect(ExpiryDay(text) != nil, "\(text)") }
    for text in [
      "", "2026-11-31", "2026-02-29", "2026-13-01", "2026-00-01", "2026-01-00", "2026-1-1", "26-01-01", "2026-11-20T00:00",
      "٢٠٢٦-11-20", "+026-01-01",
    ] {
      #expect(ExpiryDay(text) == nil, "\(text)")
    }
    #expect(ExpiryDay("1970-01-02")! > ExpiryDay(of: WallTime(nanoseconds: 86_399_999_999_999)))
    #expect(ExpiryDay(of: WallTime(nanoseconds: -1)) < ExpiryDay("1970-01-01")!)
  }
}
