/** The accounts, counters, entries and stored sums of a batch. Source: `BatchParts.ts`; `sql/functions/commit_group.sql`. */
import type { Caller } from "@countersign/core"
import { amountMax } from "@countersign/core/models"
import type { ChangeSet } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import { addSet, BalanceDeltas } from "../../../../packages/adapter-postgres/src/commit/BalanceDeltas.ts"
import { addDeltas, addSums } from "../../../../packages/adapter-postgres/src/commit/BatchParts.ts"
import { BatchRows, type Part, type RowOf } from "../../../../packages/adapter-postgres/src/schema/BatchColumns.ts"
import { replayRecord } from "../../../../packages/test/src/conformance/ChangeSets.ts"
import { alpha, alphaId, ann, newEvent, transfer } from "../../../../packages/test/src/conformance/Examples.ts"
import { encoded } from "./Pending.ts"

type Rows = Readonly<Record<Part, ReadonlyArray<object>>>

/** The rows of a batch of these sets, as the commit writes them. */
const written = (sets: ReadonlyArray<Partial<ChangeSet>>, caller: Caller = alpha): Partial<Rows> => {
  const found: { [P in Part]?: Array<object> } = {}
  class ReadableRows extends BatchRows {
    override add<P extends Part>(part: P, row: RowOf<P>): void {
      super.add(part, row)
      found[part] = [...(found[part] ?? []), row]
    }
  }
  const rows = new ReadableRows()
  const [accounts, counters] = [new BalanceDeltas(), new BalanceDeltas()]
  const added = sets.map((parts) => {
    const code = encoded(parts, caller)
    return { code, deltas: addSet(accounts, counters, code) }
  })
  addDeltas(rows, accounts, counters)
  for (const [index, { code, deltas }] of [...added.entries()].reverse()) addSums(rows, index + 1, code, deltas)
  return found
}

const reference = transfer("a", "b", 1).reference
const withKey = (parts: Partial<ChangeSet>): Partial<ChangeSet> => ({ ...parts, replay: replayRecord("key") })

describe("the accounts and counters of a batch", () => {
  it("are those that move with their totals, those that are only observed, and counters with their bounds", () => {
    const rows = written([
      {
        transfers: [transfer("a", "b", 5), transfer("b", "a", 2)],
        observes: ["z", "y"],
        counters: [
          { key: "k", delta: 4, max: 10, customerId: ann },
          { key: "k", delta: -1, customerId: ann },
          { key: "m", delta: 1 },
        ],
      },
    ])
    const account = { platform: alphaId, currency: "USD", customer: null, entry_count: 2 }
    expect(rows.account).toEqual([
      { ...account, id: "a", total: -3, decrease: -5, increase: 2 },
      { ...account, id: "b", total: 3, decrease: -2, increase: 5 },
    ])
    expect(rows.observed).toEqual([
      { platform: alphaId, id: "y" },
      { platform: alphaId, id: "z" },
    ])
    const platform = alphaId
    expect(rows.counter).toEqual([
      { platform, key: "k", customer: ann, total: 3, decrease: -1, increase: 4, upper_bound: 10 },
      { platform, key: "m", customer: null, total: 1, decrease: 0, increase: 1, upper_bound: amountMax },
    ])
  })

  it("have no currency where two sets name different ones", () => {
    const rows = written([{ transfers: [transfer("a", "b", 5)] }, { transfers: [transfer("a", "c", 5, "EUR")] }])
    expect(rows.account).toMatchObject([
      { id: "a", currency: null },
      { id: "b", currency: "USD" },
      { id: "c", currency: "EUR" },
    ])
  })
})

describe("the entries of a batch", () => {
  it("are written from the last to the first, each with what comes after it on its account", () => {
    const { entry } = written([
      withKey({ transfers: [transfer("a", "b", 5), transfer("b", "a", 2)] }),
      withKey({ transfers: [transfer("a", "b", 7)] }),
    ])
    const row = (
      set_number: number,
      account: number,
      amount: number,
      later: readonly [number, number],
      at: number,
    ) => ({
      set_number,
      account,
      amount,
      later_total: later[0],
      later_count: later[1],
      reference,
      transfer: at,
    })
    expect(entry).toEqual([
      row(2, 2, 7, [0, 0], 0),
      row(2, 1, -7, [0, 0], 0),
      row(1, 1, 2, [-7, 1], 1),
      row(1, 2, -2, [7, 1], 1),
      row(1, 2, 5, [5, 2], 0),
      row(1, 1, -5, [-5, 2], 0),
    ])
  })
})

describe("the stored sums of a set", () => {
  const shown = { body: { n: null }, placeholders: [{ path: ["n"], counter: "k" }] }
  const plain = { body: {}, placeholders: [] }
  it.each<readonly [string, Partial<ChangeSet>, boolean]>([
    ["without a key are stored for its receipt", {}, true],
    ["with a key and plain bodies are not stored", withKey({ events: [newEvent(1, { data: plain })] }), false],
    ["whose response shows them are stored", { replay: replayRecord("key", { answer: shown }) }, true],
    [
      "of which one event shows them are stored",
      withKey({ events: [newEvent(1, { data: plain }), newEvent(2, { data: shown })] }),
      true,
    ],
  ])("%s", (_, parts, isStored) => {
    const { stored_sum } = written([
      { ...parts, transfers: [transfer("a", "b", 5)], counters: [{ key: "k", delta: 1 }] },
      withKey({ transfers: [transfer("b", "c", 2)], counters: [{ key: "k", delta: 4 }] }),
    ])
    expect(stored_sum ?? []).toEqual(
      isStored
        ? [
            { set_number: 1, number: 1, later_total: 0, later_count: 0 },
            { set_number: 1, number: 2, later_total: -2, later_count: 1 },
            { set_number: 1, number: 1, later_total: 4, later_count: null },
          ]
        : [],
    )
  })
})
