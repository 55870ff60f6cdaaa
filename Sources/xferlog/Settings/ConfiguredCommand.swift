/// A command with the option `--config`, which names the configuration file.
protocol ConfiguredCommand {
  var rules: RuleOptions { get }
}

extension Show: ConfiguredCommand {}
extension Tail: ConfiguredCommand {}
extension ReplayCommand: ConfiguredCommand {}
extension Why: ConfiguredCommand {}
extension QueryCommand: ConfiguredCommand {}
extension Stats: ConfiguredCommand {}
extension Diff: ConfiguredCommand {}
extension Index: ConfiguredCommand {}
extension Export: ConfiguredCommand {}
extension Report: ConfiguredCommand {}
extension Collect: ConfiguredCommand {}
extension Metrics: ConfiguredCommand {}
extension SQL: ConfiguredCommand {}
extension Rules.List: ConfiguredCommand {}
extension Rules.Explain: ConfiguredCommand {}
extension ConfigShow: ConfiguredCommand {}

extension Baseline.Update: ConfiguredCommand {
  var rules: RuleOptions { options.rules }
}

extension Baseline.Check: ConfiguredCommand {
  var rules: RuleOptions { options.rules }
}

extension Baseline.Explain: ConfiguredCommand {
  var rules: RuleOptions { options.rules }
}

/// A command with options for the zone of times.
protocol ZonedCommand {
  var zones: ZoneOptions { get }
}

extension Show: ZonedCommand {
  var zones: ZoneOptions { form.zones }
}

extension Tail: ZonedCommand {
  var zones: ZoneOptions { form.zones }
}

extension QueryCommand: ZonedCommand {
  var zones: ZoneOptions { form.zones }
}
extension ConfigShow: ZonedCommand {}
