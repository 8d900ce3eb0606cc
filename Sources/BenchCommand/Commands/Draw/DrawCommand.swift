import ArgumentParser

struct DrawCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draw",
    abstract: "Draws charts of stored runs, without running anything again.",
    discussion: """
      Examples:
        bench draw list
        bench draw counts --suite squat
        bench draw counts errors latency --suite squat --run latest --theme dark --scale 2
        bench draw timeline --suite squat --clip s01_side_2
        bench draw card --dataset squat-sample --output charts
        bench draw gains --suite squat --with baseline --width 400 --output gains.png
      """,
    subcommands: [DrawListCommand.self, DrawGalleryCommand.self, DrawChartsCommand.self],
    defaultSubcommand: DrawChartsCommand.self)
}
