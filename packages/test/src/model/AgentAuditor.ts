/**
 * Audits a history of an agent by its responses, its ledger and its webhooks. It does not use the code of the rules; it
 * checks invariants that hold for every history.
 */
import { AgentActions, Agents, type Answered, type ServiceError, Transactions } from "@countersign/core"
import type { StoreUnavailable } from "@countersign/core/store"
import { Result } from "effect"
import type { AgentWorld } from "../harness/AgentWorld.ts"
import { expect } from "../harness/Expect.ts"
import { actionTransitions, keyLifetimeMillis } from "./Auditing.ts"
import { bookProblems } from "./Books.ts"

type Submitted = Result.Result<Answered<{ readonly id: string }>, ServiceError | StoreUnavailable>
type Decided = Result.Result<Answered<{ readonly status: string }>, ServiceError | StoreUnavailable>

export class AgentAuditor {
  readonly #world: AgentWorld
  readonly #ids: Array<string> = []
  readonly #status = new Map<string, string>()
  readonly #heldOnce = new Set<string>()
  /** The response of each idempotency key; removed when the key expires after 24 hours. */
  readonly #answers = new Map<
    string,
    { readonly body: string; readonly id: string; readonly at: number; readonly fresh: number }
  >()
  #now = 0
  #funded = 0
  #before: Awaited<ReturnType<AgentAuditor["agent"]>> | undefined

  constructor(world: AgentWorld) {
    this.#world = world
  }

  agent() {
    return this.#world.run(Agents.use((agents) => agents.get(this.#world.agentId)))
  }

  /** Reads the state before a command, with which its effects are compared. */
  async before() {
    this.#before = await this.agent()
    this.#now = await this.#world.clock.now()
    for (const [key, { at }] of this.#answers) if (at + keyLifetimeMillis <= this.#now) this.#answers.delete(key)
  }

  actionAt(index: number): string | undefined {
    return this.#ids.length === 0 ? undefined : this.#ids[index % this.#ids.length]
  }

  funded(amount: number) {
    this.#funded += amount
  }

  submitted(keyed: { readonly key: string; readonly body: string } | undefined, result: Submitted) {
    const earlier = keyed && this.#answers.get(keyed.key)
    if (Result.isFailure(result)) {
      if (result.failure._tag === "StoreUnavailable") throw result.failure
      expect(result.failure.status, result.failure.message).toBeLessThan(500)
      if (earlier !== undefined && earlier.body === keyed?.body) {
        throw new Error("a repeated idempotency key with a stored response was refused")
      }
      return
    }
    const { body, replayed } = result.success
    if (keyed !== undefined) {
      const answer = earlier ?? { body: keyed.body, id: body.id, at: this.#now, fresh: 0 }
      expect({ body: keyed.body, id: body.id }).toEqual({ body: answer.body, id: answer.id })
      // Concurrent responses may arrive in any order, but only one of them is not a replay.
      const fresh = answer.fresh + (replayed ? 0 : 1)
      expect(fresh).toBeLessThanOrEqual(1)
      this.#answers.set(keyed.key, { ...answer, fresh })
    }
    if (!this.#ids.includes(body.id)) this.#ids.push(body.id)
  }

  decided(actionId: string, result: Decided) {
    if (Result.isSuccess(result)) return
    if (result.failure._tag === "StoreUnavailable") throw result.failure
    expect(result.failure.code).toBe("CONFLICT")
    expect(result.failure.details).toMatchObject({ action: { id: actionId } })
  }

  async #actions() {
    const { data } = await this.#world.run(
      AgentActions.use((actions) => actions.mine({ limit: 100 })),
      this.#world.agent,
    )
    return data
  }

  /** Checks the invariants that hold after every step. */
  async check() {
    await this.#checkBooks()
    const actions = await this.#actions()
    for (const action of actions) {
      const known = this.#status.get(action.id)
      if (known !== undefined) expect(actionTransitions[known]).toContain(action.status)
      this.#status.set(action.id, action.status)
      if (known === undefined && action.status === "PENDING_APPROVAL") this.#heldOnce.add(action.id)
      expect(action.transaction === undefined || ["APPROVED", "FAILED"].includes(action.status)).toBe(true)
      if (action.status === "APPROVED") expect(action.transaction?.status).toMatch(/^(PENDING|COMPLETED)$/u)
    }
    await this.#checkBudgets()
  }

  async #checkBooks() {
    expect(bookProblems(await this.#world.books())).toEqual([])
  }

  /** Checks that no step moves a counter above the limit in force: a counter above its limit must not have grown. */
  async #checkBudgets() {
    const { policy, usage } = await this.agent()
    const before = this.#before
    if (before === undefined || before.policy.spendingLimits.currency !== policy.spendingLimits.currency) return
    const { dailyLimit, dailyTransactionLimit, monthlyLimit } = policy.spendingLimits
    const within = (now: number, then: number, limit: number | null | undefined) =>
      limit === undefined || limit === null || now <= Math.max(limit, then)
    expect(within(usage.dailySpend, before.usage.dailySpend, dailyLimit)).toBe(true)
    expect(within(usage.monthlySpend, before.usage.monthlySpend, monthlyLimit)).toBe(true)
    expect(within(usage.dailyTransactionCount, before.usage.dailyTransactionCount, dailyTransactionLimit)).toBe(true)
    expect(Math.min(usage.dailySpend, usage.monthlySpend, usage.dailyTransactionCount)).toBeGreaterThanOrEqual(0)
  }

  /** Checks the final state: each execution moved its money once, and each held action emitted one event. */
  async checkEnd() {
    await this.check()
    const actions = await this.#actions()
    const books = await this.#world.books()
    const entries = books.flatMap((book) => book.entries.map((entry) => ({ ...entry, account: book.id })))
    let received = this.#funded
    for (const action of actions) {
      const id = action.transaction?.id
      const moved = entries.filter(
        (entry) => entry.reference === id && entry.account === `available:${this.#world.accountId}`,
      )
      if (action.status === "APPROVED") {
        expect(action.transaction?.status).toBe("COMPLETED")
        expect(moved.map((entry) => entry.amount)).toEqual([action.transferDetails?.amount])
        received += action.transferDetails?.amount ?? 0
      } else {
        expect(moved).toEqual([])
      }
      if (id !== undefined) {
        const transaction = await this.#world.run(Transactions.use((all) => all.get(id)))
        expect(transaction.status).toBe(action.status === "APPROVED" ? "COMPLETED" : "FAILED")
      }
    }
    const available = books.find((book) => book.id === `available:${this.#world.accountId}`)
    expect(available?.balance).toBe(received)
    // Delivery is at least once: one event may arrive several times, but each held action has one event.
    const events = this.#world.inbox.ofType("AGENT_ACTION.PENDING_APPROVAL")
    const notified = [...new Map(events.map((event) => [event.id, event.data["id"]])).values()]
    expect(notified.toSorted()).toEqual([...new Set(notified)].toSorted())
    for (const id of this.#heldOnce) expect(notified).toContain(id)
    for (const action of actions) {
      if (notified.includes(action.id)) expect(this.#ids).toContain(action.id)
    }
  }
}
