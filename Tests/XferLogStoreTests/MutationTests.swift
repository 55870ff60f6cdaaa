import Foundation
import LogTestSupport
import Testing

/// Tests of segments with wrong contents but valid checksums.
struct MutationTests {
  /// The results that `log-reader-probe` prints, by name.
  private struct Figures {
    private(set) var numbers: [String: Int] = [:]

    init(_ text: String) {
      for pair in text.split(whereSeparator: \.isWhitespace) {
        let parts = pair.split(separator: "=")
        if parts.count == 2 { numbers[String(parts[0])] = Int(parts[1]) }
      }
    }

    subscript(_ name: String) -> Int { numbers[name] ?? 0 }
  }

  private static let perProcess = 2500

  /// The seed of a mutation that defines a string and a task with symbols in the millions.
  private static let farSymbol: UInt64 = 5308

  /// The maximum resident memory of a reader of mutated segments, in KiB.
  private static let memoryLimit = 64 * 1024

  @Test(arguments: WrittenLog.Form.allCases)
  func `Mutated records with valid checksums cause no trap, hang or excessive memory use`(form: WrittenLog.Form) throws {
    try mutate(WrittenLog(form, .small).bytes, "\(form)")
  }

  @Test(arguments: [WrittenLog.Form.open, .closed])
  func `Mutated sealed segments cause no trap, hang or excessive memory use`(form: WrittenLog.Form) throws {
    try mutate(sealedSegment(WrittenLog(form, .small).bytes, compresses: false), "\(form), sealed")
  }

  @Test(arguments: [WrittenLog.Form.open, .closed])
  func `A forged index, trailer or block causes no trap, and what it hides is reported`(form: WrittenLog.Form) throws {
    let directory = TemporaryDirectory()
    let segment = try directory.write(sealedSegment(WrittenLog(form, .small).bytes, compresses: false), to: "000001.seg")
    let seeds = seeds(100, campaign: 50_000)
    var (files, consistent, complete, peak) = (0, 0, 0, 0)
    for start in stride(from: 0, to: seeds.count, by: Self.perProcess) {
      let batch = seeds[start..<min(start + Self.perProcess, seeds.count)]
      let progress = Acknowledgements(path: directory.path("progress"))
      let run = try ToolRun(
        "log-reader-probe", [segment, directory.path("progress"), "\(batch.first ?? 0)", "\(batch.count)", "forge"])
      guard run.status == 0 else {
        Issue.record("\(form), seed \(progress[0]): status \(run.status) \(run.standardError)")
        return
      }
      let figures = Figures(run.text)
      files += figures["files"]
      consistent += figures["consistent"]
      complete += figures["complete"]
      peak = max(peak, figures["peak"])
      #expect(figures["silent"] == 0, "\(form), seed \(figures["silentSeed"]): events are missing without a report")
      #expect(figures["leaked"] == 0, "\(form), seeds \(batch): descriptors were left open")
    }
    print(
      "forgeries of a sealed segment \(form): \(files) files, seeds \(seeds[0])..., \(consistent) with right checksums, all events read "
        + "in \(complete), peak memory \(peak) KiB")
    #expect(files == seeds.count)
    #expect(consistent * 10 >= files * 9 || files < 10)
    #expect(peak <= Self.forgeryMemoryLimit, "\(form): \(peak) KiB")
  }

  /// The maximum resident memory in KiB for forged sizes, which may be as large as those of any valid segment.
  private static let forgeryMemoryLimit = 256 * 1024

  private func mutate(_ bytes: [UInt8], _ form: String) throws {
    let directory = TemporaryDirectory()
    let segment = try directory.write(bytes, to: "000001.seg")
    let seeds = seeds(40, campaign: 20_000)
    var runs = stride(from: 0, to: seeds.count, by: Self.perProcess).map { seeds[$0..<min($0 + Self.perProcess, seeds.count)] }
    if !seeds.contains(Self.farSymbol), seeds.count > 1 { runs.append([Self.farSymbol]) }
    var (files, reached, peak, slowest, slowestSeed) = (0, 0, 0, 0, 0)
    for batch in runs {
      let progress = Acknowledgements(path: directory.path("progress"))
      let run = try ToolRun(
        "log-reader-probe", [segment, directory.path("progress"), "\(batch.first ?? 0)", "\(batch.count)"])
      guard run.status == 0 else {
        Issue.record("\(form), seed \(progress[0]): status \(run.status) \(run.standardError)")
        return
      }
      let figures = Figures(run.text)
      files += figures["files"]
      reached += figures["reached"]
      peak = max(peak, figures["peak"])
      if figures["slowest"] > slowest { (slowest, slowestSeed) = (figures["slowest"], figures["slowestSeed"]) }
    }
    print(
      "mutations of a segment \(form): \(files) files, seeds \(seeds[0])..., changed events decoded in \(reached), "
        + "peak memory \(peak) KiB, slowest \(slowest) ms a MiB (seed \(slowestSeed))")
    #expect(files == runs.reduce(0) { $0 + $1.count })
    #expect(reached * 10 >= files * 9 || files < 10, "\(form): changed events were decoded in \(reached) files of \(files)")
    #expect(peak <= Self.memoryLimit, "\(form): \(peak) KiB")
  }
}
