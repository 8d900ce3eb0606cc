import Charts
import Foundation
import Statistics

/// A picture of the report, drawn.
struct DrawnPicture {
  var file: String
  var part: ReportPicture.Part
  var light: DrawnChart
  var model: PictureModel
}

extension [ReportPicture] {
  /// - Parameters:
  ///   - metadata: For the files' text chunks.
  ///   - inline: Whether the models contain the pictures themselves, in both themes.
  /// - Throws: `ChartError` if a chart cannot be drawn.
  func drawn(metadata: [(key: String, value: String)], inline: Bool = false) throws -> [DrawnPicture] {
    try map { picture in
      let light = try DrawnChart(picture.chart, metadata: metadata)
      var model = PictureModel()
      model.file = picture.file
      model.heading = picture.heading
      model.isFolded = picture.isFolded
      model.isAside = picture.isAside
      model.alternative = picture.alternative
      model.width = NumberText.plain(picture.chart.size.width)
      model.height = NumberText.plain(picture.chart.size.height)
      model.table = TableModel(picture.chart.table.text)
      if inline {
        func narrow(_ theme: Theme) throws -> String {
          Self.dataURI(try png(picture.chart, width: 400, scale: 1.5, theme: theme, metadata: metadata))
        }
        model.light = Self.dataURI(light.bytes)
        model.dark = Self.dataURI(try png(picture.chart, theme: .dark, metadata: metadata))
        (model.narrowLight, model.narrowDark) = (try narrow(.light), try narrow(.dark))
      }
      return DrawnPicture(file: picture.file, part: picture.part, light: light, model: model)
    }
  }

  private static func dataURI(_ png: [UInt8]) -> String { "data:image/png;base64,\(Data(png).base64EncodedString())" }
}
