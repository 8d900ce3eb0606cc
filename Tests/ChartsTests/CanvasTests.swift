import Charts
import Testing

struct CanvasTests {
  private let size = Size(width: 400, height: 200)

  @Test(arguments: [1.0, 2, 0.5])
  func everyInkOfATextLiesInItsBox(scale: Double) throws {
    for text in ["jÅgÇ|_Wf", "j", "−12.5 → 15", "…", "Ŵḝ", "squat-s01_side.mp4"] {
      for isBold in [false, true] {
        let canvas = try Canvas(size: size, scale: scale)
        let style = TextStyle(size: 30, isBold: isBold)
        let box = try #require(canvas.text(text, at: Point(x: 200, y: 100), Anchor(.center, .middle), style))
        let picture = try PNGFile(canvas.png())
        for (index, pixel) in picture.pixels.enumerated() where pixel != 0xFFFFFF {
          let x = Double(index % picture.width) / scale
          let y = Double(index / picture.width) / scale
          // Cairo moves each glyph to a whole pixel, by half a pixel at most, and the pixel that an edge touches is
          // inked as a whole.
          let isInside = box.inset(by: -1.5 / scale).contains(Rect(x: x, y: y, width: 1 / scale, height: 1 / scale))
          #expect(isInside, "\(text) at scale \(scale): ink at \(x), \(y) outside \(box)")
        }
      }
    }
  }

  @Test func aTextTooWideEndsInAnEllipsis() throws {
    let canvas = try Canvas(size: size)
    let whole = canvas.width(of: "a long name of a clip", .note)
    let box = try #require(
      canvas.text("a long name of a clip", at: Point(x: 0, y: 50), Anchor(.left, .top), .note, maxWidth: whole / 2))
    #expect(box.width <= whole / 2)
    let drawn = try #require(canvas.texts.first?.text)
    #expect(drawn.hasSuffix("…") && "a long name of a clip".hasPrefix(drawn.dropLast()))
    #expect(canvas.text("a long name", at: Point(x: 0, y: 100), Anchor(.left, .top), .note, maxWidth: 3) == nil)
  }

  @Test func aTextThatWouldLieOnAnotherIsLeftOut() throws {
    let canvas = try Canvas(size: size)
    let place = Point(x: 50, y: 50)
    #expect(canvas.text("first", at: place, Anchor(.left, .top), .note) != nil)
    let before = try canvas.png()
    #expect(canvas.text("second", at: place, Anchor(.left, .top), .note) == nil)
    #expect(canvas.text("edge", at: Point(x: 390, y: 50), Anchor(.left, .top), .note) == nil)
    #expect(try canvas.png() == before)
  }

  @Test func aParagraphBreaksAtSpacesAndStopsAtTheEnd() throws {
    let canvas = try Canvas(size: size)
    let width = canvas.width(of: "three words here", .note) + 1
    let area = Rect(x: 0, y: 0, width: width, height: 2 * TextStyle.note.lineHeight)
    let bottom = canvas.paragraph("three words here three words here three words here", in: area, .note)
    let lines = canvas.texts.map(\.text)
    // The second line says that more would follow.
    #expect(
      lines.count == 2 && lines[0] == "three words here" && lines[1].hasPrefix("three") && lines[1].hasSuffix("…"))
    #expect(bottom == area.bottom)
  }

  @Test func whatIsNotFiniteDrawsNothing() throws {
    let canvas = try Canvas(size: size)
    let empty = try canvas.png()
    for bad in [Double.nan, .infinity, -.infinity, 1e300] {
      let point = Point(x: bad, y: 10)
      canvas.line(from: point, to: Point(x: 10, y: 10), .ink)
      canvas.path([point, nil, point], .ink)
      canvas.polygon([point, Point(x: 0, y: 0), Point(x: 9, y: 9)], .ink)
      canvas.disc(at: point, radius: 5, .ink)
      canvas.fill(Rect(x: bad, y: 0, width: 10, height: 10), .ink)
      canvas.outline(Rect(x: 0, y: 0, width: bad, height: 10), .ink)
      canvas.text("text", at: point, Anchor(.left, .top), .note)
    }
    #expect(try canvas.png() == empty)
  }

  @Test func aSizeThatNoPictureHasIsRefused() {
    let sizes: [(Size, scale: Double)] = [
      (Size(width: 0, height: 10), 1), (Size(width: 40_000, height: 10), 1), (Size(width: 20_000, height: 10), 2),
      (Size(width: .nan, height: 10), 1), (Size(width: 10, height: 10), 0), (Size(width: -10, height: -10), -1),
    ]
    for (size, scale) in sizes { expectRefused(size, scale: scale) }
  }

  private func expectRefused(_ size: Size, scale: Double) {
    #expect {
      _ = try Canvas(size: size, scale: scale)
    } throws: { error in
      guard case ChartError.size = error else { return false }
      return true
    }
  }

  @Test func aSizeErrorSaysWhatWasExpected() {
    let error = ChartError.size(Size(width: 0, height: 10), scale: 2)
    #expect(
      error.description
        == "cannot draw a picture of 0.0 x 10.0 points at scale 2.0: expected 1 to 32767 pixels per side")
  }

  @Test func picturesOfSeveralTasksAreThoseOfOne() async throws {
    let alone = try (0..<40).map(smallPicture)
    let together = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
      for index in alone.indices { group.addTask { (index, try smallPicture(index)) } }
      return try await group.reduce(into: Array(repeating: [UInt8](), count: alone.count)) { $0[$1.0] = $1.1 }
    }
    let areEqual = alone == together
    #expect(areEqual)
  }

  /// Cairo aborts where two threads give back and take the same font; by chance, so that this often has to try.
  @Test func textsAreMeasuredOnSeveralThreadsAtOnce() async {
    let widths = await withTaskGroup(of: Double.self) { group in
      for _ in 0..<4 {
        group.addTask {
          (0..<50_000).reduce(0) { $0 + TextStyle(size: $1.isMultiple(of: 2) ? 11 : 14).width(of: "12 reps") }
        }
      }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(widths.count == 1)
  }

  @Test func meaningsHaveColoursOfTheirOwn() {
    #expect(Set(SemanticColor.allCases.map { Theme.light[$0] }).count == SemanticColor.allCases.count)
  }
}

private func smallPicture(_ index: Int) throws -> [UInt8] {
  let canvas = try Canvas(size: Size(width: 200, height: 60))
  for (row, size) in [9.0, 12, 15].enumerated() {
    let style = TextStyle(size: size + Double(index % 5), isBold: index.isMultiple(of: 2))
    canvas.text("clip \(index)", at: Point(x: 5, y: 20 * Double(row)), Anchor(.left, .top), style)
  }
  return try canvas.png()
}
