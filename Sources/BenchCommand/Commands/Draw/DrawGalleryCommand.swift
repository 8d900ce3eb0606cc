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
      try report.rewrite(in: folder, templates)
      return Terminal.out("drew \(pictures.count) pictures to \(folder)")
    }
    let check = GalleryCheck(
      folder: folder, pictures: pictures,
      others: [Gallery.measuredFile, "README.md", Gallery.reportFolder],
      report: try gallery.report().markdown(ReportTemplates(folder: "")))
    let differences = try check.differences
    guard differences.isEmpty else {
      Terminal.error((differences + ["draw it anew with: bench draw gallery --out \(folder)"]).joined(separator: "\n"))
      throw ExitCode(1)
    }
    Terminal.out("\(folder) shows what is drawn now: \(pictures.count) pictures and the report")
  }
}
