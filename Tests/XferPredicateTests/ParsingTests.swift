import Testing
import XferPredicate

/// The forms of conditions, and the errors of those that cannot be read.
struct ParsingTests {
  @Test(arguments: [
    // Apple's forms and short forms are the same language.
    (#"subsystem == "com.example" AND category CONTAINS[c] "net""#, #"subsystem = "com.example" and category CONTAINS[c] "net""#),
    ("subsystem=com.example category~=net", #"subsystem = "com.example" and category CONTAINS "net""#),
    (
      #"eventMessage BEGINSWITH "a" || NOT composedMessage ENDSWITH 'b'"#,
      #"eventMessage BEGINSWITH "a" or not eventMessage ENDSWITH "b""#
    ),
    ("messageType == error", "level = error"), ("messageType == 16", "level = error"), ("logType >= \"fault\"", "level >= fault"),
    ("processID == 12 && threadIdentifier != 3", "processID = 12 and thread != 3"),
    (#"status IN {200, 206}"#, "status IN {200, 206}"), ("status in (200,206)", "status IN {200, 206}"),
    ("status BETWEEN {200, 299}", "status BETWEEN {200, 299}"),
    ("status NOT IN {200}", "exists(status) and not status IN {200}"),
    ("a or not host not contains[c] 'b'", #""a" or not (exists(host) and not host CONTAINS[c] "b")"#),
    ("foo not in use", #""foo" and not "in" and "use""#), ("host not a", #""host" and not "a""#),
    ("process LIKE \"ket*\"", "process LIKE \"ket*\""),
    ("path MATCHES \".*\\.bin\"", #"path MATCHES ".*\\.bin""#), (#""net" == category"#, #"category = "net""#),
    ("\"500\" <= status", "status >= 500"), ("host ==[c] \"A\"", "host =[c] \"A\""),
    ("host CONTAINS [cd] \"é\"", "host CONTAINS[cd] \"é\""),
    ("TRUEPREDICATE", "*"), ("FALSEPREDICATE", "not *"), ("", "*"), ("*", "*"),
    // Short forms.
    ("status>=500", "status >= 500"), ("status <> 200", "status != 200"), ("status=<3", "status <= 3"),
    ("status=>3", "status >= 3"),
    ("size>=10MB", "size >= 10MB"), ("took>2s", "task.took > 2s"), ("level>=error", "level >= error"),
    ("level=w", "level = error"),
    ("host~^cdn", #"host ~ "^cdn""#), ("host!~^cdn", #"host !~ "^cdn""#), ("host~~=cdn", #"host ~ "cdn""#),
    ("host=~^cdn", #"host ~ "^cdn""#), ("host =~ \"cdn\"", #"host ~ "cdn""#), ("host=\"~cdn\"", #"host = "~cdn""#),
    ("host?=a", #"host ?= "a""#), ("exists(error)", "exists(error)"), ("not exists(host)", "not exists(host)"),
    ("path=/a?b=c", #"path = "/a?b=c""#), ("host:a.example.com", #"host = "a.example.com""#), ("host:\"a b\"", #"host = "a b""#),
    ("discretionary=yes", "discretionary = true"), ("retryIn<1.5s", "retryIn < 1500ms"), ("bytes>1kB", "received > 1kB"),
    ("time>=2026-11-20T14:02:07Z", "time >= 2026-11-20T14:02:07.000000000Z"),
    ("time<@0", "time < 1970-01-01T00:00:00.000000000Z"),
    ("fields.pid=4", "fields.pid = 4"), ("HOST=a", #"host = "a""#), ("finding.severity>=warning", "finding.severity >= warning"),
    // Words.
    ("timeout", #""timeout""#), ("task.completed", "event = task.completed"), ("\"task.completed\"", #""task.completed""#),
    ("foo:bar", #""foo:bar""#), ("http://a/b", #""http://a/b""#), ("error: bad", #""error:" and "bad""#), ("a!b", #""a!b""#),
    ("hello!", #""hello!""#), ("a&b", #""a&b""#), ("50%", #""50%""#), ("'it''s'", #""it" and "s""#), (#"'a\'b'"#, #""a'b""#),
    // Joining.
    ("a b or c d", #""a" and "b" or "c" and "d""#), ("a and (b or c)", #""a" and ("b" or "c")"#),
    ("(a and b) and c", #""a" and "b" and "c""#),
    ("not a b", #"not "a" and "b""#), ("not (a b)", #"not ("a" and "b")"#), ("!a", #"not "a""#), ("not not a", #"not not "a""#),
    ("a && b || c", #""a" and "b" or "c""#), ("((((a))))", #""a""#),
  ])
  func `A condition has one normalised form, which is read as the same condition`(text: String, normalised: String) throws {
    let predicate = try PredicateParser.predicate(text)
    #expect("\(predicate)" == normalised)
    #expect(try PredicateParser.predicate(normalised) == predicate)
  }

  @Test(arguments: [
    ("hosst=a", "unknown field `hosst`", "^^^^^", "Did you mean host?"),
    ("status>=abc", "`abc` is not a value of `status`, which is a number", "        ^^^", "Write a whole number"),
    ("level=eror", "`eror` is not a value of `level`, which is a level", "      ^^^^", "Did you mean error?"),
    ("sessionKind=backgrund", "`backgrund` is not a value", "            ^^^^^^^^^", "Did you mean background?"),
    ("event=task.complete", "`task.complete` is not a value of `event`", "      ^^^^^^^^^^^^^", "Did you mean task.completed"),
    ("status CONTAINS \"4\"", "`status` is a number, not a text", "       ^^^^^^^^", "Compare with ="),
    ("event<task.created", "`event` is the name of an event and has no order", "     ^", "Compare with = or !="),
    ("host~\"a(\"", "the text is not a regular expression", "     ^^^^", "Escape special characters"),
    ("(a or b", "expected a closing parenthesis", "       ^", "Close the parenthesis"),
    ("a)", "unexpected `)`", " ^", "quotation marks"),
    ("\"abc", "the quoted text does not end", "^^^^", "Add a closing quotation mark"),
    ("status=", "expected a value", "       ^", "after the sign"),
    ("=5", "no field before `=`", "^", "Write a field, a sign and a value"),
    ("a and", "the query ends too early", "     ^", "remove the last operator"),
    ("or a", "unexpected `or`", "^^", "join conditions"), ("exists(", "expected the name of a field", "       ^", "exists(host)"),
    ("status IN 5", "expected a list of values", "          ^", "{200, 206}"),
    ("status BETWEEN {1}", "BETWEEN needs two values", "       ^^^^^^^", "LOWEST"),
    ("status BETWEEN {299, 200}", "the first value of BETWEEN is greater than the second", "       ^^^^^^^", "LOWEST"),
    (
      "received>99999999999999999999", "`99999999999999999999` is too large", "         ^^^^^^^^^^^^^^^^^^^^",
      "The largest number is 9223372036854775807"
    ),
    ("url=a", "unknown field `url`", "^^^", "Did you mean scheme or host or path or urlQuery?"),
    ("Since=5m", "unknown field `Since`", "^^^^^", "Did you mean time?"),
    ("hots=a", "unknown field `hots`", "^^^^", "Did you mean host?"),
    ("qq=a", "unknown field `qq`", "^^", "`xferlog query --list-fields` lists all fields."),
    ("event=task.*", "`task.*` is not a value of `event`", "      ^^^^^^", "write event LIKE \"task.*\""),
    ("task.took>5", "`5` has no unit, and `task.took` is a duration", "          ^", "such as 2s"),
    ("task.took>106752d", "`106752d` is too large", "          ^^^^^^^", "292 years"),
    ("received>10000000000GB", "`10000000000GB` is too large", "         ^^^^^^^^^^^^^", "9223372036854775807"),
    ("level>=20", "`20` is not a value of `level`", "       ^^", "Use debug, info"),
    ("status =[c] 5", "[c] and [d] apply only to texts", "       ^", "Remove the brackets"),
    ("host CONTAINS[x] \"a\"", "the options of `CONTAINS[x]` are unknown", "     ^^^^^^^^^^^", "[c] (ignore case)"),
    ("a | b", "a condition has no stages", "  ^", "xferlog query"),
    ("eventMessage = \"é\" hosst=1", "unknown field `hosst`", "                   ^^^^^", "host"),
  ])
  func `An error shows its place with carets, and what to do`(text: String, problem: String, carets: String, advice: String) {
    #expect(throws: QueryError.self) { try PredicateParser.predicate(text) }
    do {
      _ = try PredicateParser.predicate(text)
    } catch {
      let lines = error.description.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count == 4)
      #expect(lines[0].hasPrefix(problem), "\(error)")
      #expect(lines[1] == "  \(text)", "\(error)")
      #expect(lines[2] == "  \(carets)", "\(error)")
      #expect(lines[3].contains(advice), "\(error)")
    }
  }

  @Test func `Deep, long and endless conditions are rejected`() throws {
    for (text, code) in [
      (String(repeating: "(", count: 5000), QueryError.Code.tooDeep), (String(repeating: "!", count: 30_000), .tooDeep),
      (String(repeating: "not ", count: 8000) + "a", .tooDeep), (String(repeating: "a ", count: 20_000), .tooLong),
      ("host~\"\(String(repeating: "(", count: 500))\"", .badPattern),
      ("host~\"\(String(repeating: "a", count: 5000))\"", .badPattern),
    ] as [(String, QueryError.Code)] {
      do {
        _ = try PredicateParser.predicate(text)
        Issue.record("\(text.prefix(20))… was accepted")
      } catch {
        #expect(error.code == code)
        #expect(error.description.count < 600)
      }
    }
    // A long condition without nesting is fine.
    let wide = try PredicateParser.predicate(Array(repeating: "status=1", count: 2000).joined(separator: " or "))
    #expect(try PredicateParser.predicate("\(wide)") == wide)
  }

  @Test func `A control character in a query cannot control the terminal that shows the error`() {
    do {
      _ = try PredicateParser.predicate("\"\u{1b}[31m\" hosst=\u{202e}x")
      Issue.record("accepted")
    } catch {
      #expect(!error.description.contains("\u{1b}") && !error.description.contains("\u{202e}"))
    }
  }

  @Test func `Where the end of the log is unknown, fields that it decides are rejected with the given advice`() throws {
    let context = QueryContext(subjectsMissing: "Advice.")
    for name in ["task.outcome=lost", "finding.rule=x", "session.kind=background", "took>2s"] {
      do {
        _ = try PredicateParser.predicate(name, context)
        Issue.record("\(name) was accepted")
      } catch {
        #expect(error.code == .unknownField && error.advice == "Advice.")
      }
    }
    for name in ["process.role=daemon", "task.number=3", "task.session=img"] { _ = try PredicateParser.predicate(name, context) }
  }

  @Test func `Every field can be named by its name and its synonyms`() throws {
    var names: Set<String> = []
    for field in FieldTable.all {
      #expect(FieldTable.field(field.name) == field)
      #expect(names.insert(field.name.lowercased()).inserted, "\(field.name) is the name of two fields")
      #expect(try PredicateParser.predicate("exists(\(field.name))") == .exists(field))
      for synonym in field.synonyms { #expect(FieldTable.field(synonym) != nil) }
    }
    #expect(FieldTable.field("bytes")?.name == "received")
    #expect(FieldTable.field("MACHTIMESTAMP")?.name == "mono" && FieldTable.field("eventmessage")?.name == "eventMessage")
    #expect(FieldTable.field("byte") == nil && FieldTable.field("bytess") == nil && FieldTable.field("b\u{e4}tes") == nil)
    #expect(FieldTable.field("message") == FieldTable.field("composedMessage"))
    #expect(names.count > 200)
  }
}
