extension Unicode.Scalar {
  /// Whether it is one of the control characters U+0000 to U+001F and U+007F to U+009F, general category Cc.
  var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

  /// Whether it has the property White_Space.
  var isSpace: Bool { isASCII ? self == " " || (0x09...0x0D).contains(value) : properties.isWhitespace }
}
