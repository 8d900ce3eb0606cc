import Datasets
import Foundation

/// What a person says of recordings because their files don't.
public struct ImportOptions: Hashable, Sendable {
  /// What the dataset shall be called; `nil` for the format's or the folder's own name.
  public var name: String?
  /// Frames a second.
  public var fps: Double?
  /// Of the image that poses were found in.
  public var size: ImageSize?
  public var exercise: String?
  public var view: String?
  public var subject: String?
  /// What the folders below the path stand for.
  public var folders: [FolderMeaning]?
  /// A file that says what the columns or the markers mean.
  public var mapping: String?
  /// The axis that points up.
  public var up: Axis?
  /// Metres that one of the files' units is.
  public var unit: Double?

  public init(name: String? = nil) { self.name = name }

  /// What was said, in the order of `ImportOption`.
  public var given: [ImportOption] {
    ImportOption.allCases.filter { option in
      switch option {
      case .fps: fps != nil
      case .size: size != nil
      case .exercise: exercise != nil
      case .view: view != nil
      case .subject: subject != nil
      case .folders: folders != nil
      case .mapping: mapping != nil
      case .up: up != nil
      case .unit: unit != nil
      }
    }
  }

  /// All that was said, for the hash that tells whether an import would come to the same.
  ///
  /// - Throws: `DataError` where the mapping can't be read.
  var settings: [String] {
    get throws {
      let numbers = [fps, unit].map { $0.map { "\($0)" } ?? "" }
      let words = [
        exercise, view, subject, up?.rawValue, size.map { "\($0.width)x\($0.height)" },
        folders.map { $0.map(\.rawValue).joined(separator: "/") },
      ]
      let marks = try mapping.map { try InputFile($0).bytes.base64EncodedString() }
      return numbers + words.map { $0 ?? "" } + [marks ?? ""]
    }
  }
}

/// Something that a person can say at an import, by the name of its option on the command line.
public enum ImportOption: String, CaseIterable, Hashable, Sendable {
  case fps, size, exercise, view, subject, folders, mapping, up, unit

  /// As it is written: `--fps N`.
  var usage: String {
    switch self {
    case .fps: "--fps N"
    case .size: "--size WxH"
    case .folders: "--folders MEANINGS"
    case .mapping: "--mapping FILE"
    case .up: "--up AXIS"
    case .unit: "--unit METRES"
    case .exercise, .view, .subject: "--\(rawValue) NAME"
    }
  }

  var meaning: String {
    switch self {
    case .fps: "frames a second"
    case .size: "of the image, in pixels"
    case .exercise: "what people do"
    case .view: "where the camera stood"
    case .subject: "who it is"
    case .folders: "what the folders stand for"
    case .mapping: "what the columns mean"
    case .up: "which axis points up"
    case .unit: "how long one unit is"
    }
  }
}

/// What a folder between an import's path and a clip stands for.
public enum FolderMeaning: String, CaseIterable, Hashable, Sendable {
  case subject, exercise, view, split
  /// Nothing.
  case any = "-"
}

/// Width and height of an image, in pixels: `1920x1080`.
public struct ImageSize: Hashable, Sendable {
  public var width: Int
  public var height: Int

  /// `nil` unless both lie in 1…100000.
  public init?(width: Int, height: Int) {
    guard (1...100_000).contains(width), (1...100_000).contains(height) else { return nil }
    self.width = width
    self.height = height
  }

  /// Reads `1920x1080`; `nil` for anything else.
  public init?(_ text: String) {
    guard let match = text.wholeMatch(of: /([0-9]{1,6})x([0-9]{1,6})/), let width = Int(match.1),
      let height = Int(match.2)
    else { return nil }
    self.init(width: width, height: height)
  }

  public var aspect: Double { Double(width) / Double(height) }
}
