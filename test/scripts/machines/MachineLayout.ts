/**
 * Lays a state machine out with Graphviz, from top to bottom, in whole pixels: its states, and its arrows with their triggers. Arrows between
 * the same two states are one. Arrows that create a record are left out: a record that is shown exists.
 * Source: D-468.
 */

import type { Machine } from "@countersign/core/verify"
import { Graphviz } from "@hpcc-js/wasm-graphviz"

export interface LaidOutState {
  readonly name: string
  /** The centre. */
  readonly x: number
  readonly y: number
  readonly width: number
}

export interface LaidOutArrow {
  readonly from: string
  readonly to: string
  readonly triggers: ReadonlyArray<string>
  /** A path of an SVG document. Its last segment is the arrow's head. */
  readonly path: string
  /** The head: its base, and its point. */
  readonly head: readonly [x: number, y: number, toX: number, toY: number]
  /** The centre of the label. */
  readonly x: number
  readonly y: number
}

export interface LaidOutMachine {
  readonly width: number
  readonly height: number
  readonly states: ReadonlyArray<LaidOutState>
  readonly arrows: ReadonlyArray<LaidOutArrow>
}

const pointsPerInch = 72
const stateHeight = 30
const pixelsPerLetter = 8.2
const margin = 8

interface Drawn {
  readonly bb: string
  readonly objects: ReadonlyArray<{ readonly name: string; readonly pos: string; readonly width: string }>
  readonly edges?: ReadonlyArray<{
    readonly pos: string
    readonly lp: string
    readonly tooltip: string
  }>
}

const graphviz = await Graphviz.load()

/** A state in words, as pages show it. */
const wordsOf = (state: string): string => {
  const words = state.toLowerCase().replaceAll("_", " ")
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** The arrows between existing states, with all triggers of each. */
const mergedArrows = ({ arrows }: Machine.ArrowTable) =>
  [
    ...Map.groupBy(
      arrows.filter(({ from }) => from !== null),
      ({ from, to }) => `${from} ${to}`,
    ).values(),
  ].map((same) => ({
    from: same[0]?.from ?? "",
    to: same[0]?.to ?? "",
    triggers: same.map(({ trigger }) => trigger),
  }))

const dotOf = (machine: Machine.ArrowTable, arrows: ReturnType<typeof mergedArrows>): string =>
  [
    "digraph {",
    'rankdir=TB nodesep=0.3 ranksep=0.45 node [shape=box fixedsize=true label=""] edge [fontname=Helvetica fontsize=13]',
    ...machine.states.map((state) => {
      const width = (wordsOf(state).length * pixelsPerLetter + 24) / pointsPerInch
      return `"${state}" [width=${width.toFixed(3)} height=${(stateHeight / pointsPerInch).toFixed(3)}]`
    }),
    ...arrows.map(
      ({ from, to, triggers }, index) => `"${from}" -> "${to}" [label="${triggers.join("\\n")}" tooltip="${index}"]`,
    ),
    "}",
  ].join("\n")

const numbersOf = (text: string): ReadonlyArray<number> => text.split(/[ ,]/u).map(Number)

export const layOut = (machine: Machine.ArrowTable): LaidOutMachine => {
  const arrows = mergedArrows(machine)
  const drawn = JSON.parse(graphviz.layout(dotOf(machine, arrows), "json", "dot")) as Drawn
  const [, , right = 0, top = 0] = numbersOf(drawn.bb)
  const place = (text: string): readonly [x: number, y: number] => {
    const [x = 0, y = 0] = numbersOf(text)
    return [Math.round(x) + margin, Math.round(top - y) + margin]
  }
  return {
    width: Math.ceil(right) + 2 * margin,
    height: Math.ceil(top) + 2 * margin,
    states: drawn.objects.map(({ name, pos, width }) => {
      const [x, y] = place(pos)
      return { name, x, y, width: Math.round(Number(width) * pointsPerInch) }
    }),
    arrows: (drawn.edges ?? []).map(({ lp, pos, tooltip }) => {
      const [end = "", start = "", ...rest] = pos.replace(/^e,/u, "").split(" ")
      const curve = rest.map((text) => place(text).join(" "))
      const [x, y] = place(lp)
      const arrow = arrows[Number(tooltip)]
      return {
        from: arrow?.from ?? "",
        to: arrow?.to ?? "",
        triggers: arrow?.triggers ?? [],
        path: `M${place(start).join(" ")}C${curve.join(" ")}`,
        head: [...place(rest.at(-1) ?? start), ...place(end)],
        x,
        y,
      }
    }),
  }
}
