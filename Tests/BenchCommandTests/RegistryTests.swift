import ArgumentParser
import Charts
import Checks
import Coaching
import Foundation
import Importers
import Pipeline
import Testing

@testable import BenchCommand

/// What is declared in a file is in the list of its kind: without that line it would be compiled and never used.
@Suite struct RegistryTests {
  @Test func everyImporterIsListed() throws {
    try expectListed(
      Importers.all.map { "\($0)" }, in: "Importers",
      declared: /(?m)^public (?:struct|enum) (\w+): (?:Importer|FileEndings|PoseTool|CaptureImporter)\b/,
      "Importers.sets or Importers.tools")
  }

  /// Of a generic type one is enough.
  @Test func everyDetectorIsListed() throws {
    try expectListed(
      DetectorRegistry.builtInTypes.map { String("\($0)".prefix { $0 != "<" }) }, in: "Coaching",
      declared: /(?m)^public struct (\w+)(?:<\w+: \w+>)?: Detector\b/, "DetectorRegistry.builtInTypes")
  }

  @Test func everyChartWithARecipeIsListed() throws {
    try expectListed(
      ChartRecipe.all.map(\.name), in: "Charts", declared: /static let \w+ = ChartRecipe\(\s*"([a-z-]+)"/,
      "ChartRecipe.all")
  }

  @Test func everyCheckIsListed() throws {
    try expectListed(
      DatasetChecks.all.map { "\(type(of: $0))" }, in: "Checks", declared: /(?m)^struct (\w+): DatasetCheck\b/,
      "DatasetChecks.all")
  }

  @Test func everyCommandIsListed() throws {
    func names(_ command: any ParsableCommand.Type) -> [String] {
      ["\(command)"] + command.configuration.subcommands.flatMap { names($0) }
    }
    try expectListed(
      names(BenchCommand.self), in: "BenchCommand", declared: /(?m)^ *struct (\w+): [^{\n]*Command\b/,
      "the subcommands in Bench.swift")
  }

  /// - Parameters:
  ///   - listed: The names in the list.
  ///   - module: The module whose files declare them.
  ///   - declaration: What declares one, with its name.
  ///   - list: The list, in words.
  private func expectListed(
    _ listed: [String], in module: String, declared declaration: Regex<(Substring, Substring)>, _ list: String
  ) throws {
    let folder = ModuleOrderTests.checkout.appending(path: "Sources/\(module)")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    let declared = try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.flatMap { file in
      try String(contentsOf: file, encoding: .utf8).matches(of: declaration).map { String($0.1) }
    }
    #expect(declared.count > 10, "\(declared)")
    let missing = Set(declared).subtracting(listed).sorted()
    #expect(missing.isEmpty, "add \(missing.joined(separator: ", ")) to \(list)")
  }
}
