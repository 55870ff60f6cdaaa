import Foundation
import Testing
import TestingApp
import XferTesting

@Suite(.recordingTransfers) struct TileTests {
  private let url = URL(string: "http://tiles.example/4/7.png")!
  private let directory = TileDirectory()

  @Test func aTileArrives() async throws {
    let log = try #require(TransferLog.current)
    let store = TileStore(directory: directory.url, events: log.events, configuration: TileServer.configuration)
    #expect(try await store.tile(at: url) == TileServer.tile)
  }

  // The expectation is met, because the bytes arrive. The callback of the completion never returns, which only the log shows.
  @Test(.recordingTransfers(failOn: .critical)) func aTileArrivesAndIsNeverStored() async throws {
    let log = try #require(TransferLog.current)
    let store = TileStore(
      directory: directory.url, events: log.events, configuration: TileServer.configuration, forgetsToUnlock: true)
    #expect(try await store.tile(at: url) == TileServer.tile)
  }
}
