import Foundation
import Testing

/// What an app ships must build without Foundation and without packages but RealModule.
@Suite struct ImportsTests {
  @Test(arguments: ["PoseModel", "Coaching"])
  func importNothingButTheStandardLibraryAndRealModule(_ module: String) throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/\(module)")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      count += 1
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        guard let name = line.firstMatch(of: /^(?:@\w+ )*(?:public |internal |package )?import (\w+)/)?.1 else {
          continue
        }
        #expect(["RealModule", "PoseModel"].contains(name), "\(file.lastPathComponent) imports \(name)")
      }
    }
    #expect(count > 10)
  }
}
