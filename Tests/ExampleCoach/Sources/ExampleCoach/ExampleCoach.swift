import BenchCommand

/// The bench command with the app's own counter among the detectors.
@main struct ExampleCoach {
  static func main() async {
    await Bench.main(adding: [ShoulderDropCounter.self])
  }
}
