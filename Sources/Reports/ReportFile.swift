import Foundation
import Plots

/// A file that a report, or a gallery, is made of.
public struct ReportFile: Sendable {
  /// Within the folder.
  public var name: String
  public var data: Data
  /// Where the texts of a picture are, in pixels; `nil` for what is no picture.
  public var texts: [PlacedText]?

  public init(name: String, data: Data, texts: [PlacedText]? = nil) {
    (self.name, self.data, self.texts) = (name, data, texts)
  }

  public init(name: String, _ drawn: DrawnChart) {
    self.init(name: name, data: Data(drawn.bytes), texts: drawn.texts)
  }
}
