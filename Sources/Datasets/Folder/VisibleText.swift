extension String {
  /// The text with its control and formatting characters escaped, but for line feeds: names of files and keys of JSON may
  /// hold sequences that a terminal obeys.
  public var visible: String {
    func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.properties.generalCategory {
      case .control, .format: scalar != "\n"
      default: false
      }
    }
    guard unicodeScalars.contains(where: isObeyed) else { return self }
    return unicodeScalars.map { isObeyed($0) ? $0.escaped(asASCII: true) : String($0) }.joined()
  }
}
