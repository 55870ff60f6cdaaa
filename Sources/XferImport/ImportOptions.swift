/// What the user knows about a foreign log that the log itself does not tell.
package struct ImportOptions: Sendable {
  package struct Date: Hashable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int

    package init(year: Int, month: Int, day: Int) { (self.year, self.month, self.day) = (year, month, day) }
  }

  /// The date of the first record.
  package var date: Date?
  /// Returns the seconds east of UTC of the log's time zone at a local time in seconds since 1970.
  package var zone: (@Sendable (Int64) -> Int)?

  package init(date: Date? = nil, zone: (@Sendable (Int64) -> Int)? = nil) { (self.date, self.zone) = (date, zone) }
}
