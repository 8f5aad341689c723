/** The order of postings of one millisecond, by the sequences of the accounts that they share. Source: D-454. */
import type { Posting } from "@countersign/core/store"
import fc from "fast-check"
import { expect, it } from "vitest"
import { inCommitOrder } from "../../../packages/core/src/decision/ledger/PostingOrder.ts"

/** Postings in the order of their commits, each from one account to another: every account counts its own entries. */
const committed = (pairs: ReadonlyArray<readonly [from: number, to: number]>): ReadonlyArray<Posting> => {
  const sequences = new Map<number, number>()
  const side = (account: number) => {
    const sequence = (sequences.get(account) ?? 0) + 1
    sequences.set(account, sequence)
    return { account: `account ${account}`, sequence, balanceAfter: 0 }
  }
  return pairs.map(([from, to], index) => ({
    operationId: `operation ${index}`,
    at: 1,
    amount: 1,
    currency: "USD",
    from: side(from),
    to: side(to),
  }))
}

const sides = ({ from, to }: Posting) => [from, to]

it("orders a chain of postings, whose accounts follow from one to the next, as they were committed", () => {
  const chain = committed([
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 1],
  ])
  expect(inCommitOrder(chain.toReversed())).toEqual(chain)
  expect(inCommitOrder(chain)).toEqual(chain)
})

it("keeps the order of postings that share no account", () => {
  const apart = committed([
    [1, 2],
    [3, 4],
    [5, 6],
  ])
  expect(inCommitOrder(apart)).toEqual(apart)
})

it("orders the entries of every account by their sequence, whatever the order was, and loses none", () => {
  const pair = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 4, max: 6 }))
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (pairs, random) => {
      const all = committed(pairs)
      const shuffled = all
        .map((posting) => ({ posting, at: random.next().value }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ posting }) => posting)
      const ordered = inCommitOrder(shuffled)
      expect(new Set(ordered)).toEqual(new Set(all))
      for (const account of new Set(all.flatMap(sides).map((side) => side.account))) {
        const sequences = ordered.flatMap(sides).flatMap((side) => (side.account === account ? [side.sequence] : []))
        expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
      }
    }),
  )
})
