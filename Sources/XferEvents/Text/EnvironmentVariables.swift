extension [String: String] {
  /// These environment variables without those that have an empty value. An empty variable counts as not set, so that `NAME=` before a
  /// command, or an unset value in a script, has the effect of `unset NAME`.
  package var withoutEmptyVariables: Self { filter { !$0.value.isEmpty } }
}
