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
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where line.contains("import ") {
        guard let name = line.firstMatch(of: /^(?:@\w+ )*(?:public |internal |package )?import (\w+)/)?.1 else {
          continue
        }
        #expect(["RealModule", "PoseModel"].contains(name), "\(file.lastPathComponent) imports \(name)")
      }
    }
    #expect(count > 10)
  }

  /// What the compiler made of them names no symbol of Foundation and asks for no library of it.
  @Test(arguments: ["PoseModel", "Coaching"])
  func objectsNameNothingOfFoundation(_ module: String) throws {
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    let folder = products.appendingPathComponent("\(module).build")
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    let objects = files.filter { $0.pathExtension == "o" }
    guard !objects.isEmpty else {
      print("no object files in \(folder.path): what they name is not tested here")
      return
    }
    for object in objects {
      let bytes = try Data(contentsOf: object)
      // A mangled name has a module's name after its length; the linker is asked for libraries by their names.
      for name in ["10Foundation", "20FoundationEssentials", "-lFoundation"] {
        #expect(bytes.range(of: Data(name.utf8)) == nil, "\(object.lastPathComponent) has \(name)")
      }
    }
  }
}
