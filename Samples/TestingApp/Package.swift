// swift-tools-version: 6.2
import PackageDescription

// A package whose tests record their transfers. One test of each kind fails on purpose.
let package = Package(
  name: "testing-app",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "xferlog", path: "../..")
  ],
  targets: [
    .target(
      name: "TestingApp",
      dependencies: [
        .product(name: "XferEvents", package: "xferlog"),
        .product(name: "XferRecorder", package: "xferlog"),
      ]),
    .testTarget(
      name: "TestingAppTests",
      dependencies: ["TestingApp", .product(name: "XferTesting", package: "xferlog")]),
  ]
)
