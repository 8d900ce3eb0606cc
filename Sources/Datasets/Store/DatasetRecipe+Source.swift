import Foundation

extension DatasetRecipe: DatasetSource {
  public var manifest: Manifest { generator.manifest }

  public var clipCount: Int { generator.clipCount }

  /// A hash of the recipe and of the generator's version, for which no clip needs to be generated.
  public func digest() throws -> ContentHash {
    let hash = SHA256()
    hash.update("recipe \(MotionGenerator.version)")
    hash.update(generator.name)
    hash.update(try contents.file(Self.file).bytes)
    return ContentHash(hash.finish())
  }

  public func clip(_ index: Int) throws -> Clip { generator.scene(index).clip() }
}

extension Store {
  /// Takes a dataset folder in as a cache of it, whether it holds files or a recipe.
  ///
  /// - Throws: as `importing(_:cacheOf:expires:progress:)`, and `DataError` for a folder that is neither.
  @discardableResult
  public func importing(folder path: String, cacheOf: String? = nil) throws -> ImportOutcome {
    FileKind(path + "/" + DatasetRecipe.file) == nil
      ? try importing(DatasetFolder(path), cacheOf: cacheOf) : try importing(DatasetRecipe(path), cacheOf: cacheOf)
  }
}
