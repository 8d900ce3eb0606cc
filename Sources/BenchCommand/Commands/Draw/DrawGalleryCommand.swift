import ArgumentParser
import Datasets
import Evaluation
import Foundation
import Plots
import Reports

struct DrawGalleryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gallery", abstract: "Draws one of each chart from the sample datasets.",
    discussion: """
      Runs the suites squat and tennis on their sample datasets in a store of its own and draws what they give. With \
      --check it holds a folder's files against what it draws now and ends with 1 where one differs: the data behind each \
      picture, its words, and its pixels, allowing for other versions of the font's outlines. Where another font is \
      installed, which lays pictures out otherwise, it says so and compares data only.

      Examples:
        bench draw gallery --out reports/gallery
        bench draw gallery --check reports/gallery
      """)

  @Option(name: [.customLong("output"), .customLong("out")], help: "Where to draw it.")
  var out: String?

  @Option(help: "A gallery to hold against what is drawn now.")
  var check: String?

  func validate() throws {
    guard (out == nil) != (check == nil) else { throw ValidationError("expected either --out or --check") }
  }

  func run() async throws {
    let folder = out ?? check ?? ""
    let gallery = try await Gallery(in: StoreOptions.parse([]).project, folder: folder)
    let files = try gallery.files()
    let pictures = files.count { $0.texts != nil }
    guard check != nil else {
      for file in files { try writeWhole(file.data, to: "\(folder)/\(file.name)") }
      return Terminal.out("drew \(pictures) pictures to \(folder)")
    }
    let check = try GalleryCheck(folder: folder, files: files)
    if !check.inOtherFont.isEmpty {
      Terminal.error(
        "\(check.inOtherFont.count) of \(pictures) pictures are drawn in another font than \(TextStyle.fontMeasures): "
          + "their data were compared, their pixels were not")
    }
    guard check.differences.isEmpty else {
      Terminal.error(
        (check.differences + ["draw it anew with: bench draw gallery --out \(folder)"]).joined(separator: "\n"))
      throw ExitCode(1)
    }
    Terminal.out("\(folder) shows what is drawn now: \(pictures) pictures and the report")
  }
}
