/**
 * Many change sets as the set-based commit reads them: the rows of each part of all of them together, each with its set's number
 * first, those of records by the number of their kind.
 * Source: `functions/CommitGroup.ts`; `ChangeSetCode.ts` for the rows.
 */
import type { Coded, Row } from "./ChangeSetCode.ts"

type Rows = Array<Row>

const byKind = ["i", "m", "g"]
const asTheyAre = ["f", "k", "ta", "lt", "e", "j"]

/** A row of records without its kind, under its kind. */
const sortIn = (kinds: Record<string, Rows>, number: number, [kind, ...row]: Row): void => {
  const name = String(kind)
  const rows = kinds[name] ?? []
  kinds[name] = rows
  rows.push([number, ...row])
}

export const batchOf = (sets: ReadonlyArray<Coded>): object => {
  const parts: Record<string, Rows> = {}
  const records: Record<string, Record<string, Rows>> = {}
  const add = (part: string, row: Row): void => {
    const rows = parts[part] ?? []
    parts[part] = rows
    rows.push(row)
  }
  for (const [index, set] of sets.entries()) {
    const number = index + 1
    add("sets", [number, set.p, set.u, set.o, set.t, set.w, set.x])
    for (const part of byKind) {
      for (const row of set.parts[part] ?? []) {
        const kinds = records[part] ?? {}
        records[part] = kinds
        sortIn(kinds, number, row)
      }
    }
    for (const part of asTheyAre) for (const row of set.parts[part] ?? []) add(part, [number, ...row])
    for (const [key, , most, , delta] of set.parts["c"] ?? []) add("c", [number, key ?? "", delta ?? 0, most ?? 0])
    const moved = new Map((set.parts["ta"] ?? []).map(([id, total, count]) => [id, [total ?? 0, count ?? 0] as const]))
    for (const account of set.ob) add("ob", [number, account, ...(moved.get(account) ?? [0, 0])])
    if (set.y !== undefined) add("y", [number, ...set.y])
  }
  return { ...parts, ...records, locks: sets.map(({ parts: { l = [], f = [] } }) => ({ l, f })) }
}
