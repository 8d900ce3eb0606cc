import Foundation
import Testing

/// The commands that are built beside these tests.
enum BenchExecutable {
  /// - Throws: where it has not been built, having recorded that.
  static func path(_ name: String = "bench", sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    // On Linux the tests are an executable in the build folder; on macOS they are inside a bundle in it, which a program
    // of the toolchain loads.
    let bundles = CommandLine.arguments.compactMap { argument in
      argument.firstRange(of: ".xctest/").map { URL(fileURLWithPath: String(argument[..<$0.upperBound])) }
    }
    let folders = [tests, Bundle.main.bundleURL] + bundles + Bundle.allBundles.map(\.bundleURL)
    let candidates = folders.map { $0.deletingLastPathComponent().appendingPathComponent(name).path }
    return try #require(
      candidates.first { FileManager.default.isExecutableFile(atPath: $0) },
      "no executable \(name) beside the tests; looked for \(candidates). Run swift build first",
      sourceLocation: sourceLocation)
  }

  static func command(_ arguments: [String]) throws -> [String] { [try path()] + arguments }
}
