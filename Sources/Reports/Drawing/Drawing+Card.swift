import Datasets
import Evaluation
import Plots

extension Drawing {
  static let card = Drawing(
    "card", "What a dataset holds and where it comes from.",
    needs: "a run, of which it draws each dataset with the content that the run saw; or --dataset without a run",
    takes: [.run, .dataset]
  ) { material in
    let catalogue = DatasetCatalogue(project: material.project, store: material.store)
    let datasets: [StoredDataset]
    if let name = material.dataset {
      datasets = [try catalogue.dataset(named: name)]
    } else {
      let results = try material.storedRun().results
      datasets = try results.datasets.map { try catalogue.dataset(named: $0.name, keptAs: $0.content) }
      for (dataset, seen) in zip(datasets, results.datasets) where dataset.content?.description != seen.content {
        throw EvaluationError.missing(
          what: "dataset \(seen.name)", expected: "the content that the run saw, \(seen.content)",
          found: dataset.content?.description ?? "an unfinished import")
      }
    }
    return try datasets.map { dataset in
      let summary = try DatasetSummary(dataset, in: material.store) { _ in }
      return Picture(
        summary.card, part: datasets.count > 1 ? dataset.manifest.name : "",
        metadata: summary.metadata(bench: material.bench))
    }
  }
}
