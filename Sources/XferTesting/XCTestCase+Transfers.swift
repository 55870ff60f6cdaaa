#if canImport(XCTest)
  import Foundation
  public import XCTest

  extension XCTestCase {
    /// Gives the test its own log, and fails the test if the log shows that something went wrong with its transfers.
    ///
    /// Call this method at the beginning of a test or in `setUp`. At the end of the test, also if the test failed, the log is replayed.
    /// Findings that count fail the test at the line of the call, with the HTML report and the log as attachments where XCTest has
    /// attachments.
    ///
    /// ```swift
    /// func testATileArrives() throws {
    ///   let session = TransferSession(sink: try recordTransfers().events)
    ///   …
    /// }
    /// ```
    ///
    /// - Parameter recording: How the transfers are recorded and judged.
    /// - Throws: An error if the log cannot be created.
    /// - Returns: The log of the test.
    public func recordTransfers(
      _ recording: TransferRecording = TransferRecording(), file: StaticString = #filePath, line: UInt = #line
    ) throws -> TransferLog {
      let recorded = try RecordedTest(plainName, recording)
      addTeardownBlock { [unowned self] in
        // Callbacks may need the main queue.
        recorded.settle { _ in
          if !RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.005)) {
            Thread.sleep(forTimeInterval: 0.005)
          }
        }
        let conclusion = recorded.conclude(hasFailed: (testRun?.totalFailureCount ?? 0) > 0)
        attach(conclusion.attachments)
        if let failure = conclusion.failure { XCTFail(failure, file: file, line: line) }
      }
      return recorded.log
    }

    /// The name of the test as `TileTests.testATileArrives`. Apple's systems write `-[TileTests testATileArrives]`.
    private var plainName: String {
      guard name.hasPrefix("-[") else { return name }
      return String(name.dropFirst(2).dropLast()).replacing(" ", with: ".")
    }

    private func attach(_ files: [PostmortemFolder.File]) {
      #if canImport(Darwin)
        for file in files {
          let attachment = XCTAttachment(data: Data(file.bytes))
          attachment.name = file.name
          attachment.lifetime = .keepAlways
          add(attachment)
        }
      #endif
    }
  }
#endif
