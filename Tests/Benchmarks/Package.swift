// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that a user of the libraries never resolves what only the comparisons need.
let package = Package(
  name: "xferlog-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "xferlog", path: "../.."),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .target(name: "CBenchmark"),
    .executableTarget(
      name: "EmissionBenchmark",
      dependencies: [
        "CBenchmark",
        .product(name: "XferEvents", package: "xferlog"),
        .product(name: "XferLogStore", package: "xferlog"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .executableTarget(
      name: "LoggerBenchmark",
      dependencies: [
        "CBenchmark",
        .product(name: "XferEvents", package: "xferlog"),
        .product(name: "XferLogStore", package: "xferlog"),
      ]),
    .executableTarget(
      name: "ReplayBenchmark",
      dependencies: [
        .product(name: "XferEvents", package: "xferlog"),
        .product(name: "XferLogStore", package: "xferlog"),
      ]),
  ]
)
