/// Recipes for collecting logs, as text.
package enum CollectionRecipeText {
  /// The maximum width of running text in columns. Commands are never broken, so that they can be copied.
  private static let columns = 88

  /// Returns a line for each system with the argument of `xferlog collect-help` and what its recipe covers.
  package static func list() -> String {
    let width = CollectionSystem.allCases.map(\.rawValue.count).max() ?? 0
    return CollectionSystem.allCases.map { system in
      "\(system.rawValue.padded(to: width))  \(system.summary)\n"
    }
    .joined()
  }

  package static func page(of recipe: CollectionRecipe) -> String {
    var lines = [recipe.title]
    for (place, step) in recipe.steps.enumerated() {
      lines.append("")
      lines += paragraph("\(place + 1).", step.title + (step.commands.isEmpty ? "." : ":"), hang: 3)
      lines += step.commands.map { "     $ \($0)" }
      lines += paragraph("   Shows:", step.shows, hang: 5)
      lines += paragraph("   Cannot show:", step.cannotShow, hang: 5)
    }
    lines += ["", "Not in any of these logs:"]
    lines += recipe.limits.flatMap { paragraph("-", $0, hang: 2) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a text after its label, wrapped. Further lines are indented by `hang` columns.
  private static func paragraph(_ label: String, _ text: String, hang: Int) -> [String] {
    TerminalText.wrapped("\(label) \(text)", to: columns, hang: hang)
  }
}
