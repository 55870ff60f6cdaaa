import Foundation
import LogTestSupport
import Testing

/// Segments that are wrong although every checksum in them is right.
struct MutationTests {
  /// Figures of a run of `log-reader-probe`, by their names.
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

  /// Defines a string and a task with numbers in the millions.
  private static let farSymbol: UInt64 = 5308

  /// Resident memory that a reader of such files may take, in KiB.
  private static let memoryLimit = 64 * 1024

  @Test(arguments: WrittenLog.Form.allCases)
  func `No reader traps, hangs or swells, whatever stands behind right checksums`(form: WrittenLog.Form) throws {
    try mutate(WrittenLog(form, .small).bytes, "\(form)")
  }

  @Test(arguments: [WrittenLog.Form.open, .closed])
  func `Nor when the segment is sealed`(form: WrittenLog.Form) throws {
    try mutate(sealedSegment(WrittenLog(form, .small).bytes, compresses: false), "\(form), sealed")
  }

  @Test(arguments: [WrittenLog.Form.open, .closed])
  func `A forged index, trailer or block traps no reader, and what it hides is reported`(form: WrittenLog.Form) throws {
    let directory = TemporaryDirectory()
    let segment = try directory.write(sealedSegment(WrittenLog(form, .small).bytes, compresses: false), to: "000001.seg")
    let seeds = seeds(400, campaign: 50_000)
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
      #expect(figures["silent"] == 0, "\(form), seed \(figures["silentSeed"]): events are missing, and nothing is said")
      #expect(figures["leaked"] == 0, "\(form), seeds \(batch): descriptors are left open")
    }
    print(
      "forgeries of a sealed segment \(form): \(files) files, seeds \(seeds[0])..., \(consistent) with right checksums, all events read "
        + "in \(complete), peak memory \(peak) KiB")
    #expect(files == seeds.count)
    #expect(consistent * 10 >= files * 9 || files < 10)
    #expect(peak <= Self.forgeryMemoryLimit, "\(form): \(peak) KiB")
  }

  /// A forged size may ask for as much as a segment can have.
  private static let forgeryMemoryLimit = 256 * 1024

  private func mutate(_ bytes: [UInt8], _ form: String) throws {
    let directory = TemporaryDirectory()
    let segment = try directory.write(bytes, to: "000001.seg")
    let seeds = seeds(150, campaign: 20_000)
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
