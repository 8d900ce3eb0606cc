import Charts
import Files
import Foundation
import Statistics

/// A picture of a report, drawn for one of its forms.
struct DrawnPicture {
  var picture: ReportPicture
  var model: PictureModel
  /// The picture in both themes as files, only for Markdown.
  var files: [ReportFile] = []
}

extension [ReportPicture] {
  /// As files beside a report, on a light and on a dark ground.
  ///
  /// - Parameter metadata: For the files' text chunks.
  /// - Throws: `ChartError` if a chart cannot be drawn.
  func files(metadata: [(key: String, value: String)]) throws -> [DrawnPicture] {
    try map { picture in
      var model = PictureModel(picture)
      let dark = picture.file.replacing(/\.png$/, with: "") + "-dark.png"
      model.element = RawText(
        text: "<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"\(dark)\"><img src=\"\(picture.file)\" "
          + "alt=\"\(HTMLText.attribute(picture.alternative))\"></picture>")
      let files = try [(picture.file, Theme.light), (dark, .dark)].map { file, theme in
        ReportFile(name: file, try DrawnChart(picture.chart, theme: theme, metadata: metadata))
      }
      return DrawnPicture(picture: picture, model: model, files: files)
    }
  }

  /// Within a page, on a light and on a dark ground, of a width that suits both a phone and half a screen. The page says
  /// what the text chunks of files say.
  ///
  /// - Throws: `ChartError` if a chart cannot be drawn.
  func inline() throws -> [DrawnPicture] {
    try map { picture in
      var model = PictureModel(picture)
      func uri(_ theme: Theme) throws -> String {
        let bytes = try png(
          picture.chart, width: Self.inlineWidth, scale: 1.5, theme: theme,
          metadata: ["Table", "Texts", "Font"].map { ($0, "") })
        return "data:image/png;base64,\(Data(bytes).base64EncodedString())"
      }
      (model.light, model.dark) = (try uri(.light), try uri(.dark))
      let size = picture.chart.size(on: Page(pixels: Self.inlineWidth))
      (model.width, model.height) = (NumberText.plain(size.width), NumberText.plain(size.height))
      let table = TableModel(picture.chart.table.text)
      if table.rows.count <= Self.mostRows { model.table = [table] }
      return DrawnPicture(picture: picture, model: model)
    }
  }

  private static var inlineWidth: Double { 400 }

  /// A longer table is left to the report's numbers.
  private static var mostRows: Int { 40 }
}

extension PictureModel {
  init(_ picture: ReportPicture) {
    (file, heading, alternative) = (picture.file, picture.heading, picture.alternative)
  }

  /// For where the same facts are shown beside it.
  var withoutTable: PictureModel {
    var model = self
    model.table = []
    return model
  }
}

/// Text within an element of HTML.
enum HTMLText {
  /// On one line, between double quotes.
  static func attribute(_ text: String) -> String {
    text.visibleLine.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
