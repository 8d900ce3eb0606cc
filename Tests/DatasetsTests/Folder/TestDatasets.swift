import Datasets
import Files
import Foundation
import TestSupport

extension TestFolder {
  /// The text of the error that opening the dataset, or reading one of its clips, throws.
  func openingError() -> String {
    error {
      let folder = try DatasetFolder(path)
      for index in folder.clips.indices { _ = try folder.clip(index) }
    }
  }
}

extension InputFile {
  init(_ name: String, text: String) { self.init(name: name, bytes: Data(text.utf8)) }
}
