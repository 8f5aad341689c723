/**
 * What `find_locked` reports of each lock and row that another transaction has, as plain functions: exactly what a set would wait for.
 * Source: D-318; sql/functions/find_locked.sql.
 */
import assert from "node:assert/strict"
import { ManagedRuntime } from "effect"
import { functions } from "../../../packages/adapter-postgres/src/functions/Functions.ts"
import { kindTable } from "../../../packages/adapter-postgres/src/schema/KindTables.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { account, alphaId, beta, betaId, customer, id, job } from "../../../packages/test/src/conformance/Examples.ts"
import { committed } from "../../../packages/test/src/conformance/Suite.ts"
import { besideTransaction, type FunctionCheck, type FunctionParts } from "./FunctionParts.ts"

const laneLock = (platformId: string) => `pg_advisory_xact_lock(hashtextextended('lane work ${platformId} l', 0))`
const advisory = (name: string, how = "") => `select pg_advisory_xact_lock${how}(hashtextextended('${name}', 0))`
const claimOf = (n: number) => ({
  scope: "platform" as const,
  key: `k${n}`,
  record: { kind: "Customer" as const, id: id("Customer", n) },
})

/** One of everything twice, of each platform; jobs 1 and 2 are in a lane. */
const sets = ["alpha", "beta"].map((_, platform) =>
  changeSet({
    inserts: [1, 2].map((n) => customer(10 * platform + n, {}, platform === 0 ? alphaId : betaId)),
    claims: [1, 2].map((n) => claimOf(10 * platform + n)),
    ledgerAccounts: [1, 2].map((n) =>
      account(`a${10 * platform + n}`, { customerId: null, platformId: platform === 0 ? alphaId : betaId }),
    ),
    counters: [1, 2].map((n) => ({ key: `c${n}`, delta: 1 })),
    jobs: [1, 2, 3].map((n) => job(10 * platform + n, { customerId: null, ...(n === 3 ? {} : { lane: "l" }) })),
  }),
)

/** Everything that a set can wait for, with numbers. */
const request = {
  locks: [
    [0, "free", true],
    [1, "free", false],
    [2, "held", true],
    [3, "held", false],
    [4, "shared", true],
    [5, "shared", false],
  ],
  accounts: [
    [10, alphaId, "a1"],
    [11, alphaId, "a2"],
    [12, betaId, "a11"],
  ],
  counters: [
    [20, alphaId, "c1"],
    [21, alphaId, "c2"],
    [22, betaId, "c1"],
    [23, alphaId, "new"],
    [24, betaId, "new"],
  ],
  records: [
    [
      kindTable("Customer").number,
      [
        [30, alphaId, id("Customer", 1)],
        [31, alphaId, id("Customer", 2)],
      ],
    ],
    [kindTable("Agent").number, [[32, alphaId, id("Agent", 1)]]],
  ],
  jobs: [
    [40, id("Job", 1)],
    [41, id("Job", 2)],
    [42, id("Job", 3)],
    [43, id("Job", 11)],
  ],
  keys: [
    [50, "k1", alphaId],
    [51, "k2", alphaId],
    [52, "new", alphaId],
    [53, "new", betaId],
  ],
}

const found: ReadonlyArray<readonly [what: string, locking: string, numbers: ReadonlyArray<number>]> = [
  ["nothing where all is free", "select", []],
  ["an advisory lock, however it is needed", advisory("held"), [2, 3]],
  ["a shared advisory lock that is needed alone", advisory("shared", "_shared"), [4]],
  ["no advisory lock of another name", advisory("other"), []],
  [
    "an account",
    `select from countersign.ledger_account where id = 'a1' and platform_id = '${alphaId}' for update`,
    [10],
  ],
  [
    "an account in the way of a commit",
    "select from countersign.ledger_account where id = 'a2' for no key update",
    [11],
  ],
  ["no accounts that are only read", "select from countersign.ledger_account for key share", []],
  ["a counter", `select from countersign.counter where key = 'c1' and platform_id = '${betaId}' for update`, [22]],
  ["a record", `select from countersign.customer where id = '${id("Customer", 2)}' for update`, [31]],
  ["a job", `select from countersign.job where id = '${id("Job", 3)}' for update`, [42]],
  ["the lane of jobs", `select ${laneLock(alphaId)}`, [40, 41]],
  ["the lane of the same name elsewhere", `select ${laneLock(betaId)}`, [43]],
  ["a unique key", "select from countersign.unique_key where key = 'k2' for update", [51]],
  [
    "a counter that is not committed yet",
    `insert into countersign.counter (owner_id, platform_id, key, value) values ('${alphaId}', '${alphaId}', 'new', 0)`,
    [23],
  ],
  [
    "a unique key that is not committed yet",
    `insert into countersign.unique_key (key, scope, kind, id, platform_id) values ('new', '${alphaId}', '', '', '')`,
    [52],
  ],
]

/** Each search, on a database that is empty at first. */
export const foundLocks = ({ connection, pool, store }: FunctionParts): ReadonlyArray<FunctionCheck> =>
  found.map(([what, locking, numbers]) => ({
    title: `a search for locks finds ${what}`,
    run: async (): Promise<void> => {
      const runtime = ManagedRuntime.make(store)
      const [ofAlpha, ofBeta] = sets
      if (ofAlpha === undefined || ofBeta === undefined) throw new Error("there are no sets")
      await runtime.runPromise(committed(ofAlpha))
      await runtime.runPromise(committed(ofBeta, beta))
      await runtime.dispose()
      await besideTransaction(pool, [locking], async () => {
        const [text] = await connection.query({
          text: `select ${functions.findLocked}($1::jsonb)`,
          values: [JSON.stringify(request)],
        })
        const answer = JSON.parse(text ?? "[]") as ReadonlyArray<readonly [number: number, holder: string]>
        assert.deepEqual(
          answer.map(([number]) => number).toSorted((a, b) => a - b),
          numbers,
        )
        // A holder is named, so that another one in its place is seen; a row that is not there yet has none.
        for (const [number, holder] of answer) assert.equal(/^\d/u.test(holder), ![23, 52].includes(number))
      })
    },
  }))
