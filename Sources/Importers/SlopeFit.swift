/// A straight line through points that come one after the other, by least squares.
struct SlopeFit {
  private var count = 0.0
  private var meanX = 0.0
  private var meanY = 0.0
  private var squares = 0.0
  private var products = 0.0

  mutating func add(_ x: Double, _ y: Double) {
    count += 1
    let deviation = x - meanX
    meanX += deviation / count
    meanY += (y - meanY) / count
    squares += deviation * (x - meanX)
    products += deviation * (y - meanY)
  }

  /// `nil` below 20 points, and where all have one x.
  var slope: Double? { count >= 20 && squares > 0 ? products / squares : nil }
}
