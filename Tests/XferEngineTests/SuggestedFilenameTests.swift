import Testing

@testable import XferEngine

struct SuggestedFilenameTests {
  private static let url = "http://h/dir/from-url.txt?q=/x#/y"

  @Test(arguments: [
    ("attachment; filename=a.txt", "a.txt"), ("attachment; filename=\"a b.txt\"", "a b.txt"),
    ("inline;FILENAME = a.txt ; x=y", "a.txt"),
    ("attachment; filename=a b.txt; size=3", "a b.txt"), ("filename=a.txt", "a.txt"),
    (#"attachment; filename="say \"hi\".txt""#, #"say "hi".txt"#), (#"attachment; filename="a;b=c.txt"; x="d""#, "a;b=c.txt"),
    ("attachment; filename=\"unended.txt", "unended.txt"), ("attachment; x=\"; filename=no\"; filename=yes", "yes"),
    ("attachment; filename=first; filename=second", "first"),
    ("attachment; filename=ascii.txt; filename*=UTF-8''na%C3%AFve%20%e2%82%ac.txt", "naïve €.txt"),
    ("attachment; filename*=iso-8859-1'en'na%EFve.txt; filename=other", "naïve.txt"),
    ("attachment; filename*=UTF-8''a%2Fb%5Cc%252e.txt", "c%2e.txt"), ("attachment; filename=a%20b.txt", "a%20b.txt"),
    ("attachment; filename*=UTF-8''%ff; filename=b", "b"), ("attachment; filename*=UTF-8''%4; filename=b", "b"),
    ("attachment; filename*=koi8-r''%C1; filename=b", "b"), ("attachment; filename*=b2; filename=b", "b"),
    ("attachment; filename*0=\"long\"; filename*1*=%2D%C3%AF; filename*2=\".txt\"; filename=b", "long-ï.txt"),
    ("attachment; filename*0*=iso-8859-1'de'%FC; filename*1*=%FC", "üü"), ("attachment; filename*1=x; filename=b", "b"),
    ("attachment; filename*0*=UTF-8''%zz; filename=b", "b"), ("attachment", "from-url.txt"), ("", "from-url.txt"),
    (";;;===;\"", "from-url.txt"), ("attachment; filename=", "from-url.txt"), ("attachment; filename*=UTF-8''; filename=b", "b"),
  ])
  func `The file name is taken from Content-Disposition`(field: String, name: String) {
    #expect(SuggestedFilename(contentDisposition: field, urlText: Self.url).text == name)
  }

  @Test(arguments: [
    ("http://h/a/b.txt?x=/c#/d", "b.txt"), ("http://h/na%C3%AFve%20a.txt", "naïve a.txt"), ("http://h/%252e%252e", "%2e%2e"),
    ("http://h/a%2Fb", "b"), ("http://h/%ff", "%ff"), ("http://h/100%", "100%"), ("http://h", "index.html"),
    ("http://h/", "index.html"),
    ("http://h/a/", "index.html"), ("http://h/a/..", "index.html"), ("http://h?x=/a", "index.html"), ("", "index.html"),
  ])
  func `Without Content-Disposition, the file name is the last path component of the URL`(url: String, name: String) {
    #expect(SuggestedFilename(contentDisposition: nil, urlText: url).text == name)
  }

  @Test(arguments: [
    ("../../etc/passwd", "passwd"), ("/etc/passwd", "passwd"), (#"..\..\boot.ini"#, "boot.ini"), ("a/", "from-url.txt"),
    ("..", "from-url.txt"),
    (".", "from-url.txt"), ("...", "from-url.txt"), (".bashrc", "_bashrc"), ("..bashrc", "_.bashrc"), (" .bashrc", "_bashrc"),
    ("~", "_"), ("~root", "_root"), ("-rf", "_rf"), ("a. . ", "a"), (" a b ", "a b"), ("\u{1B}[31ma", "_[31ma"),
    ("a\u{7F}b\u{85}c", "a_b_c"),
    ("a\u{0}.txt", "a_.txt"), ("a\r\nb", "a__b"), ("fdp\u{202E}txt.exe", "fdp_txt.exe"),
    ("a\u{2028}b\u{200D}c\u{FEFF}", "a_b_c_"),
    ("a/\u{301}b", "_\u{301}b"), ("\u{3000}\u{A0}a\u{3000}", "a"), ("con", "con"), ("%2e%2e%2f", "%2e%2e%2f"),
    ("日本語.txt", "日本語.txt"),
  ])
  func `A suggested name stays in its directory and has no control characters`(suggestion: String, name: String) {
    let quoted = suggestion.replacing("\\", with: "\\\\")
    let said = SuggestedFilename(contentDisposition: "attachment; filename=\"\(quoted)\"", urlText: Self.url).text
    #expect(said == name && Array(said.utf8) == Array(name.utf8))
  }

  @Test func `A long name is truncated between characters and keeps its extension`() {
    func name(_ suggestion: String) -> String {
      SuggestedFilename(contentDisposition: "attachment; filename=\"\(suggestion)\"", urlText: Self.url).text
    }
    #expect(name(String(repeating: "a", count: 200)) == String(repeating: "a", count: 200))
    #expect(name(String(repeating: "a", count: 300) + ".txt") == String(repeating: "a", count: 196) + ".txt")
    #expect(name(String(repeating: "é", count: 150)) == String(repeating: "é", count: 100))
    #expect(name("a" + String(repeating: "é", count: 150)) == "a" + String(repeating: "é", count: 99))
    let family = "e\u{301}\u{302}\u{303}\u{304}"
    #expect(name(String(repeating: family, count: 50)) == String(repeating: family, count: 22))
    #expect(name("a." + String(repeating: "b", count: 300)).utf8.count == 200)
    #expect(
      name(String(repeating: "a", count: 190) + String(repeating: " ", count: 100) + ".txt") == String(repeating: "a", count: 190)
        + ".txt")
    let pile = "a" + String(repeating: "\u{301}", count: 300)
    #expect(name(pile).utf8.count == 199 && name(pile).unicodeScalars.count == 100)
  }
}
