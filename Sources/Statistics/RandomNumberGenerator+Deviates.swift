import RealModule

/// Deviates that are made here and not by the standard library, whose methods may change between versions.
extension RandomNumberGenerator {
  /// Uniform in 0..<1, a multiple of 2⁻⁵³.
  public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Uniform in 0..<count, without bias.
  ///
  /// - Parameter count: Above 0.
  /// - Source: Lemire, Fast Random Integer Generation in an Interval, ACM Transactions on Modeling and Computer
  ///   Simulation 29, 2019.
  @inline(__always)
  public mutating func index(below count: Int) -> Int {
    let bound = UInt64(count)
    var product = next().multipliedFullWidth(by: bound)
    if product.low < bound {
      let threshold = (0 &- bound) % bound
      while product.low < threshold { product = next().multipliedFullWidth(by: bound) }
    }
    return Int(product.high)
  }

  /// Of mean 0 and standard deviation 1, by the polar method.
  ///
  /// - Source: Marsaglia and Bray, A Convenient Method for Generating Normal Variables, SIAM Review 6, 1964.
  public mutating func normal() -> Double {
    while true {
      let x = 2 * unit() - 1
      let y = 2 * unit() - 1
      let square = x * x + y * y
      if square > 0 && square < 1 { return x * (-2 * Double.log(square) / square).squareRoot() }
    }
  }
}
