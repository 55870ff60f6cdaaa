import Foundation
import TestingApp
import XCTest
import XferTesting

final class TileXCTests: XCTestCase {
  private let url = URL(string: "http://tiles.example/4/7.png")!
  private let directory = TileDirectory()

  func testATileArrives() async throws {
    let log = try recordTransfers()
    let store = TileStore(directory: directory.url, events: log.events, configuration: TileServer.configuration)
    let tile = try await store.tile(at: url)
    XCTAssertEqual(tile, TileServer.tile)
  }

  func testATileArrivesAndIsNeverStored() async throws {
    let log = try recordTransfers()
    let store = TileStore(
      directory: directory.url, events: log.events, configuration: TileServer.configuration, forgetsToUnlock: true)
    let tile = try await store.tile(at: url)
    XCTAssertEqual(tile, TileServer.tile)
  }
}
