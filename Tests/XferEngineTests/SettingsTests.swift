import HTTPTypes
import Testing
import XferEvents

@testable import XferEngine

/// Tests of the logged configuration of a session.
struct SettingsTests {
  private func log(_ configuration: TransferSession.Configuration) -> RecordingSink {
    let log = RecordingSink()
    _ = TransferSession(configuration: configuration, sink: log, names: SessionNames())
    return log
  }

  @Test func `The default configuration logs no settings`() {
    for configuration in [TransferSession.Configuration.default, .ephemeral] {
      let log = log(configuration)
      #expect(log.all(.sessionConfigured).isEmpty)
      #expect(log.all(.sessionSettingAdjusted).isEmpty)
      let created = log.all(.sessionCreated)[0]
      #expect(created.flag("waitsForConnectivity") == false)
      #expect(["allowsCellular", "allowsExpensive", "allowsConstrained"].map { created.flag($0) } == [true, true, true])
    }
  }

  @Test func `Changed settings are logged, and private ones without their values`() throws {
    var configuration = TransferSession.Configuration.ephemeral
    configuration.waitsForConnectivity = true
    configuration.allowsCellularAccess = false
    configuration.timeoutIntervalForRequest = .milliseconds(250)
    configuration.timeoutIntervalForResource = nil
    configuration.urlCache = nil
    configuration.requestCachePolicy = .returnCacheDataElseLoad
    configuration.temporaryDirectory = "/home/someone/tmp"
    configuration.httpAdditionalHeaders = [.authorization: "Bearer secret", .accept: "a/b"]
    configuration.connectionProxy = .init("http://user:password@proxy:3128", credential: .init(user: "me", password: "secret"))
    configuration.serverTrust.authoritiesFile = "/home/someone/authorities.pem"
    let log = log(configuration)
    let settings = try #require(log.all(.sessionConfigured).first?.text("settings"))
    #expect(
      settings == """
        timeoutIntervalForRequest=0.25s timeoutIntervalForResource=none connectionProxy=http://proxy:3128 \
        authoritiesFile=set waitsForConnectivity=true allowsCellularAccess=false httpAdditionalHeaders=accept,authorization \
        urlCache=none requestCachePolicy=returnCacheDataElseLoad temporaryDirectory=set
        """)
    let created = log.all(.sessionCreated)[0]
    #expect(created.flag("waitsForConnectivity") == true)
    #expect(created.flag("allowsCellular") == false)
  }

  @Test func `Each setting changes the configuration's digest`() throws {
    let changes: [(inout TransferSession.Configuration) -> Void] = [
      { $0.isDiscretionary = true }, { $0.sessionSendsLaunchEvents = false }, { $0.sharedContainerIdentifier = "group" },
      { $0.shouldUseExtendedBackgroundIdleMode = true }, { $0.retryPolicy.statusCodes = [] },
      { $0.retryPolicy.maximumDelay = .seconds(1) }, { $0.retryPolicy.maximumRetryAfter = .seconds(1) },
      { $0.retryPolicy.retriesRefusedConnections = false }, { $0.retryPolicy.hasFixedDelay = true },
      { $0.urlCredentialStorage = nil }, { $0.allowsCellularAccess = false },
    ]
    let base = TransferSession.Configuration.background(withIdentifier: "s")
    let lines = changes.map { change in
      var configuration = base
      change(&configuration)
      return configuration.canonicalAsLogged
    }
    #expect(Set(lines + [base.canonicalAsLogged]).count == changes.count + 1)
  }

  @Test func `Adjusted settings are logged with the requested and the effective value`() {
    var configuration = TransferSession.Configuration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 0
    configuration.redirectLimit = -1
    configuration.timeoutIntervalForRequest = .seconds(-5)
    let adjusted = log(configuration).all(.sessionSettingAdjusted).map {
      [$0.text("setting"), $0.text("requested"), $0.text("effective")]
    }
    #expect(
      adjusted == [
        ["timeoutIntervalForRequest", "-5s", "0s"], ["httpMaximumConnectionsPerHost", "0", "1"], ["redirectLimit", "-1", "0"],
      ])
  }

  @Test func `The logged settings text has a limited length`() throws {
    var configuration = TransferSession.Configuration.ephemeral
    for number in 0..<1000 { configuration.httpAdditionalHeaders[.init("X-Field-Number-\(number)")!] = "1" }
    let settings = try #require(log(configuration).all(.sessionConfigured).first?.text("settings"))
    #expect(settings.utf8.count <= 2048)
  }
}
