/**
 * Where the cells of a store are, and the moves that balance its nodes.
 * Source: D-517.
 */
import type { Host } from "../connection/Connection.ts"

export interface CellRow {
  /** From 0. */
  readonly cell: number
  /** `host:port`; `undefined`: the store is on one server. */
  readonly node: string | undefined
  /** With its indexes. */
  readonly bytes: number
  readonly customers: number
  /** Its node does not answer, so that its size is not known. */
  readonly isLost?: true
}

export interface NodeRow extends Host {
  readonly name: string
  readonly isCoordinator: boolean
  /** Whether cells are placed there. */
  readonly takesCells: boolean
}

export interface CellList {
  readonly cells: ReadonlyArray<CellRow>
  /** Empty: the store is on one server. */
  readonly nodes: ReadonlyArray<NodeRow>
}

export interface CellMove {
  readonly cell: number
  readonly from: string
  readonly to: string
  readonly bytes: number
}

/** What a cell weighs at least, so that empty cells are spread, too. */
const weightMin = 1_000_000

/** The moves by which the fullest node gives cells to the emptiest, as long as that makes the fullest smaller. */
export const plan = ({ cells, nodes }: CellList): ReadonlyArray<CellMove> => {
  const places = new Map<string, Array<CellRow>>(
    nodes.filter(({ takesCells }) => takesCells).map(({ name }) => [name, []]),
  )
  const moves: Array<CellMove> = []
  const weightOf = ({ bytes }: CellRow) => Math.max(bytes, weightMin)
  const total = (rows: ReadonlyArray<CellRow>) => rows.reduce((sum, row) => sum + weightOf(row), 0)
  // What is on a node that takes no cells any more goes first.
  for (const row of cells) {
    const own = row.node === undefined ? undefined : places.get(row.node)
    if (own !== undefined) own.push(row)
  }
  const emptiest = () => [...places].toSorted(([, a], [, b]) => total(a) - total(b))[0]
  const give = (row: CellRow, from: string): void => {
    const target = emptiest()
    if (target === undefined) return
    target[1].push(row)
    moves.push({ cell: row.cell, from, to: target[0], bytes: row.bytes })
  }
  for (const row of cells) if (row.node !== undefined && !places.has(row.node)) give(row, row.node)
  for (;;) {
    const sorted = [...places].toSorted(([, a], [, b]) => total(a) - total(b))
    const [least, most] = [sorted[0], sorted.at(-1)]
    if (least === undefined || most === undefined) return moves
    const gap = total(most[1]) - total(least[1])
    const best = most[1].filter((row) => weightOf(row) < gap).toSorted((a, b) => weightOf(b) - weightOf(a))
    // Half the gap is the best that one move can do; more would only turn it round.
    const row = best.find((each) => weightOf(each) <= gap / 2) ?? best.at(-1)
    if (row === undefined || gap - weightOf(row) <= 0) return moves
    most[1].splice(most[1].indexOf(row), 1)
    give(row, most[0])
  }
}
