/** The repository itself, held against every check of the code about the code. */
import { describe, expect, it } from "vitest"
import { compare, current, generate } from "../../scripts/docs.ts"
import { decisionsOf, headingsOf, problemsOfCitations, problemsOfDecisions, problemsOfOrder } from "./Citations.ts"
import { problemsOfDeclared, problemsOfDirection, problemsOfPurity } from "./Direction.ts"
import { problemsOfHeader, problemsOfLength, problemsOfMedian, problemsOfWorkplace } from "./Files.ts"
import { cyclesOf, fileGraph, grouped, nounOf } from "./ImportGraph.ts"
import { everyFile, isPackageSource, type SourceFile, sources } from "./Repository.ts"
import { problemsOfCommentSentences, problemsOfPageSentences } from "./Sentences.ts"
import { problemsOfPage, problemsOfVocabulary } from "./Vocabulary.ts"
import { problemsOfExceptions, problemsOfWords } from "./Words.ts"

const files = sources()
const inPackages = files.filter(({ path }) => isPackageSource(path))
const inTests = files.filter(({ path }) => path.startsWith("test/"))

/** The packages that a workspace declares, and its own name. */
const declaredBy = (manifest: SourceFile): ReadonlySet<string> => {
  const {
    dependencies = {},
    name,
    peerDependencies = {},
  }: Record<string, Record<string, string>> = JSON.parse(manifest.text)
  return new Set([String(name), ...Object.keys(dependencies), ...Object.keys(peerDependencies)])
}

describe("the code", () => {
  it("is found", () => {
    expect(inPackages.length).toBeGreaterThan(50)
    expect(inTests.map(({ path }) => path)).toContain("test/src/tidy/Tidy.test.ts")
  })

  it("imports in one direction", () => {
    expect(files.flatMap(problemsOfDirection)).toEqual([])
  })

  it("has no cycle of files, nor of a layer's nouns", () => {
    const graph = fileGraph(files)
    expect(cyclesOf(graph)).toEqual([])
    expect(cyclesOf(grouped(graph, nounOf))).toEqual([])
  })

  it("decides without running anything", () => {
    expect(files.flatMap(problemsOfPurity)).toEqual([])
  })

  it("declares what it imports", () => {
    const manifests = everyFile().filter(({ path }) => /^packages\/[^/]+\/package\.json$/u.test(path))
    const problems = manifests.flatMap((manifest) => {
      const folder = manifest.path.replace("package.json", "src/")
      return inPackages
        .filter(({ path }) => path.startsWith(folder))
        .flatMap((file) => problemsOfDeclared(file, declaredBy(manifest)))
    })
    expect(problems).toEqual([])
  })

  it("has none of the words that it must not have", () => {
    expect(files.flatMap((file) => problemsOfWords(file))).toEqual([])
  })

  it("needs its exceptions", () => {
    expect(problemsOfExceptions(files)).toEqual([])
  })

  it("is in short files", () => {
    expect(files.flatMap(problemsOfLength)).toEqual([])
    expect(problemsOfMedian(inPackages)).toEqual([])
    expect(problemsOfMedian(inTests)).toEqual([])
  })

  it("says on its first line what it is", () => {
    expect(files.flatMap(problemsOfHeader)).toEqual([])
  })
})

describe("the sources", () => {
  it("cite sections of the architecture that exist", () => {
    const page = everyFile().find(({ path }) => path === "docs/architecture.md")
    const headings = headingsOf(page?.text ?? "")
    const tests = new Set(["test/src/tidy/Citations.ts", "test/src/tidy/Citations.test.ts"])
    expect(files.filter(({ path }) => !tests.has(path)).flatMap((file) => problemsOfCitations(file, headings))).toEqual(
      [],
    )
  })

  it("cite decisions that were taken, and are found at their number", () => {
    const decisions = decisionsOf(everyFile().find(({ path }) => path === "DECISIONS.md")?.text ?? "")
    expect(decisions.length).toBeGreaterThan(300)
    expect(problemsOfOrder(decisions)).toEqual([])
    const cited = everyFile().filter(
      ({ path }) => /\.(?:css|js|md|mjs|ts)$/u.test(path) && !path.includes("tidy/Citations"),
    )
    expect(cited.flatMap((file) => problemsOfDecisions(file, new Set(decisions)))).toEqual([])
  })
})

describe("the language", () => {
  it("uses the vocabulary", () => {
    const pages = everyFile().filter(({ path }) => path.endsWith(".md"))
    expect([...files.flatMap(problemsOfVocabulary), ...pages.flatMap(problemsOfPage)]).toEqual([])
  })
})

describe("the sentences", () => {
  it("of pages and of doc comments are short", () => {
    const pages = everyFile().filter(({ path }) => path.endsWith(".md"))
    expect(pages.map(({ path }) => path)).toContain("docs/guides/server.md")
    expect([...pages.flatMap(problemsOfPageSentences), ...inPackages.flatMap(problemsOfCommentSentences)]).toEqual([])
  })
})

describe("the packages", () => {
  it("are all compiled by the root configuration", () => {
    const all = everyFile()
    const packages = all.flatMap(({ path }) => /^(packages\/[^/]+)\/tsconfig\.json$/u.exec(path)?.[1] ?? [])
    const root = all.find(({ path }) => path === "tsconfig.json")
    const { references }: { readonly references: ReadonlyArray<{ readonly path: string }> } = JSON.parse(
      root?.text ?? "",
    )
    const compiled = references.map(({ path }) => path)
    expect(packages.length).toBeGreaterThan(5)
    expect(packages.filter((folder) => !compiled.includes(folder))).toEqual([])
  })
})

describe("the repository", () => {
  it("names no workplace", () => {
    expect(everyFile().flatMap(problemsOfWorkplace)).toEqual([])
  })

  it("has its generated pages in step with the tables", () => {
    expect(compare(generate(), current())).toEqual([])
  })
})
