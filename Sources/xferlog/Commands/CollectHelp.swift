import ArgumentParser
import XferReading
import XferReport

struct CollectHelp: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collect-help",
    abstract: "Print how to collect the logs of a system, and what they can prove.",
    usage: "xferlog collect-help [<system>]",
    discussion: """
      Prints numbered steps: the commands with predicate and level, what each capture shows, and what it cannot show. Without an \
      argument, lists the systems.

      Example: xferlog collect-help apple
      """)

  @Argument(help: "The system whose logs to collect.")
  var system: CollectionSystem?

  @OptionGroup
  var paging: PagingOptions

  func run() throws {
    let output = StandardOutput()
    output.buffer.append(system.map { CollectionRecipeText.page(of: .of($0)) } ?? CollectionRecipeText.list())
    try output.flush()
  }
}

extension CollectionSystem: ExpressibleByArgument {}
