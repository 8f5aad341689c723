/**
 * A second, small implementation of an agent's transfers-in. It is written from the contract, not from the code, and
 * predicts each response, the state of each action and the usage. One customer, one currency, one request at a time.
 * Source: wire contract 1.2 to 1.6, 7.3 and 11 (8 to 10, 30); Spec: States: AgentAction.
 */

import type { AgentPermission } from "@countersign/core/models"

/** The part of an agent's policy that the model predicts by, its amounts in cents of US dollars. `null` stands for no limit. */
export interface ModelPolicy {
  readonly permissions: ReadonlyArray<AgentPermission>
  readonly defaultExecutionMode: "AUTO" | "APPROVAL_REQUIRED"
  readonly perTransactionLimit: number
  readonly dailyLimit: number | null
  readonly monthlyLimit: number | null
  readonly dailyTransactionLimit: number
  /** The amount above which an approval is required; `null` requires none. */
  readonly threshold: number | null
}

/** The states of an action that the model knows. */
export type ModelStatus = "PENDING_APPROVAL" | "APPROVED" | "REJECTED" | "FAILED"

/** An action as the model predicts it. */
export interface ModelAction {
  readonly amount: number
  readonly suffix: string
  status: ModelStatus
}

/** The predicted response: the status, and the action's state or the error code. */
export type Predicted =
  | { readonly status: 200 | 201; readonly action: number; readonly state: ModelStatus }
  | { readonly status: number; readonly code: string }

interface Execution {
  readonly action: number
  readonly day: string
  /** When the rail refuses the transfer; `null` if it accepts it. */
  readonly failsAt: number | null
}

/** The delay in milliseconds after which the sandbox's rails refuse a transfer, by suffix; they accept other suffixes. */
const failsAfterMillis: { readonly [suffix: string]: number } = { "002": 0, "003": 0, "004": 0, "005": 30_000 }

const day = (millis: number) => new Date(millis).toISOString().slice(0, 10)
const month = (date: string) => date.slice(0, 7)

const nextMonth = (date: string): string => {
  const [year = 0, number = 0] = date.split("-").map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, "0")}`
}

export class AgentModel {
  readonly actions: Array<ModelAction> = []
  readonly #open: Array<Execution> = []
  readonly #counts = new Map<string, number>()
  readonly #days = new Map<string, number>()
  readonly #months = new Map<string, number>()
  #policy: ModelPolicy
  #isPaused = false
  #isDeleted = false

  constructor(policy: ModelPolicy) {
    this.#policy = policy
  }

  /** Predicts the response to a transfer-in of the agent. */
  submit(now: number, amount: number, suffix: string): Predicted {
    if (this.#isDeleted) return { status: 401, code: "UNAUTHORIZED" }
    if (this.#isPaused || !this.#policy.permissions.includes("CREATE_TRANSFERS"))
      return { status: 403, code: "FORBIDDEN" }
    if (amount <= 0) return { status: 400, code: "INVALID_AMOUNT" }
    if (!this.#isWithinLimits(now, amount)) return { status: 403, code: "FORBIDDEN" }
    const { defaultExecutionMode, threshold } = this.#policy
    const isHeld = defaultExecutionMode === "APPROVAL_REQUIRED" || (threshold !== null && amount > threshold)
    const action = this.actions.push({ amount, suffix, status: isHeld ? "PENDING_APPROVAL" : "APPROVED" }) - 1
    if (!isHeld) this.#execute(now, action)
    return { status: 201, action, state: isHeld ? "PENDING_APPROVAL" : "APPROVED" }
  }

  approve(now: number, action: number): Predicted {
    const known = this.actions[action]
    if (known === undefined) return { status: 404, code: "REFERENCE_NOT_FOUND" }
    if (known.status !== "PENDING_APPROVAL") return { status: 409, code: "CONFLICT" }
    const isAllowed =
      !this.#isDeleted &&
      !this.#isPaused &&
      this.#policy.permissions.includes("CREATE_TRANSFERS") &&
      this.#isWithinLimits(now, known.amount)
    known.status = isAllowed ? "APPROVED" : "FAILED"
    if (isAllowed) this.#execute(now, action)
    return { status: 200, action, state: known.status }
  }

  reject(action: number): Predicted {
    const known = this.actions[action]
    if (known === undefined) return { status: 404, code: "REFERENCE_NOT_FOUND" }
    if (known.status !== "PENDING_APPROVAL") return { status: 409, code: "CONFLICT" }
    known.status = "REJECTED"
    return { status: 200, action, state: "REJECTED" }
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused
  }

  delete(): void {
    this.#isDeleted = true
  }

  change(policy: Partial<ModelPolicy>): void {
    this.#policy = { ...this.#policy, ...policy }
  }

  /** Advances to `now`: applies all outcomes that are due. */
  arrive(now: number): void {
    for (const execution of this.#open.splice(0)) {
      const known = this.actions[execution.action]
      if (known === undefined || execution.failsAt === null) continue
      if (execution.failsAt > now) {
        this.#open.push(execution)
        continue
      }
      known.status = "FAILED"
      this.#spend(execution.day, -known.amount)
    }
  }

  usage(now: number) {
    const today = day(now)
    return {
      dailyTransactionCount: this.#counts.get(today) ?? 0,
      dailySpend: this.#days.get(today) ?? 0,
      dailyResetDate: day(now + 86_400_000),
      monthlySpend: this.#months.get(month(today)) ?? 0,
      monthlyResetMonth: nextMonth(today),
    }
  }

  #isWithinLimits(now: number, amount: number): boolean {
    const { dailySpend, dailyTransactionCount, monthlySpend } = this.usage(now)
    const { dailyLimit, dailyTransactionLimit, monthlyLimit, perTransactionLimit } = this.#policy
    return (
      amount <= perTransactionLimit &&
      (dailyLimit === null || dailySpend + amount <= dailyLimit) &&
      (monthlyLimit === null || monthlySpend + amount <= monthlyLimit) &&
      dailyTransactionCount + 1 <= dailyTransactionLimit
    )
  }

  #execute(now: number, action: number): void {
    const known = this.actions[action]
    if (known === undefined) return
    const today = day(now)
    this.#counts.set(today, (this.#counts.get(today) ?? 0) + 1)
    this.#spend(today, known.amount)
    const after = failsAfterMillis[known.suffix]
    this.#open.push({ action, day: today, failsAt: after === undefined ? null : now + after })
  }

  #spend(date: string, amount: number): void {
    this.#days.set(date, (this.#days.get(date) ?? 0) + amount)
    this.#months.set(month(date), (this.#months.get(month(date)) ?? 0) + amount)
  }
}
