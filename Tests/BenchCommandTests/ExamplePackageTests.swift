import Foundation
import Testing

/// The example package: an app's own detector under every command, through the public API alone.
@Suite struct ExamplePackageTests {
  private let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "ExampleCoach")

  @Test func itsProgramComparesItsCounterWithABuiltInOne() throws {
    let workspace = try Workspace.withSquats {
      $0.metrics = [("squat-states", "count.exact", 0.05)]
    }
    let result = try workspace.run(
      program: "example-coach", "compare", "--suite", "squat", "--detectors", "squat-states,shoulder-drop")
    result.expectSuccess()
    #expect(result.output.contains("squat-states → shoulder-drop"))
  }

  /// What the root package builds is what the example's own manifest names.
  @Test func itsManifestNamesWhatIsBuiltHere() throws {
    let manifest = try String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
    #expect(manifest.contains("path: \"Sources/ExampleCoach\""))
    #expect(manifest.contains("name: \"example-coach\""))
    let sources = try FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: "Sources/ExampleCoach").path)
    #expect(sources.contains("ExampleCoach.swift"))
    for file in sources {
      let text = try String(contentsOf: folder.appending(path: "Sources/ExampleCoach/\(file)"), encoding: .utf8)
      #expect(!text.contains("@testable"))
      for line in text.split(separator: "\n") where line.hasPrefix("import ") {
        #expect(manifest.contains("\"\(line.dropFirst("import ".count))\""), "\(line) in \(file)")
      }
    }
  }
}
