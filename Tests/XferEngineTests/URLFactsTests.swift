import Testing
import XferEvents

@testable import XferEngine

struct URLFactsTests {
  struct Reading: Sendable, CustomTestStringConvertible {
    let url: String
    let facts: URLFacts
    let text: String

    var testDescription: String { url }
  }

  private static func reads(
    _ url: String, scheme: String = "http", host: String = "h", zone: String? = nil, port: Int? = nil, path: String = "/",
    query: String? = nil, as text: String
  ) -> Reading {
    Reading(
      url: url, facts: URLFacts(scheme: scheme, host: host, zone: zone, port: port, path: path, query: query), text: text)
  }

  @Test(arguments: [
    reads("http://h", as: "http://h/"),
    reads("HTTP://H:80/A", path: "/A", as: "http://h/A"),
    reads("https://h:443", scheme: "https", as: "https://h/"),
    reads("https://h:80/", scheme: "https", port: 80, as: "https://h:80/"),
    reads("http://h?x=1", query: "x=1", as: "http://h/?x=1"),
    reads("http://h/?#f", as: "http://h/"),
    reads("http://user:pass@h:8080/a/../b?c#d", port: 8080, path: "/a/../b", query: "c", as: "http://h:8080/a/../b?c"),
    reads("http://[2001:DB8::1]:81/", host: "[2001:db8::1]", port: 81, as: "http://[2001:db8::1]:81/"),
    reads(
      "http://[fe80::1%25eth0]:81/x", host: "[fe80::1]", zone: "eth0", port: 81, path: "/x", as: "http://[fe80::1%25eth0]:81/x"),
    reads("http://h/%C3%BC%20b?q=%2F", path: "/%C3%BC%20b", query: "q=%2F", as: "http://h/%C3%BC%20b?q=%2F"),
    reads("http://h/ü b", path: "/%c3%bc%20b", as: "http://h/%c3%bc%20b"),
    reads("http://bücher.example/", host: "bücher.example", as: "http://bücher.example/"),
    reads("http://127.1/", host: "127.0.0.1", as: "http://127.0.0.1/"),
    reads("ftp://h/x", scheme: "ftp", path: "/x", as: "ftp://h/x"),
  ])
  func `A URL is parsed as libcurl does, and formatted without user, password and fragment`(reading: Reading) throws {
    let facts = try URLFacts(reading.url)
    #expect(facts == reading.facts)
    #expect(facts.text == reading.text)
    #expect(try URLFacts(facts.text) == facts, "the formatted URL must parse to the same components")
  }

  @Test(arguments: [
    "", "h", "//h/", "http://", "http://h:99999/", "http://h:x/", "http://a b/", "http://[::1/", "http://h/\u{0}x",
  ])
  func `An invalid URL is rejected`(text: String) {
    #expect(throws: TransferError.self) { try URLFacts(text) }
  }

  @Test(arguments: [
    ("../x", "http://h/a/x"), ("x?y", "http://h/a/b/x?y"), ("/x", "http://h/x"), ("?n=1", "http://h/a/b/c?n=1"),
    ("//other:9/z", "http://other:9/z"), ("https://o/", "https://o/"), ("file:///etc/passwd", "file:///etc/passwd"),
    ("http://me:pw@o/", "http://o/"), ("/ü x", "http://h/%c3%bc%20x"),
  ])
  func `A Location is resolved against the URL of its response`(location: String, url: String) throws {
    #expect(try URLFacts("http://h/a/b/c?q").resolving(location).text == url)
  }

  @Test func `URLs with equal scheme, host and port have the same origin`() throws {
    let origin = try URLFacts("http://h/a").origin
    for same in ["http://H:80/b", "http://u:p@h/"] { #expect(try URLFacts(same).origin == origin) }
    for other in ["https://h/a", "http://h:81/a", "http://h2/a", "http://h.x/a"] { #expect(try URLFacts(other).origin != origin) }
  }

  @Test(arguments: [
    ("X-Amz-Date=20260131T235959Z&X-Amz-Expires=1&X-Amz-Signature=s", "2026-02-01T00:00:00.000000000Z"),
    ("x-goog-date=20240229T000000Z&x-goog-expires=86400", "2024-03-01T00:00:00.000000000Z"),
    ("Expires=1700000000&Signature=s", "2023-11-14T22:13:20.000000000Z"), ("Expires=soon", nil), ("page=2", nil),
    ("X-Amz-Date=2026&X-Amz-Expires=1", nil), ("X-Amz-Date=20260131T235959Z&X-Amz-Expires=-1", nil),
  ])
  func `The expiry of a signed URL is read from its query`(query: String, expiry: String?) {
    #expect(SignedParameters.expiry(in: query)?.description == expiry)
  }

  @Test(arguments: [
    ("a=1&X-Amz-Signature=s&X-Amz-Expires=60&b=2", "a=1&b=2"), ("sig=s&se=2026", "se=2026"), ("%73ig=s", nil), ("TOKEN=s", nil),
    ("Signature=s&Expires=1&Key-Pair-Id=k", nil), ("designer=1&keyboard=2", "designer=1&keyboard=2"), ("a&b=", "a&b="),
    ("x%2Damz%2Dsecurity%2Dtoken=s&c=d%20e", "c=d%20e"),
  ])
  func `Query parameters that grant access are not logged`(query: String, logged: String?) throws {
    let facts = try URLFacts("http://h/p?\(query)")
    #expect(facts.loggedQuery == logged)
    #expect(facts.resource == "http://h/p" + (logged.map { "?\($0)" } ?? ""))
    #expect(facts.target == "/p?\(query)", "the server must receive all parameters")
  }
}
