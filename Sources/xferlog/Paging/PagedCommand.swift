/// A command whose output is shown in a pager if it is longer than the terminal.
protocol PagedCommand {
  var paging: PagingOptions { get }
  /// Whether the output has an end and the command does not itself control the terminal.
  var canBePaged: Bool { get }
}

extension PagedCommand {
  var canBePaged: Bool { true }
}

extension Show: PagedCommand {
  var paging: PagingOptions { form.page.paging }
}

extension Tail: PagedCommand {
  var paging: PagingOptions { form.page.paging }
  var canBePaged: Bool { !isFollowing }
}

extension ReplayCommand: PagedCommand {
  var paging: PagingOptions { form.paging }
  var canBePaged: Bool { !moment.step && job.ci != true }
}

extension Why: PagedCommand {
  var paging: PagingOptions { form.paging }
}

extension Diff: PagedCommand {
  var paging: PagingOptions { form.paging }
}

extension QueryCommand: PagedCommand {
  var paging: PagingOptions { form.page.paging }
}

extension Baseline.Check: PagedCommand {
  var paging: PagingOptions { form.paging }
}

extension Baseline.Explain: PagedCommand {
  var paging: PagingOptions { form.paging }
}

extension FleetReport: PagedCommand {
  var paging: PagingOptions { form.paging }
  // Only the text is for people at a terminal.
  var canBePaged: Bool { output == .text }
}

extension Stats: PagedCommand {}
extension SQL: PagedCommand {}
extension Verify: PagedCommand {}
extension Rules.List: PagedCommand {}
extension Rules.Explain: PagedCommand {}
extension Schema: PagedCommand {}
extension CollectHelp: PagedCommand {}
extension ConfigShow: PagedCommand {}
