internal import CCurl

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Parsing and formatting of HTTP dates.
package enum HTTPDate {
  /// Parses a date in any of HTTP's three formats (RFC 9110 §5.6.7). Returns seconds since 1970; `nil` when invalid.
  package static func seconds(_ text: String) -> Int? {
    let time = curl_getdate(text, nil)
    return time == -1 ? nil : Int(time)
  }

  /// Formats seconds since 1970 as an IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  package static func text(_ seconds: Int) -> String {
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    var (time, parts) = (time_t(seconds), tm())
    gmtime_r(&time, &parts)
    let pad = { (number: Int32) in number < 10 ? "0\(number)" : "\(number)" }
    return "\(days[Int(parts.tm_wday)]), \(pad(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(Int(parts.tm_year) + 1900) "
      + "\(pad(parts.tm_hour)):\(pad(parts.tm_min)):\(pad(parts.tm_sec)) GMT"
  }
}
