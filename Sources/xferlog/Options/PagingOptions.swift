import ArgumentParser

/// When to show output page by page.
enum PagingChoice: String, ArgumentChoice, Sendable {
  case auto, always, never
}

/// The options for the pager.
struct PagingOptions: ParsableArguments {
  @Flag(help: "Do not show long output in a pager (see xferlog config --help).")
  var noPager = false

  @Option(help: .hidden)
  var paging: PagingChoice?

  func validate() throws {
    if noPager, let paging, paging != .never {
      throw ValidationError("--no-pager cannot be combined with --paging \(paging.rawValue)")
    }
  }

  var choice: PagingChoice? { noPager ? .never : paging }
}
