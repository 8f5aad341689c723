/**
 * Property: two advances by a and b have the effect of one advance by a + b: the same records, balances and events, in the same
 * order. Source: D-100.
 */
import { Clocks, Transactions } from "@countersign/core"
import fc from "fast-check"
import { expect, it } from "vitest"
import { agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { balances, fund, pullFrom, pushTo } from "../../../packages/test/src/harness/TransferCalls.ts"

const suffixes = ["000", "002", "003", "004", "005"]

const move = fc.record({
  direction: fc.constantFrom("in" as const, "out" as const),
  suffix: fc.constantFrom("005", "005", ...suffixes),
  amount: fc.integer({ min: 1, max: 500 }),
  /** Business time that passes before it. */
  after: fc.integer({ min: 0, max: 20 }),
})

interface History {
  readonly moves: ReadonlyArray<typeof move extends fc.Arbitrary<infer A> ? A : never>
  /** The endpoint's first answers. */
  readonly answers: ReadonlyArray<number>
}

/** A signature of a webhook is another one each time. */
const isSignature = (header: string): boolean => /^(?:X-Service-(?:Key-)?Signatures?|webhook-signature)$/iu.test(header)

/**
 * Replaces each identifier by the index of its first appearance and removes signatures: each advance writes an audit record,
 * which uses identifiers, so that later identifiers differ.
 */
const named = (value: unknown): unknown => {
  const names = new Map<string, string>()
  const nameOf = (id: string) => {
    const name = names.get(id) ?? `#${names.size}`
    names.set(id, name)
    return name
  }
  const text = JSON.stringify(value, (key, each: unknown) => (isSignature(key) ? undefined : each))
  return JSON.parse(text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/gu, nameOf))
}

/** The observable state after a history and these advances (ms). */
const after = async ({ answers, moves }: History, advances: ReadonlyArray<number>) => {
  await using pay = await agentWorld({}, { suffixes })
  const advance = (millis: number) =>
    pay.run(Clocks.use((clocks) => clocks.advance({ by: `PT${(millis / 1000).toFixed(3)}S` })))
  await fund(pay, 100_000)
  pay.inbox.answerNext(...answers)
  for (const { after: seconds, amount, direction, suffix } of moves) {
    if (seconds > 0) await advance(seconds * 1000)
    await (direction === "in" ? pullFrom(pay, suffix, amount) : pushTo(pay, suffix, { amount }))
  }
  let jobsRun = 0
  for (const millis of advances) jobsRun += (await advance(millis)).jobsRun
  const now = await pay.clock.now()
  const { data } = await pay.run(Transactions.use((all) => all.list({ limit: 100 })))
  return { now, jobsRun, data, balances: await balances(pay), events: pay.inbox.received, books: await pay.books() }
}

it("has the same effect in one advance and in two parts", { timeout: 120_000 }, async () => {
  const millis = fc.integer({ min: 1, max: 60_000 })
  const history = fc.record({
    moves: fc.array(move, { minLength: 1, maxLength: 6 }),
    answers: fc.array(fc.constantFrom(200, 200, 500), { maxLength: 6 }),
  })
  await fc.assert(
    fc.asyncProperty(history, millis, millis, async (given, a, b) => {
      const [parts, whole] = [await after(given, [a, b]), await after(given, [a + b])]
      expect(named(parts)).toEqual(named(whole))
      expect(whole.data.length).toBe(given.moves.length + 1)
    }),
    { numRuns: 30 },
  )
})

it("detects two states that differ", async () => {
  const history: History = { moves: [{ direction: "out", suffix: "005", amount: 5, after: 0 }], answers: [] }
  expect(named(await after(history, [29_999]))).not.toEqual(named(await after(history, [30_000])))
})
