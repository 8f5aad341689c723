/** The rules of a withdrawal fee's estimate: precedence, and both sides of each rule. Wire contract 5.10; D-254. */
import { expect, it } from "vitest"
import { estimateOf } from "../../../packages/core/src/decision/receiver/WithdrawalFeeDecision.ts"
import { WithdrawalFeeRules } from "../../../packages/core/src/model/receiver/WithdrawalFeeRules.ts"
import { provePrecedence, proveRow } from "../../../packages/test/src/proof/RulesProof.ts"

type Facts = Parameters<typeof WithdrawalFeeRules.first>[0]

const address = `0x${"a1".repeat(20)}`
const request: Facts["request"] = {
  internalAccountId: "InternalAccount:a",
  currency: "USDC",
  cryptoNetwork: "TRON",
  amount: 10,
  destinationAddress: "nowhere",
}
const account = { type: "INTERNAL_CRYPTO", status: "ACTIVE", currency: "BTC" } as const
const broken: Facts = { request, account: undefined, fee: undefined }
provePrecedence(WithdrawalFeeRules, {
  broken,
  masked: {
    SAME_CURRENCY: "needs the account, which an earlier row misses",
    AMOUNT_ABOVE_FEE: "needs the fee, which an earlier row misses",
  },
  steps: [
    ["ACCOUNT_EXISTS", { account }, { code: "REFERENCE_NOT_FOUND", message: "No such internal account." }],
    ["SAME_CURRENCY", { account: { ...account, currency: "USDC" } }, { code: "INVALID_CURRENCY" }],
    [
      "NETWORK_OF_CURRENCY",
      { request: { ...request, cryptoNetwork: "BASE" } },
      { details: { errors: [{ field: "cryptoNetwork" }] } },
    ],
    [
      "ADDRESS_OF_NETWORK",
      { request: { ...request, cryptoNetwork: "BASE", destinationAddress: address } },
      { details: { errors: [{ field: "destinationAddress" }] } },
    ],
    ["FEE_KNOWN", { fee: { network: 9, application: 1 } }, { code: "NOT_IMPLEMENTED" }],
    ["AMOUNT_ABOVE_FEE", { fee: { network: 8, application: 1 } }, { code: "AMOUNT_OUT_OF_RANGE" }],
  ],
})

const sound: Facts = {
  request: { ...request, cryptoNetwork: "BASE", destinationAddress: address },
  account: { ...account, currency: "USDC" },
  fee: { network: 8, application: 1 },
}
const to = (cryptoNetwork: Facts["request"]["cryptoNetwork"], destinationAddress: string): Facts => ({
  ...sound,
  request: { ...sound.request, cryptoNetwork, destinationAddress },
})

proveRow(WithdrawalFeeRules, "NETWORK_OF_CURRENCY", [
  ["one of its own", sound, "holds"],
  [
    "another's",
    to("TRON", address),
    {
      answer: {
        details: {
          errors: [
            { message: "must be a network of USDC", constraint: { enum: ["SOLANA", "POLYGON", "BASE", "ETHEREUM"] } },
          ],
        },
      },
    },
  ],
])
proveRow(WithdrawalFeeRules, "ADDRESS_OF_NETWORK", [
  ["of its form", sound, "holds"],
  ["of another form", to("BASE", "nowhere"), "fails"],
  ["of its form with a space behind it", to("BASE", `${address} `), "fails"],
  ["any, where the network's form is not known", to("LIGHTNING", "anything"), "holds"],
])
proveRow(WithdrawalFeeRules, "AMOUNT_ABOVE_FEE", [
  ["one more than both fees", sound, "holds"],
  ["the very fees", { ...sound, fee: { network: 8, application: 2 } }, { answer: { details: { totalFee: 10 } } }],
])

it("an estimate has both fees, their sum, and what is left of the amount", () => {
  const account = sound.account as Parameters<typeof estimateOf>[1]
  const sent = { ...sound.request, amount: 1000 }
  expect(estimateOf(sent, account, { network: 30, application: 7 })).toEqual({
    networkFee: 30,
    networkFeeAsset: "USDC",
    applicationFee: 7,
    totalFee: 37,
    netAmount: 963,
  })
  expect(estimateOf({ ...sent, amount: 37 }, account, { network: 30, application: 7 })).toMatchObject({
    code: "AMOUNT_OUT_OF_RANGE",
  })
})
