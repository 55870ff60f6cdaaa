import ArgumentParser

struct List: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Name the samples, the rule that is to speak, and what was injected.")

  func run() {
    let width = SampleCatalogue.all.map(\.name.count).max() ?? 0
    for sample in SampleCatalogue.all {
      let name = sample.name + String(repeating: " ", count: width - sample.name.count)
      print("\(name)  \(sample.rule ?? "-")  \(sample.fault)")
    }
  }
}
