import Charts
import Files
import Foundation
import Statistics

/// A picture of a report, drawn for one report form.
struct DrawnPicture {
  var picture: ReportPicture
  var model: PictureModel
}

extension [DrawnPicture] {
  /// As many pictures, from the first on, as a page has room for beside its player. The others are files beside it.
  func fitting(beside player: [PlayerModel]) -> [DrawnPicture] {
    var room = Self.pageLimit - player.reduce(0) { $0 + $1.clips.text.utf8.count }
    return Array(
      prefix { picture in
        room -= picture.model.size
        return room >= 0
      })
  }

  /// The limit in bytes of clips and pictures in a page, which keeps the page below 800 kB with its texts, tables and
  /// scripts.
  private static var pageLimit: Int { 640_000 }
}

extension [ReportPicture] {
  /// The pictures as elements that show their `files`.
  var beside: [DrawnPicture] {
    map { picture in
      var model = PictureModel(picture)
      model.element = RawText(
        text: "<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"\(picture.darkFile)\">"
          + "<img src=\"\(picture.file)\" alt=\"\(HTMLText.attribute(picture.alternative))\"></picture>")
      return DrawnPicture(picture: picture, model: model)
    }
  }

  /// The files beside a report, in the light and the dark theme. Several are drawn at the same time.
  ///
  /// - Parameter metadata: Written into the files' text chunks.
  /// - Throws: `ChartError` if a chart cannot be drawn.
  func files(metadata: [(key: String, value: String)]) throws -> [ReportFile] {
    let jobs = flatMap { picture in [(picture, picture.file, Theme.light), (picture, picture.darkFile, .dark)] }
    return try concurrently(jobs.count) { index in
      let (picture, file, theme) = jobs[index]
      return ReportFile(name: file, try DrawnChart(picture.chart, theme: theme, metadata: metadata))
    }
  }

  /// The pictures within a page, in the light and the dark theme, at a width for a phone and for a desktop. They have no
  /// text chunks: the page contains those facts.
  ///
  /// - Throws: `ChartError` if a chart cannot be drawn.
  func inline() throws -> [DrawnPicture] {
    try concurrently(count) { index in
      let picture = self[index]
      var model = PictureModel(picture)
      func shape(width: Double, scale: Double) throws -> PictureModel.Shape {
        func uri(_ theme: Theme) throws -> String {
          let bytes = try png(
            picture.chart, width: width, scale: scale, theme: theme,
            metadata: ["Table", "Texts", "Font"].map { ($0, "") })
          return "data:image/png;base64,\(Data(bytes).base64EncodedString())"
        }
        let size = picture.chart.size(on: Page(pixels: width))
        return PictureModel.Shape(
          light: try uri(.light), dark: try uri(.dark), width: NumberText.plain(size.width),
          height: NumberText.plain(size.height))
      }
      model.narrow = [try shape(width: Self.phoneWidth, scale: 1.5)]
      model.wide = [try shape(width: Self.desktopWidth, scale: 1)]
      let table = TableModel(picture.chart.table.text)
      if table.rows.count <= Self.mostRows { model.table = [table] }
      return DrawnPicture(picture: picture, model: model)
    }
  }

  private static var phoneWidth: Double { 400 }
  private static var desktopWidth: Double { 1200 }

  /// Longer tables are only in the report's JSON.
  private static var mostRows: Int { 40 }
}

extension ReportPicture {
  /// The file in the dark theme.
  fileprivate var darkFile: String { file.replacing(/\.png$/, with: "") + "-dark.png" }
}

extension PictureModel {
  init(_ picture: ReportPicture) {
    (file, heading, alternative) = (picture.file, picture.heading, picture.alternative)
  }

  /// The bytes that the picture adds to a page.
  var size: Int { (narrow + wide).reduce(0) { $0 + $1.light.utf8.count + $1.dark.utf8.count } }

  /// The picture without its table, where the same facts are shown beside it.
  var withoutTable: PictureModel {
    var model = self
    model.table = []
    return model
  }
}

/// Text within an element of HTML.
enum HTMLText {
  /// The text on one line, escaped for double quotes.
  static func attribute(_ text: String) -> String {
    text.visibleLine.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
