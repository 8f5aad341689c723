/**
 * Approvals at the same moment: none is lost, and nothing is executed twice, in whatever order and overlap.
 * Source: D-526, D-532.
 */
import { Agents } from "@countersign/core"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type AgentWorld, agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { action, balance, decide, held, submit } from "../agent/AgentSteps.ts"
import { atEachStoreCall } from "../operation/AtStoreCalls.ts"
import { twoOfFinance, withRows } from "./Policies.ts"
import { auditedVotes, outcome, shown, vote } from "./Votes.ts"

const two = withRows(twoOfFinance)

const executions = async (pay: AgentWorld) => {
  await pay.settle()
  return balance(pay)
}

describe("two approvals at the same moment", () => {
  it("by two approvers execute the action once, and both are kept", async () => {
    await atEachStoreCall(async ({ around, overlap }) => {
      await using pay = await agentWorld(held, { around, ports: two })
      const { id } = await submit(pay, 900)
      const { digest } = await shown(pay, id)
      const outcomes: Array<unknown> = []
      const isOverlapped = await overlap(
        async () => outcomes.push(outcome(await vote(pay, id, "Ada Lovelace", digest))),
        async () => outcomes.push(outcome(await vote(pay, id, "Grace Hopper", digest))),
      )
      expect(outcomes).toEqual(["PENDING_APPROVAL", "APPROVED"])
      expect(await executions(pay)).toBe(900)
      expect((await auditedVotes(pay, id)).map(({ details }) => details["votes"])).toEqual([1, 2])
      return isOverlapped
    })
  })

  it("by one approver count once", async () => {
    await atEachStoreCall(async ({ around, overlap }) => {
      await using pay = await agentWorld(held, { around, ports: two })
      const { id } = await submit(pay, 900)
      const { digest } = await shown(pay, id)
      const outcomes: Array<unknown> = []
      const isOverlapped = await overlap(
        async () => outcomes.push(outcome(await vote(pay, id, "Ada Lovelace", digest))),
        async () => outcomes.push(outcome(await vote(pay, id, "ada lovelace", digest))),
      )
      expect(outcomes.toSorted()).toEqual(["APPROVED_ALREADY", "PENDING_APPROVAL"])
      expect((await action(pay, id)).status).toBe("PENDING_APPROVAL")
      return isOverlapped
    })
  })

  /** The second of two approvals, beside something else that happens at each call of the store, and what it answers then. */
  const approvedBeside = (
    ports: typeof two,
    happens: (pay: AgentWorld, id: string) => Promise<unknown>,
    refusal: string,
    check: (pay: AgentWorld, isOverlapped: boolean) => Promise<void> = async () => undefined,
  ) =>
    atEachStoreCall(async ({ around, overlap }) => {
      await using pay = await agentWorld(held, { around, ports })
      const { id } = await submit(pay, 900)
      const { digest } = await shown(pay, id)
      await vote(pay, id, "Ada Lovelace", digest)
      let voted: unknown
      const isOverlapped = await overlap(
        async () => {
          voted = outcome(await vote(pay, id, "Grace Hopper", digest))
        },
        () => happens(pay, id),
      )
      expect(voted).toBe(isOverlapped ? refusal : "APPROVED")
      await check(pay, isOverlapped)
      return isOverlapped
    })

  it("do not count from the end of the time to approve on, also before its job has run", async () => {
    const ports = withRows({ ...twoOfFinance, expiresAfterSeconds: 20 })
    await approvedBeside(ports, (pay) => pay.run(TestClock.adjust("20 seconds")), "APPROVAL_EXPIRED")
  })

  it("exclude a change of what was shown, and a rejection", async () => {
    const rename = (pay: AgentWorld) => pay.run(Agents.use((agents) => agents.update(pay.agentId, { name: "Renamed" })))
    await approvedBeside(two, rename, "SHOWN_DIGEST_DIFFERS")
    const reject = (pay: AgentWorld, id: string) => decide(pay, id, "reject")
    await approvedBeside(two, reject, "ACTION_DECIDED", async (pay, isOverlapped) => {
      expect(await executions(pay)).toBe(isOverlapped ? 0 : 900)
    })
  })
})

describe("approvals in any order and overlap", () => {
  const names = ["Ada Lovelace", "ADA LOVELACE", "Grace Hopper", "grace hopper", "Alan Turing", "Emmy Noether"]
  const person = (name: string) => name.toLowerCase()

  it("give the decision that their approvers give", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(),
        async (voters, needed, interleave) => {
          await using pay = await agentWorld(held, { interleave, ports: withRows({ ...twoOfFinance, needed }) })
          const { id } = await submit(pay, 900)
          const { digest } = await shown(pay, id)
          const outcomes = await Promise.all(voters.map(async (name) => outcome(await vote(pay, id, name, digest))))
          const eligible = new Set(voters.filter((name) => name !== "Emmy Noether").map(person))
          const isApproved = eligible.size >= needed
          expect((await action(pay, id)).status).toBe(isApproved ? "APPROVED" : "PENDING_APPROVAL")
          expect(await executions(pay)).toBe(isApproved ? 900 : 0)
          expect(outcomes.filter((each) => each === "APPROVED")).toHaveLength(isApproved ? 1 : 0)
          expect(outcomes.filter((each) => each === "PENDING_APPROVAL")).toHaveLength(
            Math.min(eligible.size, needed - 1),
          )
        },
      ),
      { numRuns: 25 },
    )
  })
})
