/** Which actions a row of the approval policy covers. Source: D-532. */
import { describe, expect, it } from "vitest"
import {
  type ApprovalRowFacts,
  ApprovalRowRules,
  coveringRow,
  type DestinationFacts,
} from "../../../packages/core/src/model/approval/ApprovalRowRules.ts"
import { provePrecedence, proveRow } from "../../../packages/test/src/proof/RulesProof.ts"
import { policyOf, type Row, twoOfFinance } from "./Policies.ts"

const day = 24 * 60 * 60 * 1000
const now = 1000 * day

const account: DestinationFacts = { id: "ExternalAccount:1", isOwn: false, isTrusted: false, createdAt: now - 30 * day }

const facts = (row: Partial<Row>, more: Partial<ApprovalRowFacts> = {}): ApprovalRowFacts => ({
  row: { ...twoOfFinance, ...row },
  destination: account,
  amountIn: (currency) => (currency === "USD" ? 100 : 80),
  now,
  ...more,
})

const large: Row["from"] = { currency: "USD", amount: 101 }

provePrecedence(ApprovalRowRules, {
  broken: facts({ from: large, destination: { is: "ONE_OF", ids: ["ExternalAccount:2"] } }),
  steps: [
    ["AMOUNT_REACHED", (before) => ({ ...before, amountIn: () => 101 })],
    ["DESTINATION_COVERED", (before) => ({ ...before, destination: { ...account, id: "ExternalAccount:2" } })],
  ],
})

proveRow(ApprovalRowRules, "AMOUNT_REACHED", [
  ["any amount", facts({}), "holds"],
  ["the smallest amount", facts({ from: { currency: "USD", amount: 100 } }), "holds"],
  ["one less", facts({ from: large }), "fails"],
  ["converted, the smallest amount", facts({ from: { currency: "EUR", amount: 80 } }), "holds"],
  ["converted, one less", facts({ from: { currency: "EUR", amount: 81 } }), "fails"],
])

const fresh: Row["destination"] = { is: "NEW", days: 30 }
const known: Row["destination"] = { is: "KNOWN", days: 30 }
const younger = { ...account, createdAt: now - 30 * day + 1 }

proveRow(ApprovalRowRules, "DESTINATION_COVERED", [
  ["any destination", facts({}), "holds"],
  ["new: of exactly 30 days", facts({ destination: fresh }), "fails"],
  ["new: a moment younger", facts({ destination: fresh }, { destination: younger }), "holds"],
  [
    "new: without a record",
    facts({ destination: fresh }, { destination: { ...account, createdAt: undefined } }),
    "holds",
  ],
  ["new: trusted", facts({ destination: fresh }, { destination: { ...younger, isTrusted: true } }), "fails"],
  ["new: the customer's own", facts({ destination: fresh }, { destination: { ...younger, isOwn: true } }), "fails"],
  ["known: of exactly 30 days", facts({ destination: known }), "holds"],
  ["known: a moment younger", facts({ destination: known }, { destination: younger }), "fails"],
  ["known: trusted", facts({ destination: known }, { destination: { ...younger, isTrusted: true } }), "holds"],
  ["one of them", facts({ destination: { is: "ONE_OF", ids: ["x", "ExternalAccount:1"] } }), "holds"],
  ["none of them", facts({ destination: { is: "ONE_OF", ids: ["x"] } }), "fails"],
  [
    "one of them, a UMA address in another letter case",
    facts(
      { destination: { is: "ONE_OF", ids: ["$bob@pay.example", "$Ada@pay.example", "x"] } },
      { destination: { ...account, id: "$aDA@PAY.example" } },
    ),
    "holds",
  ],
  [
    "none of them, an id in another letter case",
    facts({ destination: { is: "ONE_OF", ids: ["externalaccount:1"] } }),
    "fails",
  ],
  [
    "one that does not exist",
    facts({ destination: { is: "ONE_OF", ids: ["x"] } }, { destination: { ...account, id: undefined } }),
    "fails",
  ],
])

describe("the rows of a policy", () => {
  const rows: ReadonlyArray<Row> = [
    { ...twoOfFinance, name: "large", from: { currency: "USD", amount: 1000 } },
    { ...twoOfFinance, name: "new", destination: fresh },
  ]
  const covering = (amount: number, destination: DestinationFacts) =>
    coveringRow(policyOf(...rows), { amountIn: () => amount, destination, now })?.name

  it("decide by the first that covers the action", () => {
    expect(covering(1000, younger)).toBe("large")
    expect(covering(999, younger)).toBe("new")
  })

  it("leave an action that none covers to one approval", () => {
    expect(covering(999, account)).toBeUndefined()
  })
})
