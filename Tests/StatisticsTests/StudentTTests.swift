import RealModule
import Statistics
import Testing

struct StudentTTests {
  /// NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, three places.
  @Test(arguments: [
    (1, 0.90, 3.078), (1, 0.95, 6.314), (1, 0.975, 12.706), (1, 0.99, 31.821), (1, 0.995, 63.657),
    (2, 0.90, 1.886), (2, 0.95, 2.920), (2, 0.975, 4.303), (2, 0.99, 6.965), (2, 0.995, 9.925),
    (3, 0.90, 1.638), (3, 0.95, 2.353), (3, 0.975, 3.182), (3, 0.99, 4.541), (3, 0.995, 5.841),
    (5, 0.90, 1.476), (5, 0.95, 2.015), (5, 0.975, 2.571), (5, 0.99, 3.365), (5, 0.995, 4.032),
    (9, 0.90, 1.383), (9, 0.95, 1.833), (9, 0.975, 2.262), (9, 0.99, 2.821), (9, 0.995, 3.250),
    (10, 0.90, 1.372), (10, 0.95, 1.812), (10, 0.975, 2.228), (10, 0.99, 2.764), (10, 0.995, 3.169),
    (20, 0.90, 1.325), (20, 0.95, 1.725), (20, 0.975, 2.086), (20, 0.99, 2.528), (20, 0.995, 2.845),
    (30, 0.90, 1.310), (30, 0.95, 1.697), (30, 0.975, 2.042), (30, 0.99, 2.457), (30, 0.995, 2.750),
    (60, 0.90, 1.296), (60, 0.95, 1.671), (60, 0.975, 2.000), (60, 0.99, 2.390), (60, 0.995, 2.660),
    (100, 0.90, 1.290), (100, 0.95, 1.660), (100, 0.975, 1.984), (100, 0.99, 2.364), (100, 0.995, 2.626),
  ])
  func quantilesOfThePublishedTable(degreesOfFreedom: Int, p: Double, table: Double) {
    #expect(abs(StudentT(degreesOfFreedom: Double(degreesOfFreedom)).quantile(p) - table) <= 0.000501)
  }

  /// With many degrees of freedom the normal distribution, whose quantiles are 1.959964 and 2.575829.
  @Test func manyDegreesOfFreedomAreNearlyNormal() {
    #expect(abs(StudentT(degreesOfFreedom: 1e6).quantile(0.975) - 1.959964) < 1e-5)
    #expect(abs(StudentT(degreesOfFreedom: 1e6).quantile(0.995) - 2.575829) < 1e-5)
  }

  /// One degree of freedom is Cauchy's distribution: t = tan(π (p - ½)), and in the tail 1 / tan(π p).
  @Test func oneDegreeOfFreedomIsCauchys() {
    let cauchy = StudentT(degreesOfFreedom: 1)
    for p in [0.501, 0.6, 0.75, 0.9, 0.975, 0.999] {
      #expect(cauchy.quantile(p).isApproximatelyEqual(to: .tan(.pi * (p - 0.5)), relativeTolerance: 1e-11), "\(p)")
    }
    for p in [1e-3, 1e-9, 1e-20, 1e-100] {
      #expect(cauchy.quantile(p).isApproximatelyEqual(to: -1 / .tan(.pi * p), relativeTolerance: 1e-11), "\(p)")
    }
    for t in [-30, -1, -1e-8, 0, 1e-8, 0.5, 1, 4] {
      #expect(cauchy.cumulative(t).isApproximatelyEqual(to: 0.5 + .atan(t) / .pi, relativeTolerance: 1e-13), "\(t)")
    }
  }

  /// With two, t = (2 p - 1) / √(2 p (1 - p)).
  @Test func twoDegreesOfFreedom() {
    for p in [0.01, 0.3, 0.5, 0.6, 0.75, 0.9, 0.975, 0.999] {
      let expected = (2 * p - 1) / (2 * p * (1 - p)).squareRoot()
      #expect(StudentT(degreesOfFreedom: 2).quantile(p).isApproximatelyEqual(to: expected, absoluteTolerance: 1e-11))
    }
  }

  /// With three, P(t) = ½ + (x / (1 + x²) + arctan x) / π where x = t / √3.
  @Test func threeDegreesOfFreedom() {
    for t in [-20, -1.5, 0, 0.1, 0.9, 1, 2, 3.182, 10] {
      let x = t / 3.0.squareRoot()
      let expected = 0.5 + (x / (1 + x * x) + .atan(x)) / .pi
      #expect(StudentT(degreesOfFreedom: 3).cumulative(t).isApproximatelyEqual(to: expected, relativeTolerance: 1e-12))
    }
  }

  @Test func isSymmetric() {
    for degrees in [1, 2.5, 7, 40] {
      let student = StudentT(degreesOfFreedom: degrees)
      for p in [1 / 64.0, 1 / 8.0, 1 / 4.0, 7 / 16.0] { #expect(student.quantile(p) == -student.quantile(1 - p)) }
      #expect(student.quantile(0.5) == 0)
      #expect(student.cumulative(0) == 0.5)
    }
  }

  @Test func quantileUndoesCumulative() {
    for degrees in [1, 2, 3.5, 12, 99, 5000] {
      let student = StudentT(degreesOfFreedom: degrees)
      for t in [-4, -1.7, -0.001, 0.3, 1, 2.2, 5] {
        let back = student.quantile(student.cumulative(t))
        #expect(back.isApproximatelyEqual(to: t, relativeTolerance: 1e-8), "\(degrees)")
      }
    }
  }

  @Test func endsAreInfinite() {
    let student = StudentT(degreesOfFreedom: 4)
    #expect(student.quantile(1) == .infinity)
    #expect(student.quantile(0) == -.infinity)
    #expect(student.cumulative(.infinity) == 1)
    #expect(student.cumulative(-.infinity) == 0)
  }
}
