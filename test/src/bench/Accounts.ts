/** Ten thousand accounts for the benchmark of commits, each with its customer, its agent and its external account. */

import { tenant } from "@countersign/core"
import { Store } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { accountNumber, accounts, at, available, idOf, platformId } from "./TransferSets.ts"

const inOneSet = 10
// The sum stays within the exact integers.
const balance = 100_000_000_000
const outside = "outside:bench"

const numbersFrom = (first: number): ReadonlyArray<string> =>
  Array.from({ length: inOneSet }, (_, index) => accountNumber(first + index))

const recordsOf = (account: string) => {
  const owner = { platformId, customerId: idOf("Customer", account) }
  return [
    {
      kind: "Agent",
      id: idOf("Agent", account),
      ...owner,
      data: {
        name: "Payroll",
        isPaused: false,
        isConnected: true,
        isDeleted: false,
        recastCount: 0,
        recasts: [],
        tokens: [],
        policy: {
          permissions: ["CREATE_TRANSFERS"],
          defaultExecutionMode: "AUTO",
          spendingLimits: { currency: "USD", perTransactionLimit: 100_000 },
        },
      },
    },
    {
      kind: "ExternalAccount",
      id: idOf("ExternalAccount", account),
      ...owner,
      data: {
        currency: "USD",
        status: "ACTIVE",
        isDeleted: false,
        defaultUmaDepositAccount: false,
        accountInfo: { accountType: "USD_ACCOUNT", accountNumber: account, routingNumber: "021000021" },
      },
    },
    {
      kind: "InternalAccount",
      id: idOf("InternalAccount", account),
      ...owner,
      data: { type: "INTERNAL_FIAT", status: "ACTIVE", currency: "USD" },
    },
  ] as const
}

/** Opens the accounts and funds them. */
export const openAccounts = Effect.gen(function* () {
  const store = yield* Store
  const open = (id: string, customerId: string | null, floor: 0 | null) =>
    ({ id, platformId, customerId, currency: "USD", floor }) as const
  for (let first = 1; first <= accounts; first += inOneSet) {
    const numbers = numbersFrom(first)
    const outcome = yield* store.commit({
      ...changeSet({
        inserts: numbers.flatMap(recordsOf),
        ledgerAccounts: [
          open(outside, null, null),
          ...numbers.map((account) => open(available(account), idOf("Customer", account), 0)),
        ],
        transfers: numbers.map((account) => ({
          from: outside,
          to: available(account),
          amount: balance,
          currency: "USD",
          reference: "opening",
        })),
      }),
      operationId: `opening-${first}`,
      at,
    })
    if (outcome._tag !== "Committed") return yield* Effect.die(new Error(`accounts were not opened: ${outcome._tag}`))
  }
}).pipe(Effect.orDie)

export const benchTenant = tenant(platformId)
