/// Units of length that motion capture files come in.
enum LengthUnit: String, CaseIterable {
  case metre = "m"
  case millimetre = "mm"
  case centimetre = "cm"
  case inch = "in"

  var metres: Double {
    switch self {
    case .metre: 1
    case .millimetre: 0.001
    case .centimetre: 0.01
    case .inch: 0.0254
    }
  }

  /// Lengths of a leg, hip to knee to ankle, in metres, from people 1.2 to 2.2 m tall, with something to spare at both
  /// ends: thigh and shank are 0.245 and 0.246 of stature (Drillis and Contini 1966, as in Winter, Biomechanics and Motor
  /// Control of Human Movement, 4th ed. 2009, figure 4.1).
  ///
  /// The ends differ by less than the factor between an inch and a centimetre, so that no leg fits two units.
  static let legs = 0.5...1.2

  /// The unit in which a leg has a person's length, where a file does not say; `nil` where it is none.
  init?(leg: Double) {
    guard let unit = Self.allCases.first(where: { Self.legs.contains(leg * $0.metres) }) else { return nil }
    self = unit
  }
}
