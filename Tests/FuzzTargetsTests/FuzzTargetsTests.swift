import Foundation
import FuzzTargets
import Importers
import Statistics
import Testing

/// A few hundred damaged files for each reader; `scripts/fuzz` looks for minutes, led by what code they reach.
@Suite struct FuzzTargetsTests {
  private static let seed: UInt64 = 7

  private static func corpus(of target: FuzzTarget) throws -> [(name: String, bytes: Data)] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Fuzz/corpus/\(target.name)").standardizedFileURL
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try #require(files, "add a small file that \(target.name) reads to Fuzz/corpus/\(target.name)").map {
      ($0, try Data(contentsOf: folder.appendingPathComponent($0)))
    }
  }

  @Test func everyImporterHasATarget() {
    let missing = Set(Importers.all.map { $0.format }).subtracting(FuzzTarget.all.compactMap(\.importer)).sorted()
    #expect(missing.isEmpty, "add a target of \(missing.joined(separator: ", ")) to FuzzTarget.own")
  }

  /// A target that is declared in a file and not in the list would never run.
  @Test func everyTargetIsListed() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../FuzzTargets")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    let declared = try files.filter { $0.pathExtension == "swift" }.flatMap { file in
      try String(contentsOf: file, encoding: .utf8).matches(of: /static let \w+ = FuzzTarget\("([a-z-]+)"/).map {
        String($0.1)
      }
    }
    #expect(declared.count >= 9)
    let missing = Set(declared).subtracting(FuzzTarget.all.map(\.name)).sorted()
    #expect(missing.isEmpty, "add \(missing.joined(separator: ", ")) to FuzzTarget.all")
  }

  /// A folder may come from anybody, and a link in it lead to what is somebody's own.
  @Test(arguments: FuzzTarget.all.filter(\.isInFolder).map(\.name)) func aFileOutsideTheFolderIsNotRead(
    _ name: String
  ) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let outside = FileManager.default.temporaryDirectory.appendingPathComponent("outside-\(UUID().uuidString)")
    try Data("secret".utf8).write(to: outside)
    defer { try? FileManager.default.removeItem(at: outside) }
    let words = target.words(ofLinkTo: outside.path)
    #expect(words.contains(": expected a file in the folder, found a link that leads outside"), "\(words)")
    #expect(!words.contains("secret"), "\(words)")
  }

  @Test(arguments: FuzzTarget.all.map(\.name)) func everyFileOfTheCorpus(_ name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let corpus = try Self.corpus(of: target)
    #expect(!corpus.isEmpty)
    for file in corpus { #expect(target.problem(with: file.bytes) == nil, "\(file.name)") }
  }

  @Test(arguments: FuzzTarget.all.map(\.name)) func damagedFiles(_ name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let corpus = try Self.corpus(of: target).map { [UInt8]($0.bytes) }.filter { $0.count <= 4096 }
    var random = SeededGenerator(seed: Self.seed)
    // Importers go through files.
    let rounds = target.importer == nil ? 300 : 40
    for round in 0..<rounds {
      var bytes = try #require(corpus.randomElement(using: &random))
      for _ in 0...Int.random(in: 0..<4, using: &random) { bytes.damage(with: corpus, using: &random) }
      #expect(
        target.problem(with: Data(bytes)) == nil,
        "seed \(Self.seed), round \(round): \(Data(bytes).base64EncodedString())")
    }
  }
}

extension [UInt8] {
  /// What breaks readers: ends of ranges, signs, quotes, ends of lines, brackets.
  private static let tokens = [
    "1099511627776", "9223372036854775807", "-1", "1e999", "nan", "inf", "0x10", "\"", "'", "\r", "\n", ",", "[", "{",
    "}", "]", ": ", "- ", "&a ", "*a", "\u{0}", "\u{FEFF}", "é", "=1+1", "True", "(", ")",
  ].map { Array($0.utf8) }

  /// Changes, inserts, removes, repeats or swaps some of the bytes.
  mutating fileprivate func damage(with others: [[UInt8]], using random: inout SeededGenerator) {
    let place = Int.random(in: 0...count, using: &random)
    let end = Swift.min(count, place + Int.random(in: 0...16, using: &random))
    switch Int.random(in: 0..<7, using: &random) {
    case 0 where place < count: self[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1 where place < count: self[place] = UInt8.random(in: 0...255, using: &random)
    case 2: insert(contentsOf: Self.tokens.randomElement(using: &random) ?? [], at: place)
    case 3: removeSubrange(place..<end)
    case 4: insert(contentsOf: self[place..<end], at: place)
    case 5:
      let other = others.randomElement(using: &random) ?? []
      self = self[..<place] + other.suffix(Int.random(in: 0...other.count, using: &random))
    default: removeLast(Int.random(in: 0...Swift.min(count, 64), using: &random))
    }
  }
}
