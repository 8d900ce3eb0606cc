import BenchCommand

await Bench.main()
