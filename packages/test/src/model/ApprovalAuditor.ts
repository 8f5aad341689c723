/**
 * Audits a history of several agents and approvers. It derives spending and balances from the actions, and compares them
 * with the usage, the limits and the ledger of the service.
 * Source: wire contract 1.4; D-008.
 */
import {
  AgentActions,
  Agents,
  AuditRecords,
  type AuditRecordsQuery,
  type Answered as OperationAnswered,
  type ServiceError,
  Transactions,
} from "@countersign/core"
import type {
  AgentActionResource,
  AgentPolicy,
  AuditRecordResource,
  TransactionResource,
} from "@countersign/core/models"
import type { StoreUnavailable } from "@countersign/core/store"
import { Result } from "effect"
import { expect } from "../harness/Expect.ts"
import type { ApprovalWorld, ModelAgent } from "./ApprovalWorld.ts"
import { actionTransitions, keyLifetimeMillis, listAll, sum } from "./Auditing.ts"
import { bookProblems } from "./Books.ts"

type Answered = Result.Result<OperationAnswered<AgentActionResource>, ServiceError | StoreUnavailable>
type Limits = Pick<AgentPolicy["spendingLimits"], "dailyLimit" | "monthlyLimit" | "dailyTransactionLimit">
export class ApprovalAuditor {
  readonly #world: ApprovalWorld
  readonly #answered: Array<{ readonly id: string; readonly agentId: string }> = []
  readonly #status = new Map<string, string>()
  readonly #decided = new Set<string>()
  readonly #held = new Set<string>()
  readonly #keys = new Map<string, { readonly body: string; readonly id: string; readonly at: number; fresh: number }>()
  readonly #funded = new Map<string, number>()
  /** The limits that were in force at any time since the last check, by agent. */
  readonly #inForce = new Map<string, ReadonlyArray<Limits>>()
  /** The spending and the counts at the last check, by agent and period. */
  readonly #spent = new Map<string, number>()
  #now = 0

  constructor(world: ApprovalWorld) {
    this.#world = world
  }

  funded(accountId: string, amount: number) {
    this.#funded.set(accountId, (this.#funded.get(accountId) ?? 0) + amount)
  }

  limited(agentId: string, { spendingLimits }: AgentPolicy) {
    this.#inForce.set(agentId, [...(this.#inForce.get(agentId) ?? []), spendingLimits])
  }

  /** Returns an action by its distance from the latest one. */
  actionAt(index: number) {
    return this.#answered.length === 0
      ? undefined
      : this.#answered[this.#answered.length - 1 - (index % this.#answered.length)]
  }

  submitted(agent: ModelAgent, keyed: { readonly key: string; readonly body: string } | undefined, result: Answered) {
    const name = keyed && `${agent.agentId} ${keyed.key}`
    const earlier = name === undefined ? undefined : this.#keys.get(name)
    if (Result.isFailure(result)) {
      if (result.failure._tag === "StoreUnavailable") throw result.failure
      expect(["FORBIDDEN", "CONFLICT"], result.failure.message).toContain(result.failure.code)
      if (result.failure.code === "FORBIDDEN") expect(result.failure.details).toHaveProperty("rule")
      return
    }
    const { body, replayed } = result.success
    if (keyed !== undefined && name !== undefined) {
      const isOver = earlier !== undefined && earlier.at + keyLifetimeMillis <= this.#now
      const known =
        earlier === undefined || isOver ? { body: keyed.body, id: body.id, at: this.#now, fresh: 0 } : earlier
      expect({ body: keyed.body, id: body.id }).toEqual({ body: known.body, id: known.id })
      known.fresh += replayed ? 0 : 1
      expect(known.fresh).toBeLessThanOrEqual(1)
      this.#keys.set(name, known)
    }
    if (body.status === "PENDING_APPROVAL") this.#held.add(body.id)
    if (!this.#answered.some(({ id }) => id === body.id)) this.#answered.push({ id: body.id, agentId: agent.agentId })
  }

  /** Records a decision. Only the first one succeeds; later ones get its result as a conflict. */
  decided(actionId: string, result: Answered) {
    if (Result.isSuccess(result)) {
      expect(this.#decided.has(actionId), `${actionId} was decided twice`).toBe(false)
      this.#decided.add(actionId)
      return
    }
    if (result.failure._tag === "StoreUnavailable") throw result.failure
    expect(result.failure.code).toBe("CONFLICT")
    expect(result.failure.details).toMatchObject({ reason: "ACTION_DECIDED", action: { id: actionId } })
  }

  /** Reads the state before a command, with which its effects are compared. */
  async before() {
    this.#now = await this.#world.processes[0].clock.now()
    for (const { agentId } of this.#world.agents) {
      const { policy } = await this.#world.processes[0].run(Agents.use((agents) => agents.get(agentId)))
      this.#inForce.set(agentId, [policy.spendingLimits])
    }
  }

  async #actionsOf({ caller }: ModelAgent): Promise<ReadonlyArray<AgentActionResource>> {
    const [first] = this.#world.processes
    return listAll((query) =>
      first.run(
        AgentActions.use((actions) => actions.mine(query)),
        caller,
      ),
    )
  }

  async check() {
    const all: Array<AgentActionResource> = []
    for (const agent of this.#world.agents) {
      const actions = await this.#actionsOf(agent)
      all.push(...actions)
      await this.#checkBudgets(agent, actions)
    }
    for (const { id, status, transaction } of all) {
      const known = this.#status.get(id)
      if (known !== undefined) expect(actionTransitions[known], id).toContain(status)
      this.#status.set(id, status)
      expect(transaction === undefined || status === "APPROVED" || status === "FAILED", id).toBe(true)
      if (this.#held.has(id) && transaction !== undefined)
        expect(this.#decided, `${id} moved money without a decision`).toContain(id)
    }
    // The service has exactly the actions that it returned.
    expect(all.map(({ id }) => id).toSorted()).toEqual(this.#answered.map(({ id }) => id).toSorted())
    await this.#checkTransactions(all)
    await this.#checkBooks()
    return all
  }

  /** Checks that the usage is the sum of the actions, and that spending stays within a limit that was in force. */
  async #checkBudgets({ agentId }: ModelAgent, actions: ReadonlyArray<AgentActionResource>) {
    const [first] = this.#world.processes
    const now = new Date(await first.clock.now()).toISOString()
    const { usage } = await first.run(Agents.use((agents) => agents.get(agentId)))
    const begun = actions.flatMap(({ status, transaction, transferDetails }) =>
      transaction === undefined
        ? []
        : [{ at: transaction.createdAt, amount: status === "APPROVED" ? (transferDetails?.amount ?? 0) : 0 }],
    )
    const within = (period: string) => begun.filter(({ at }) => at.startsWith(period))
    const spentIn = (period: string) => sum(within(period).map(({ amount }) => amount))
    const [today, month] = [now.slice(0, 10), now.slice(0, 7)]
    expect({ agentId, now, ...usage }).toMatchObject({
      dailyTransactionCount: within(today).length,
      dailySpend: spentIn(today),
      monthlySpend: spentIn(month),
    })
    const days = new Set(begun.map(({ at }) => at.slice(0, 10)))
    for (const day of days) {
      this.#checkBound(agentId, `${day} spend`, spentIn(day), "dailyLimit")
      this.#checkBound(agentId, `${day} count`, within(day).length, "dailyTransactionLimit")
    }
    for (const each of new Set([...days].map((day) => day.slice(0, 7)))) {
      this.#checkBound(agentId, `${each} spend`, spentIn(each), "monthlyLimit")
    }
  }

  #checkBound(agentId: string, period: string, value: number, limit: keyof Limits) {
    const key = `${agentId} ${period}`
    const before = this.#spent.get(key) ?? 0
    this.#spent.set(key, value)
    const bounds = (this.#inForce.get(agentId) ?? []).map((each) => each[limit] ?? Number.POSITIVE_INFINITY)
    expect(value, `${key} exceeds its ${limit}`).toBeLessThanOrEqual(Math.max(before, ...bounds))
  }

  /** Checks that executed actions and transactions of agents correspond one to one. */
  async #checkTransactions(actions: ReadonlyArray<AgentActionResource>) {
    const [first] = this.#world.processes
    const all = await listAll<TransactionResource>((query) => first.run(Transactions.use((list) => list.list(query))))
    const ofAgents = all.flatMap((each) => ("agentId" in each && each.agentId !== undefined ? [each.id] : []))
    const ofActions = actions.flatMap(({ transaction }) => (transaction === undefined ? [] : [transaction.id]))
    expect(new Set(ofActions).size).toBe(ofActions.length)
    expect(ofAgents.toSorted()).toEqual(ofActions.toSorted())
  }

  async #checkBooks() {
    expect(bookProblems(await this.#world.processes[0].books())).toEqual([])
  }

  /** Checks the final state: approved actions moved their money once, others none, and each held action emitted one event. */
  async checkEnd() {
    const actions = await this.check()
    const books = await this.#world.processes[0].books()
    for (const { accountId, customerId } of this.#world.customers) {
      let expected = this.#funded.get(accountId) ?? 0
      for (const { status, transaction, transferDetails, type } of actions.filter(
        (each) => each.customerId === customerId,
      )) {
        const amount = transferDetails?.amount ?? 0
        const moved = books
          .filter(({ id }) => id === `available:${accountId}`)
          .flatMap(({ entries }) => entries.filter(({ reference }) => reference === transaction?.id))
        if (transaction !== undefined) expect(transaction.status).toBe(status === "APPROVED" ? "COMPLETED" : "FAILED")
        const own = status === "APPROVED" ? (type === "TRANSFER_IN" ? amount : -amount) : 0
        expect(sum(moved.map((entry) => entry.amount))).toBe(own)
        expect(moved.length).toBeLessThanOrEqual(status === "APPROVED" ? 1 : 2)
        expected += own
      }
      const balance = (role: string) => books.find(({ id }) => id === `${role}:${accountId}`)?.balance ?? 0
      expect([balance("available"), balance("held")]).toEqual([expected, 0])
    }
    const events = this.#world.processes.flatMap(({ inbox }) => inbox.ofType("AGENT_ACTION.PENDING_APPROVAL"))
    const notified = [...new Map(events.map((event) => [event.id, String(event.data["id"])])).values()]
    expect(notified.toSorted()).toEqual([...this.#held].toSorted())
    await this.#checkAudit()
  }

  /** Checks that the audit has one record for each held action and each decision. */
  async #checkAudit() {
    const [first] = this.#world.processes
    const targets = async (query: Pick<AuditRecordsQuery, "operation" | "outcome">) => {
      const all = await listAll<AuditRecordResource>((page) =>
        first.run(AuditRecords.use((audit) => audit.list({ ...page, ...query }))),
      )
      return all.map(({ target }) => target)
    }
    const held = await targets({ operation: "AGENT_ACTION_SUBMIT", outcome: "HELD" })
    expect(held.toSorted()).toEqual([...this.#held].toSorted())
    const decided = [
      ...(await targets({ operation: "AGENT_ACTION_APPROVE" })),
      ...(await targets({ operation: "AGENT_ACTION_REJECT" })),
    ]
    expect(decided.toSorted()).toEqual([...this.#decided].toSorted())
  }
}
