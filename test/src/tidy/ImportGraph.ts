/**
 * The graph of imports between files, and its cycles.
 * Source: architecture, "Layers are folders": no cycle between files, nor between nouns of a layer.
 */
import { importsOf, resolved } from "./Imports.ts"
import type { SourceFile } from "./Repository.ts"

/** For each node the nodes that it imports. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** The relative imports of files, types included. */
export const fileGraph = (files: ReadonlyArray<SourceFile>): Graph =>
  new Map(
    files.map(({ path, text }) => [
      path,
      new Set(
        importsOf(text)
          .filter(({ from }) => from.startsWith("."))
          .map(({ from }) => resolved(path, from)),
      ),
    ]),
  )

/** The graph of groups that a graph of their members makes; imports inside a group are left out. */
export const grouped = (graph: Graph, groupOf: (node: string) => string | undefined): Graph => {
  const groups = new Map<string, Set<string>>()
  for (const [node, imported] of graph) {
    const group = groupOf(node)
    if (group === undefined) continue
    const targets = groups.get(group) ?? new Set()
    groups.set(group, targets)
    for (const other of imported) {
      const target = groupOf(other)
      if (target !== undefined && target !== group) targets.add(target)
    }
  }
  return groups
}

/** A noun of a layer, as `packages/core/src/model/card`; `undefined` outside the core and beside its nouns. */
export const nounOf = (path: string): string | undefined => /^packages\/core\/src\/[^/]+\/[^/]+(?=\/)/u.exec(path)?.[0]

/**
 * One cycle of the graph for each group of nodes that reach one another, each as a chain that ends where it begins.
 * The search keeps its own stack: a long chain of imports must not overflow the engine's.
 */
export const cyclesOf = (graph: Graph): ReadonlyArray<ReadonlyArray<string>> => {
  const done = new Set<string>()
  const cycles: Array<ReadonlyArray<string>> = []
  for (const start of graph.keys()) {
    if (done.has(start)) continue
    const chain: Array<string> = []
    const todo: Array<{ readonly node: string; readonly leave: boolean }> = [{ node: start, leave: false }]
    while (todo.length > 0) {
      const { leave, node } = todo.pop() ?? { node: "", leave: true }
      if (leave) {
        chain.pop()
        done.add(node)
        continue
      }
      const at = chain.indexOf(node)
      if (at >= 0) cycles.push([...chain.slice(at), node])
      if (at >= 0 || done.has(node)) continue
      chain.push(node)
      todo.push({ node, leave: true })
      for (const next of graph.get(node) ?? []) todo.push({ node: next, leave: false })
    }
  }
  return cycles
}
