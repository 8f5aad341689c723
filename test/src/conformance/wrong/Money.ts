/** Stores with a wrong ledger or wrong counters. */
import type { LedgerTransfer } from "@countersign/core/store"
import { Effect } from "effect"
import { committing, every, losing, type WrongStore } from "./WrongStore.ts"

const balances = "a read returns the balances that all acknowledged commits leave"
const counters = "a read returns the counters that all acknowledged commits leave"

const moving = (change: () => (transfer: LedgerTransfer) => ReadonlyArray<LedgerTransfer>): WrongStore["wrap"] =>
  committing(() => {
    const changed = change()
    return (set) => ({ ...set, transfers: set.transfers.flatMap(changed) })
  })

export const money: ReadonlyArray<WrongStore> = [
  { name: "loses one transfer in 40 sets", section: "load", law: balances, wrap: losing("transfers", 40) },
  {
    name: "posts one transfer in 40 twice",
    section: "load",
    law: balances,
    wrap: moving(() => {
      const isTwice = every(40)
      return (transfer) => (isTwice() ? [transfer, transfer] : [transfer])
    }),
  },
  {
    name: "has one unit more in one transfer in 25",
    section: "load",
    law: balances,
    wrap: moving(() => {
      const isMore = every(25)
      return (transfer) => [isMore() ? { ...transfer, amount: transfer.amount + 1 } : transfer]
    }),
  },
  {
    name: "books one transfer in 30 the other way round",
    section: "load",
    law: [balances, "a set that depends on nothing is committed"],
    wrap: moving(() => {
      const isOther = every(30)
      return (transfer) => [isOther() ? { ...transfer, from: transfer.to, to: transfer.from } : transfer]
    }),
  },
  {
    name: "reads one balance in 30 with a transfer of which only one half is there",
    section: "load",
    law: balances,
    wrap: ({ read }) => {
      const isHalf = every(30)
      return {
        read: (query) =>
          Effect.map(read(query), (found) => ({
            ...found,
            balance: (account) => {
              const { balance, sequence: entries } = found.balance(account)
              return isHalf() && entries > 0
                ? { balance: balance + 1, sequence: entries }
                : { balance, sequence: entries }
            },
          })),
      }
    },
  },
  {
    name: "returns the balance before the commit in one answer in 20",
    section: "load",
    law: [
      "the balances and sequences that commits return are those of one order of the commits",
      "a set that is sent again is applied once and has the same facts",
    ],
    wrap: ({ commit, read }) => {
      const isEarly = every(20)
      return {
        commit: Effect.fnUntraced(function* (set) {
          const names = [...new Set(set.transfers.flatMap(({ from, to }) => [from, to]))]
          if (names.length === 0 || set.replay !== undefined || !isEarly()) return yield* commit(set)
          const found = yield* read({ balances: names })
          const outcome = yield* commit(set)
          if (outcome._tag !== "Committed") return outcome
          const before = Object.fromEntries(names.map((name) => [name, found.balance(name)]))
          return { _tag: "Committed", facts: { ...outcome.facts, balances: before } } as const
        }),
      }
    },
  },
  {
    name: "checks the floor after each transfer",
    section: "ledger and bounds",
    law: "checks bounds on the balance after the whole set, in any order of its transfers",
    wrap: ({ commit, read }) => ({
      commit: Effect.fnUntraced(function* (set) {
        const names = [...new Set(set.transfers.flatMap(({ from, to }) => [from, to]))]
        const found = yield* read({ balances: names })
        const running = new Map(names.map((name) => [name, found.balance(name).balance]))
        for (const { amount, from, to } of set.transfers) {
          running.set(from, (running.get(from) ?? 0) - amount)
          running.set(to, (running.get(to) ?? 0) + amount)
          if ((running.get(from) ?? 0) < 0 && !from.startsWith("outside") && set.transfers.length > 1) {
            return { _tag: "BoundViolated", bound: { _tag: "Floor", account: from } } as const
          }
        }
        return yield* commit(set)
      }),
    }),
  },
  {
    name: "opens every other account without its floor",
    section: "load",
    law: "no commit leaves a balance below its floor or outside the exact integers",
    wrap: committing(() => {
      const isOpen = every(2)
      return (set) => ({
        ...set,
        ledgerAccounts: set.ledgerAccounts.map((account) => (isOpen() ? { ...account, floor: null } : account)),
      })
    }),
  },
  {
    name: "takes each amount as one of the account's currency",
    section: "ledger and bounds",
    law: "transfers only whole amounts, in the accounts' currency, between two open accounts",
    wrap: moving(() => (transfer) => [
      transfer.from === "a" && transfer.to === "b" ? { ...transfer, currency: "USD" } : transfer,
    ]),
  },
  {
    name: "names the wrong reference in one transfer in 30",
    section: "load",
    law: "the entries of an account are the transfers of all committed sets",
    wrap: moving(() => {
      const isWrong = every(30)
      return (transfer) => [isWrong() ? { ...transfer, reference: `${transfer.reference}0` } : transfer]
    }),
  },
  {
    name: "leaves the accounts without entries out of the trial balance",
    section: "ledger and bounds",
    law: "the trial balance is that of all committed transfers",
    wrap: ({ trialBalance }) => ({
      trialBalance: Effect.map(trialBalance, (lines) => lines.filter(({ credit, debit }) => credit + debit > 0n)),
    }),
  },
  {
    name: "lists the entries of an account oldest first",
    section: "load",
    law: "the entries of an account are the transfers of all committed sets",
    wrap: ({ accountEntries }) => ({
      accountEntries: (page) =>
        Effect.map(accountEntries(page), (found) => found && { ...found, entries: found.entries.toReversed() }),
    }),
  },
  { name: "loses one counter in 40 sets", section: "load", law: counters, wrap: losing("counters", 40) },
  {
    name: "checks the maximum of the last change of a counter only",
    section: "counters",
    law: "adds up several changes of one key in one set",
    wrap: committing(() => (set) => ({
      ...set,
      counters: set.counters.map(({ max, ...change }, index) =>
        max === undefined || set.counters.findLastIndex(({ key }) => key === change.key) > index
          ? change
          : { ...change, max: max + set.counters.filter(({ key }) => key === change.key).length - 1 },
      ),
    })),
  },
  {
    name: "ignores one maximum in 6",
    section: "load",
    law: "no commit raises a counter above its maximum",
    wrap: committing(() => {
      const isIgnored = every(6)
      return (set) => ({
        ...set,
        counters: set.counters.map(({ max, ...change }) =>
          max === undefined || isIgnored() ? change : { ...change, max },
        ),
      })
    }),
  },
  {
    name: "checks a maximum for each change, also one away from it",
    section: "counters",
    law: "checks a maximum only for a delta towards it",
    wrap: ({ commit, read }) => ({
      commit: Effect.fnUntraced(function* (set) {
        const found = yield* read({ counters: set.counters.map(({ key }) => key) })
        const full = set.counters.find(
          ({ delta, key, max }) => max !== undefined && found.counter(key) + delta > max && Number.isSafeInteger(delta),
        )
        return full === undefined
          ? yield* commit(set)
          : ({ _tag: "BoundViolated", bound: { _tag: "Counter", key: full.key } } as const)
      }),
    }),
  },
  {
    name: "has one counter for the windows of a limit",
    section: "counters",
    law: "counts each window of a limit apart, for as long as it lasts",
    wrap: ({ commit, read }) => {
      const short = (key: string) => key.replace(/^limit:\d+/u, "limit:")
      return {
        commit: (set) =>
          Effect.map(
            commit({ ...set, counters: set.counters.map((change) => ({ ...change, key: short(change.key) })) }),
            (outcome) => {
              if (outcome._tag !== "Committed") return outcome
              const values = set.counters.map(({ key }) => [key, outcome.facts.counters[short(key)] ?? 0])
              return { ...outcome, facts: { ...outcome.facts, counters: Object.fromEntries(values) } }
            },
          ),
        read: (query) =>
          Effect.map(read({ ...query, counters: (query.counters ?? []).map(short) }), (found) => ({
            ...found,
            counter: (key) => found.counter(short(key)),
          })),
      }
    },
  },
]
