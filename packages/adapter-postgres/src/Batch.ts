/**
 * Many change sets as the set-based commit reads them: the rows of each part of all of them together, each with its set's number
 * first, those of records by the number of their kind.
 * Source: `functions/CommitGroup.ts`; `ChangeSetCode.ts` for the rows.
 */
import type { Coded, Row } from "./ChangeSetCode.ts"

type Rows = Array<Row>

const byKind = ["i", "m", "g"]
const asTheyAre = ["f", "k", "e", "j"]

/** A row of records without its kind, under its kind. */
const sortIn = (kinds: Record<string, Rows>, number: number, [kind, ...row]: Row): void => {
  const name = String(kind)
  const rows = kinds[name] ?? []
  kinds[name] = rows
  rows.push([number, ...row])
}

/** What several sets may name has a number in the batch, in the order of the names: so that rows are taken in one order. */
const numbered = (names: ReadonlyMap<string, Row>): ReadonlyMap<string, number> =>
  new Map([...names.keys()].sort().map((name, index) => [name, index + 1]))

const nameOf = ({ p }: Coded, id: Row[number] | undefined): string => `${p} ${String(id)}`

const accountsOf = (sets: ReadonlyArray<Coded>) =>
  new Map(sets.flatMap((set) => set.ob.map((id): [string, Row] => [nameOf(set, id), [set.p, id]])))

const countersOf = (sets: ReadonlyArray<Coded>) =>
  new Map(
    sets.flatMap((set) =>
      (set.parts["ct"] ?? []).map(([key, , owner]): [string, Row] => [
        nameOf(set, key),
        [set.p, key ?? "", owner ?? null],
      ]),
    ),
  )

const rowsOf = (names: ReadonlyMap<string, Row>, numbers: ReadonlyMap<string, number>): Rows =>
  [...numbers.keys()].flatMap((name) => {
    const row = names.get(name)
    return row === undefined ? [] : [row]
  })

export const batchOf = (sets: ReadonlyArray<Coded>): object => {
  const parts: Record<string, Rows> = {}
  const records: Record<string, Record<string, Rows>> = {}
  const add = (part: string, row: Row): void => {
    const rows = parts[part] ?? []
    parts[part] = rows
    rows.push(row)
  }
  const accounts = accountsOf(sets)
  const accountNumbers = numbered(accounts)
  for (const row of rowsOf(accounts, accountNumbers)) add("accounts", row)
  const counters = countersOf(sets)
  const counterNumbers = numbered(counters)
  for (const row of rowsOf(counters, counterNumbers)) add("counters", row)
  for (const [index, set] of sets.entries()) {
    const number = index + 1
    const account = (id: Row[number] | undefined): number => accountNumbers.get(nameOf(set, id)) ?? 0
    add("sets", [number, set.p, set.u, set.o, set.t, set.w, set.x, set.h])
    for (const part of byKind) {
      for (const row of set.parts[part] ?? []) {
        const kinds = records[part] ?? {}
        records[part] = kinds
        sortIn(kinds, number, row)
      }
    }
    for (const part of asTheyAre) for (const row of set.parts[part] ?? []) add(part, [number, ...row])
    for (const [id, total, count, currency] of set.parts["ta"] ?? [])
      add("ta", [number, account(id), total ?? 0, count ?? 0, currency ?? null])
    for (const [id, amount, , , reference, transfer] of set.parts["lt"] ?? [])
      add("lt", [number, account(id), amount ?? 0, reference ?? "", transfer ?? 0])
    for (const [key, , most, , delta] of set.parts["c"] ?? [])
      add("c", [number, counterNumbers.get(nameOf(set, key)) ?? 0, delta ?? 0, most ?? 0])
    const moved = new Map((set.parts["ta"] ?? []).map(([id, total, count]) => [id, [total ?? 0, count ?? 0] as const]))
    for (const id of set.ob) add("ob", [number, account(id), ...(moved.get(id) ?? [0, 0])])
    if (set.y !== undefined) add("y", [number, ...set.y])
  }
  return { ...parts, ...records, locks: sets.map(({ parts: { l = [], f = [] } }) => ({ l, f })) }
}
