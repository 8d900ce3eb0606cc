import Foundation
import Simulation
import Testing

/// Modules and the folders of `Evaluation` stand in an order in which each reads only what stands before it.
@Suite struct ModuleOrderTests {
  static let checkout = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL

  /// From the ground up.
  static let modules = [
    "PoseModel", "Coaching", "Files", "Statistics", "Scoring", "Datasets", "Simulation", "Importers", "Pipeline",
    "Evaluation", "Checks", "Charts", "Reports", "BenchCommand", "bench",
  ]

  /// From the ground up.
  static let evaluation = [
    "Results", "Exercises", "Commands", "Predictions", "Suites", "Comparison", "Studies", "History",
  ]

  @Test func theManifestNamesTheModulesInTheirOrder() throws {
    let manifest = try String(contentsOf: Self.checkout.appending(path: "Package.swift"), encoding: .utf8)
    let places = Self.modules.map {
      manifest.firstRange(of: "arget(name: \"\($0)\"")?.lowerBound
        ?? manifest.firstRange(of: "arget(\n      name: \"\($0)\"")?.lowerBound
    }
    for (name, place) in zip(Self.modules, places) { #expect(place != nil, "\(name) is no target") }
    #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.checkout.appending(path: "Sources").path)
    #expect(Set(folders.filter { !$0.contains(#/^C[A-Z]/#) }) == Set(Self.modules))
  }

  @Test(arguments: modules) func importsPointToTheGround(_ module: String) throws {
    let own = try #require(Self.modules.firstIndex(of: module))
    let sources = try Self.sources(in: Self.checkout.appending(path: "Sources/\(module)"))
    #expect(!sources.isEmpty)
    for (file, text) in sources {
      for line in text.split(separator: "\n") where line.contains("import ") {
        guard let name = line.firstMatch(of: /^(?:@\w+ )*(?:public |internal |package )?import (\w+)/)?.1,
          let other = Self.modules.firstIndex(of: String(name))
        else { continue }
        #expect(other < own, "\(module)/\(file) imports \(name)")
      }
    }
  }

  /// Statistics and Files are for everybody, and read nothing of ours.
  @Test(arguments: ["Files", "Statistics"]) func readNothingOfOurs(_ module: String) throws {
    for (file, text) in try Self.sources(in: Self.checkout.appending(path: "Sources/\(module)")) {
      for name in Self.modules { #expect(!text.contains("import \(name)\n"), "\(module)/\(file) imports \(name)") }
    }
  }

  @Test func foldersOfEvaluationReadOnlyWhatStandsBeforeThem() throws {
    let folder = Self.checkout.appending(path: "Sources/Evaluation")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(names) == Set(Self.evaluation))
    let sources = try Self.evaluation.map { try Self.sources(in: folder.appending(path: $0)) }
    let declared = sources.map { files in
      Set(
        files.flatMap { _, text in
          text.matches(of: /(?m)^(?:public |package )?(?:final )?(?:struct|enum|class|actor|protocol|typealias) (\w+)/)
            .map { String($0.1) }
        })
    }
    for (index, files) in sources.enumerated() {
      let later = declared[(index + 1)...].reduce(into: Set()) { $0.formUnion($1) }.subtracting(declared[index])
      for (file, text) in files {
        // Without comments, texts and members, in which a word is no type of the module.
        let code = text.replacing(/\/\/.*/, with: "").replacing(/"[^"\n]*"/, with: "").replacing(/\.\w+/, with: "")
        let words = Set(code.matches(of: /\b[A-Z]\w*/).map { String($0.0) })
        let upward = words.intersection(later).sorted()
        #expect(upward.isEmpty, "\(Self.evaluation[index])/\(file) names \(upward.joined(separator: ", "))")
      }
    }
  }

  /// The names and texts of the Swift files in a folder.
  private static func sources(in folder: URL) throws -> [(String, String)] {
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.map {
      ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
    }
  }
}
