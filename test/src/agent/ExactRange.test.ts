/** Sums beyond 2^53-1 are refused with a code of their own, without a defect or endless conflicts. Wire contract 8.2; D-023. */
import type { AgentPolicy } from "@countersign/core/models"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { addAgent, agentWorld, policy } from "../../../packages/test/src/harness/AgentWorld.ts"
import { action, approve, attempt, refusal, submit } from "./AgentSteps.ts"

const most = Number.MAX_SAFE_INTEGER
const unlimited: Partial<AgentPolicy> = { spendingLimits: { currency: "USD", perTransactionLimit: most } }

describe("a budget beyond the exact range", () => {
  // Proves: ERR-AMOUNT_OUT_OF_RANGE
  it("refuses the transfer", async () => {
    await using pay = await agentWorld(unlimited)
    await submit(pay, most)
    expect(await refusal(pay, most)).toMatchObject({ code: "AMOUNT_OUT_OF_RANGE" })
  })

  it("fails the approval", async () => {
    await using pay = await agentWorld({ ...unlimited, approvalThresholds: { currency: "USD", amount: 1 } })
    const [one, two] = [await submit(pay, most), await submit(pay, most)]
    await approve(pay, one.id)
    expect((await approve(pay, two.id)).status).toBe("FAILED")
  })

  it("refuses an amount that exceeds it only in the currency of the limits", async () => {
    await using pay = await agentWorld()
    const agent = await addAgent(
      pay,
      pay.customerId,
      policy({
        spendingLimits: { currency: "USDC", perTransactionLimit: 1 },
        accountRestrictions: { accountRules: [{ accountId: pay.accountId, perTransactionLimit: most }] },
      }),
    )
    expect(await refusal({ ...pay, ...agent }, 1_000_000_000_000)).toMatchObject({ code: "AMOUNT_OUT_OF_RANGE" })
  })
})

describe("two pulls that together exceed the exact range of a balance", () => {
  it("end: the second is refused, or completes or fails with its money on the books", async () => {
    await using pay = await agentWorld(unlimited)
    const other = { ...pay, ...(await addAgent(pay, pay.customerId, policy(unlimited))) }
    await submit(pay, most)
    const second = await attempt(other, 1)
    await pay.settle()
    if (Result.isFailure(second)) {
      expect(second.failure).toMatchObject({ code: "AMOUNT_OUT_OF_RANGE" })
    } else {
      const { transaction } = await action(other, second.success.body.id)
      expect(transaction?.status).toMatch(/^(COMPLETED|FAILED)$/u)
    }
  })
})
