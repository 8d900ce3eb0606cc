import Charts
import Testing

/// What pictures are called, whose names may be of detectors that a store of somebody else's has made up.
@Suite struct ReportPictureTests {
  @Test(arguments: [
    ("classes-swing-peaks.png", "classes-swing-peaks.png"), ("classes-a/../../../x.png", "classes-a-..-..-..-x.png"),
    ("classes-my counter.png", "classes-my-counter.png"),
  ])
  func aNameIsOneOfAFileInTheReport(wanted: String, name: String) throws {
    let chart = try #require(Examples.all.first)
    #expect(ReportPicture(file: wanted, heading: "", chart: chart).file == name)
  }
}
