/**
 * The structure of the packages as drawings: which package, layer and noun imports which. An import that the layers do not allow is red.
 * Source: architecture, "Layers are folders"; D-001.
 */
import { cyclesOf, fileGraph, type Graph, grouped, nounOf } from "./ImportGraph.ts"
import { importsOf } from "./Imports.ts"
import { coreLayers, isAllowedLayer, isAllowedPackage, layerOf } from "./Layers.ts"
import { isPackageSource, type SourceFile } from "./Repository.ts"

/** A graph without the arrows that follow from a longer path. The graph must have no cycle. */
export const reduced = (graph: Graph): Graph => {
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(graph.get(from) ?? [])].some((next) => {
      if (next === to) return true
      if (seen.has(next)) return false
      seen.add(next)
      return reaches(next, to, seen)
    })
  const isDirect = (from: string, to: string) =>
    ![...(graph.get(from) ?? [])].some((other) => other !== to && reaches(other, to))
  return new Map([...graph].map(([from, targets]) => [from, new Set([...targets].filter((to) => isDirect(from, to)))]))
}

const packageGraph = (files: ReadonlyArray<SourceFile>): Graph => {
  const imported = new Map<string, Set<string>>()
  for (const { path, text } of files.filter((file) => isPackageSource(file.path))) {
    const own = path.split("/")[1] ?? ""
    const targets = imported.get(own) ?? new Set()
    imported.set(own, targets)
    for (const { from } of importsOf(text)) {
      const [, name] = /^@countersign\/([a-z-]+)/u.exec(from) ?? []
      if (name !== undefined && name !== own) targets.add(name)
    }
  }
  return imported
}

const drawn = (graph: Graph): Graph => (cyclesOf(graph).length === 0 ? reduced(graph) : graph)

const quoted = (text: string) => JSON.stringify(text)

const arrows = (graph: Graph, isAllowed: (from: string, to: string) => boolean, more = ""): ReadonlyArray<string> =>
  [...graph].flatMap(([from, targets]) =>
    [...targets]
      .toSorted()
      .map((to) => `  ${quoted(from)} -> ${quoted(to)} [${isAllowed(from, to) ? "" : "color=red, penwidth=3"}${more}]`),
  )

const document = (body: ReadonlyArray<string>): string =>
  [
    "digraph {",
    '  bgcolor=white; compound=true; nodesep=0.25; ranksep=0.6; fontname="Helvetica"',
    '  node [shape=box, style="rounded,filled", fillcolor=white, color="#4b5563", fontname="Helvetica", fontsize=12, height=0.35, margin="0.14,0.04"]',
    '  edge [color="#6b7280", arrowsize=0.6]',
    ...body,
    "}",
  ].join("\n")

/** The packages as a graph in the DOT language. */
export const packagesDot = (files: ReadonlyArray<SourceFile>): string => {
  const graph = packageGraph(files)
  return document([
    ...[...graph.keys()].toSorted().map((name) => `  ${quoted(name)}`),
    ...arrows(drawn(graph), isAllowedPackage),
  ])
}

const core = "packages/core/src/"
const shades = ["#fef9c3", "#dcfce7", "#e0f2fe", "#e0f2fe", "#e0f2fe", "#ffedd5", "#eef2ff", "#fce7f3", "#f3f4f6"]

/** The layers of the core with their nouns, as a graph in the DOT language: arrows inside a layer are those of its nouns. */
export const coreDot = (files: ReadonlyArray<SourceFile>): string => {
  const graph = fileGraph(files.filter(({ path }) => path.startsWith(core)))
  const nouns = grouped(graph, nounOf)
  const layers = grouped(graph, layerOf)
  const clusterOf = (layer: string) => `cluster_${layer}`
  /** The nodes of a layer: its nouns, or a point where it has none. */
  const inside = (layer: string): Graph => {
    const own = [...nouns.keys()].filter((noun) => noun.startsWith(`${core}${layer}/`)).toSorted()
    const graphOfNouns = new Map(
      own.map((noun) => [noun, new Set([...(nouns.get(noun) ?? [])].filter((other) => own.includes(other)))]),
    )
    return own.length === 0 ? new Map([[layer, new Set()]]) : drawn(graphOfNouns)
  }
  const bottomOf = (layer: string) =>
    [...inside(layer)].flatMap(([node, targets]) => (targets.size === 0 ? [node] : []))
  const topOf = (layer: string) => {
    const imported = new Set([...inside(layer).values()].flatMap((targets) => [...targets]))
    return [...inside(layer).keys()].filter((node) => !imported.has(node))
  }
  const middle = (nodes: ReadonlyArray<string>) => nodes[Math.floor(nodes.length / 2)] ?? ""
  const clusters = coreLayers.flatMap((layer, at) => [
    `  subgraph ${quoted(clusterOf(layer))} {`,
    `    label=${quoted(layer)}; labeljust=l; style="rounded,filled"; color="#9ca3af"; fillcolor="${shades[at % shades.length]}"; fontsize=15`,
    ...[...inside(layer).keys()].map((node) =>
      node === layer
        ? `    ${quoted(node)} [label="", shape=point, style=invis, width=0.9]`
        : `    ${quoted(node)} [label=${quoted(node.split("/").at(-1) ?? "")}]`,
    ),
    ...arrows(inside(layer), () => true).map((line) => `  ${line}`),
    "  }",
  ])
  const between = [...drawn(layers)].flatMap(([from, targets]) =>
    [...targets].toSorted().flatMap((to) => {
      const style = isAllowedLayer("packages/core/src", from, to)
        ? 'penwidth=2, color="#111827"'
        : "color=red, penwidth=4"
      const ends = `ltail=${quoted(clusterOf(from))}, lhead=${quoted(clusterOf(to))}`
      // Invisible arrows keep a layer as a whole below the layers that import it.
      const kept = bottomOf(from).flatMap((tail) =>
        topOf(to).map((head) => `  ${quoted(tail)} -> ${quoted(head)} [style=invis]`),
      )
      return [
        `  ${quoted(middle(bottomOf(from)))} -> ${quoted(middle(topOf(to)))} [${ends}, ${style}, arrowsize=1]`,
        ...kept,
      ]
    }),
  )
  return document([...clusters, ...between])
}
