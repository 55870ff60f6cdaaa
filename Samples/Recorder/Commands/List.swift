import ArgumentParser

struct List: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "List the samples with their expected rule and injected fault.")

  func run() {
    let width = SampleCatalogue.all.map(\.name.count).max() ?? 0
    for sample in SampleCatalogue.all {
      let name = sample.name + String(repeating: " ", count: width - sample.name.count)
      print("\(name)  \(sample.rule ?? "-")  \(sample.fault)")
    }
  }
}
