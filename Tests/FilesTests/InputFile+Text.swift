import Files
import Foundation

extension InputFile {
  init(_ name: String, text: String) { self.init(name: name, bytes: Data(text.utf8)) }
}
