internal import CCurl

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

package enum HTTPDate {
  /// Seconds since 1970, of any of HTTP's three forms (RFC 9110 §5.6.7); `nil` for what is no date.
  package static func seconds(_ text: String) -> Int? {
    let time = curl_getdate(text, nil)
    return time == -1 ? nil : Int(time)
  }

  /// In the form that HTTP sends: `Sun, 06 Nov 1994 08:49:37 GMT`.
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
