import XferDiagnosis
import XferPredicate
import XferReading
import XferReport

/// The preparations of `show` and `tail` before they read events: the inputs, the rules in force, and the filter and the form of the events.
struct ListingSetup {
  let inputs: LogInputs
  /// The rules in force. `nil` if findings are not shown.
  let rules: RuleSet?
  let filter: EventFilter
  let template: LineTemplate?

  /// The options of both commands.
  struct Options {
    let log: [String]
    let filter: FilterOptions
    let form: OutputOptions
    let rules: RuleOptions
    let damage: RecoveryOptions
    let outcome: OutcomeOptions
  }

  /// Prepares reading, and reports inputs that cannot be read.
  ///
  /// - Parameter plain: The rules that the options name. `nil` if findings are not shown.
  init(_ options: Options, plain: RuleSources?, isFollowing: Bool = false, _ surroundings: Surroundings) throws {
    var filter = try options.filter.filter(surroundings, isFollowing: isFollowing)
    template = try options.form.lineTemplate(QueryContext(surroundings, isFollowing: isFollowing))
    inputs = try LogInputs(options.log, surroundings, mayAppear: isFollowing, mayBeAbsent: options.outcome.allowEmpty)
    inputs.remarkRefusals()
    let inputs = inputs
    rules = try plain.map { try options.rules.inForce(for: inputs, plain: $0) }
    if plain == nil { try options.rules.check(for: inputs) }
    try options.filter.resolve(
      &filter, shown: template?.fields ?? [], in: inputs, surroundings, isFollowing: isFollowing,
      rules: options.rules, recovery: options.damage.recovery)
    self.filter = filter
  }
}
