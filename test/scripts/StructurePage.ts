/**
 * The structure of the packages as a page and its pictures, drawn from the imports of the sources.
 * Source: architecture, "Layers are folders"; D-001.
 */
import { Graphviz } from "@hpcc-js/wasm-graphviz"
import { allowedIn, coreLayers } from "../src/tidy/Layers.ts"
import type { SourceFile } from "../src/tidy/Repository.ts"
import { coreDot, packagesDot } from "../src/tidy/Structure.ts"
import { code, codes, page, table } from "./Markdown.ts"

const graphviz = await Graphviz.load()

const mark = "<!-- Generated from the imports of the sources by `npm run docs`. Do not edit: move the file. -->"

/** A graph in the DOT language as an SVG document with a title for screen readers, marked as generated. */
const svg = (title: string, dot: string): string =>
  graphviz
    .dot(dot)
    .replace(/<\?xml[\s\S]*?(?=<svg)/u, `${mark}\n`)
    .replace(/<svg([^>]*)>/u, `<svg role="img"$1>\n<title>${title}</title>`)

const packagesTitle = "The packages and what they import"
const coreTitle = "The layers of the core, their nouns and what they import"

/** The page and its pictures by their paths from the repository's root. */
export const structurePages = (files: ReadonlyArray<SourceFile>): ReadonlyArray<readonly [string, string]> => [
  [
    "docs/structure.md",
    page(
      "Structure",
      "`test/src/tidy/Layers.ts` and the imports of the sources",
      "The first folder of a path is the layer of a file. A file imports its own layer and the layers that this page names; a test holds every source against it. There is no cycle between files, and none between the nouns of a layer.",
      "## Packages",
      `![${packagesTitle}](structure-packages.svg)`,
      "## Layers of the core",
      table(
        ["Layer", "May import"],
        coreLayers.map((layer) => [code(layer), codes(allowedIn("packages/core/src", layer))]),
      ),
      "Boxes are nouns; thin arrows are imports between nouns of a layer, thick arrows those between layers. An arrow that follows from others is left out. An import that is not allowed would be red.",
      `![${coreTitle}](structure-core.svg)`,
    ),
  ],
  ["docs/structure-packages.svg", svg(packagesTitle, packagesDot(files))],
  ["docs/structure-core.svg", svg(coreTitle, coreDot(files))],
]
