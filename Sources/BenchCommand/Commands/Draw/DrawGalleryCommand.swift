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
      --check it holds the pictures of a folder against what it draws now and ends with 1 where one differs, allowing for \
      other versions of the font.

      Examples:
        bench draw gallery --out reports/gallery
        bench draw gallery --check reports/gallery
      """)

  @Option(help: "Where to draw it.")
  var out: String?

  @Option(help: "A gallery to hold against what is drawn now.")
  var check: String?

  func validate() throws {
    guard (out == nil) != (check == nil) else { throw ValidationError("expected either --out or --check") }
  }

  func run() async throws {
    let folder = out ?? check ?? ""
    let gallery = try await Gallery(in: StoreOptions.parse([]).project, folder: folder)
    let pictures = try gallery.pictures()
    if check == nil {
      for picture in pictures { try writeWhole(Data(picture.bytes), to: "\(folder)/\(picture.file)") }
      try writeWhole(try stableJSON(gallery.measured), to: "\(folder)/\(Gallery.measuredFile)")
      try writeWhole(Data(gallery.index(pictures).utf8), to: "\(folder)/README.md")
      let report = try gallery.report()
      let templates = try ReportTemplates(folder: "")
      let path = try report.rewrite(in: folder, templates)
      try writeWhole(Data(try report.html(templates).utf8), to: "\(path)/report.html")
      return Terminal.out("drew \(pictures.count) pictures to \(folder)")
    }
    var differences = try pictures.compactMap { try difference(of: $0, in: folder) }
    let report = "\(folder)/\(Gallery.reportFolder)/report.md"
    let text = try gallery.report().markdown(ReportTemplates(folder: ""))
    if (try? String(contentsOfFile: report, encoding: .utf8)) != text {
      differences.append("\(report): expected the report as it is made now, found another or none")
    }
    guard differences.isEmpty else {
      Terminal.error((differences + ["draw it anew with: bench draw gallery --out \(folder)"]).joined(separator: "\n"))
      throw ExitCode(1)
    }
    Terminal.out("\(folder) shows what is drawn now: \(pictures.count) pictures")
  }

  /// What is other in a picture of the gallery; `nil` for nothing.
  private func difference(of picture: Gallery.Picture, in folder: String) throws -> String? {
    let path = "\(folder)/\(picture.file)"
    guard FileManager.default.fileExists(atPath: path) else { return "\(path): expected a picture, found none" }
    let now = try PNGPixels(picture.bytes)
    let then = try PNGPixels([UInt8](InputFile(path).bytes))
    guard let share = now.difference(from: then) else {
      return "\(path): expected \(now.width) x \(now.height) pixels, found \(then.width) x \(then.height)"
    }
    guard share > Gallery.tolerance else { return nil }
    return "\(path): \(NumberText.fixed(share * 100, decimals: 2)) % of its squares differ, "
      + "\(NumberText.fixed(Gallery.tolerance * 100, decimals: 0)) % are allowed"
  }
}
