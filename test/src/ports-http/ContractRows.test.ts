/** How often an operation may be sent, how long its answer is waited for, and what a lost answer is: the contract with each bank. */
import { operationsOfPorts } from "@countersign/ports-http"
import { expect, it } from "vitest"
import type { AskOperation, OutcomeOperation } from "../../../packages/ports-http/src/contract/PortOperation.ts"
import { deadlines } from "../../../packages/ports-http/src/contract/PortOperation.ts"

type Operation = AskOperation<unknown, unknown> | OutcomeOperation<unknown, unknown>

const rows = Object.values(operationsOfPorts).flatMap((port) =>
  Object.values<unknown>(port).map((row) => row as Operation),
)
const groups = Map.groupBy(rows, ({ deadline, lost, repetition }) => `${repetition}, ${deadline}, ${lost}`)

it("every operation has its path in one group", () => {
  expect(Object.fromEntries([...groups].map(([kind, all]) => [kind, all.map(({ path }) => path).toSorted()]))).toEqual({
    "none, ask, Unavailable": [
      "/bank-directory/find",
      "/deposit-screening/screen",
      "/deposit-screening/transaction-hash",
      "/domain-ownership/check",
      "/exchange-rates/rate",
      "/funding-instructions/for-account",
      "/funding-instructions/for-payment",
      "/issuer/admits",
      "/issuer/screen",
      "/network-fees/estimate",
      "/port-server/describe",
      "/rails/inspect-pull",
      "/sca-provider/challenges-trust",
      "/sca-provider/purposes",
      "/sca-provider/reset-state",
      "/uma-network/find",
      "/uma-network/providers",
      "/uma-network/requirements",
      "/vasp-directory/entries",
      "/verifier/check-customer",
      "/verifier/check-owner",
    ],
    "none, ask, Unknown": ["/issuer/reveal", "/verifier/verify-beneficiary"],
    "none, instruct, Unavailable": ["/funding-instructions/collection-account"],
    "none, instruct, Unknown": ["/rails/inquire"],
    "reference, instruct, Unknown": [
      "/issuer/change-state",
      "/issuer/collect",
      "/issuer/provision",
      "/rails/cancel",
      "/rails/pull",
      "/rails/push",
      "/rails/refund",
    ],
    "again, ask, Unavailable": [
      "/otp-sender/send",
      "/sca-provider/challenge",
      "/sca-provider/check",
      "/sca-provider/confirm-enrollment",
      "/sca-provider/start-enrollment",
      "/sca-provider/start-reset",
      "/security-codes/check",
      "/security-codes/send",
      "/verifier/kyc-link",
    ],
    "again, instruct, Unavailable": ["/verifier/verify-customer"],
    "key, ask, Unavailable": ["/document-vault/append", "/document-vault/erase", "/document-vault/read"],
    "key, instruct, Unavailable": ["/document-vault/complete"],
  })
})

it("a client waits ten seconds and a job thirty", () => {
  expect(deadlines).toEqual({ ask: 10_000, instruct: 30_000 })
})

it("only pieces of documents carry bytes", () => {
  expect(rows.filter(({ carriesBytes }) => carriesBytes === true).map(({ path }) => path)).toEqual([
    "/document-vault/read",
  ])
})

it("every operation says in a sentence what it does", () => {
  for (const { summary } of rows) expect(summary).toMatch(/^[A-Z].{15,}\.$/su)
})
