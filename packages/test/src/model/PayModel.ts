/**
 * A model of customers, accounts, debts and transfers that predicts every response. It is written from the specification
 * and the decisions, not from the code, with plain data and loops only.
 * Source: wire contract 5.6, 5.7, 7.3 and 11 (22, 49, 51); D-055, D-091, D-092, D-096, D-114.
 */

export const currencies = ["USD", "EUR"] as const
/** The currencies of the model, in which every customer has an account. */
export type Currency = (typeof currencies)[number]
/** The states of an external account that the model knows. */
export type Status = "ACTIVE" | "UNDER_REVIEW" | "INACTIVE"

interface ModelAccount {
  available: number
  held: number
  owed: number
}

/** A customer with its balances as the model predicts them, in the smallest unit. */
export interface ModelCustomer {
  isDeleted: boolean
  readonly accounts: Record<Currency, ModelAccount>
}

interface ModelExternal {
  readonly customerId: string
  readonly currency: Currency
  readonly suffix: string
  status: Status
}

interface ModelJob {
  readonly asks: "transfer" | "refund" | "cancel"
  readonly due: number
}

/** A transfer as the model predicts it, with the events that it has emitted and the jobs that it waits for. */
export interface ModelTransfer {
  readonly direction: "IN" | "OUT"
  readonly customerId: string
  readonly externalId: string
  readonly amount: number
  readonly isCancellable: boolean
  status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED"
  submittedAt: number | null
  refund: "PENDING" | "COMPLETED" | "FAILED" | null
  refundedFrom: number
  isCancelled: boolean
  events: Array<string>
  jobs: Array<ModelJob>
}

/** The state as plain data; it is cloned to try a call. */
export interface PayState {
  now: number
  readonly customers: Record<string, ModelCustomer>
  readonly externals: Record<string, ModelExternal>
  readonly transfers: Record<string, ModelTransfer>
}

/** A call to the services or the rail whose response the model predicts. */
export type Call =
  | {
      readonly _tag: "In"
      readonly customerId: string
      readonly externalId: string
      readonly currency: Currency
      readonly amount: number
    }
  | {
      readonly _tag: "Out"
      readonly customerId: string
      readonly externalId: string
      readonly currency: Currency
      readonly amount: number | undefined
      readonly rail: string | undefined
    }
  | { readonly _tag: "Fund"; readonly customerId: string; readonly currency: Currency; readonly amount: number }
  | { readonly _tag: "Delete"; readonly customerId: string }
  | { readonly _tag: "Turn"; readonly externalId: string; readonly status: Status }
  | { readonly _tag: "Cancel"; readonly id: string }
  | { readonly _tag: "Return"; readonly id: string }
  | { readonly _tag: "Report"; readonly id: string; readonly isDone: boolean }

/** The response to a call: an error code, or success; for a transfer with its id and amount. */
export interface Answer {
  readonly code?: string
  readonly id?: string
  readonly amount?: number
}

const done: Answer = {}
const delayed = "005"
const delayMillis = 30_000
const refundMillis = 1000
const magic = ["002", "003", "004", delayed]

const arrows: Readonly<Record<Status, ReadonlyArray<Status>>> = {
  ACTIVE: ["UNDER_REVIEW", "INACTIVE"],
  UNDER_REVIEW: ["ACTIVE", "INACTIVE"],
  INACTIVE: ["ACTIVE"],
}

const need = <A>(found: A | undefined): A => {
  if (found === undefined) throw new Error("the model has no such record")
  return found
}

const accountOf = (state: PayState, { customerId, externalId }: ModelTransfer) =>
  need(state.customers[customerId]).accounts[need(state.externals[externalId]).currency]

const isDeleted = (state: PayState, customerId: string) => need(state.customers[customerId]).isDeleted

/** Credits an account; its debt is paid first. */
const credit = (account: ModelAccount, amount: number) => {
  const paid = Math.min(amount, account.owed)
  account.owed -= paid
  account.available += amount - paid
}

/** Whether the outcome of the rail is still unknown. */
const isOpen = ({ direction, refund, status }: ModelTransfer) =>
  direction === "IN" ? status === "PENDING" : refund === null && (status === "PENDING" || status === "PROCESSING")

/** Whether the transfer blocks the deletion of its customer: it may still move money, or its refund has failed. */
const blocksDeletion = ({ refund, status }: ModelTransfer) =>
  status === "PENDING" || status === "PROCESSING" || refund === "PENDING" || refund === "FAILED"

const become = (transfer: ModelTransfer, status: ModelTransfer["status"]) => {
  transfer.status = status
  transfer.events.push(status)
}

/** Starts the payment: its hold leaves the account. */
const begin = (state: PayState, transfer: ModelTransfer) => {
  if (transfer.status !== "PENDING") return
  accountOf(state, transfer).held -= transfer.amount
  become(transfer, "PROCESSING")
}

const refunded = (state: PayState, transfer: ModelTransfer) => {
  const isBack = !isDeleted(state, transfer.customerId)
  transfer.refund = isBack ? "COMPLETED" : "FAILED"
  transfer.events.push(isBack ? "REFUND_COMPLETED" : "REFUND_FAILED")
  if (isBack) credit(accountOf(state, transfer), transfer.amount)
  if (transfer.status === "PROCESSING") become(transfer, "COMPLETED")
}

const refund = (state: PayState, transfer: ModelTransfer) => {
  transfer.refund = "PENDING"
  transfer.refundedFrom = state.now
  transfer.events.push("REFUND_PENDING")
  transfer.jobs.push({ asks: "refund", due: state.now })
}

type Outcome = "Done" | "Refused" | "Returned" | "Cancelled"

/** Applies an outcome that a rail or a bank reports. */
const applyOutcome = (state: PayState, transfer: ModelTransfer, word: Outcome) => {
  const account = accountOf(state, transfer)
  const { amount, direction } = transfer
  if (word === "Returned" && transfer.status === "COMPLETED" && transfer.refund === null) {
    become(transfer, "FAILED")
    if (direction === "OUT") return refund(state, transfer)
    const paid = Math.min(amount, account.available)
    account.available -= paid
    account.owed += amount - paid
    return
  }
  if (!isOpen(transfer)) return
  if (direction === "IN") {
    become(transfer, word === "Done" ? "COMPLETED" : "FAILED")
    if (word === "Done") credit(account, amount)
    return
  }
  begin(state, transfer)
  if (word === "Done") return become(transfer, "COMPLETED")
  if (word !== "Cancelled") become(transfer, "FAILED")
  refund(state, transfer)
  // The payment was not submitted to a rail, so the refund completes at once.
  if (transfer.submittedAt === null) {
    transfer.jobs = transfer.jobs.filter(({ asks }) => asks !== "refund")
    refunded(state, transfer)
  }
}

const work = (state: PayState, transfer: ModelTransfer, { asks }: ModelJob) => {
  const { now } = state
  const again = (at: number) => transfer.jobs.push({ asks, due: Math.max(at, now + 1000) })
  const external = need(state.externals[transfer.externalId])
  if (asks === "refund") {
    if (transfer.refund !== "PENDING") return
    const at = transfer.refundedFrom + refundMillis
    return now < at ? again(at) : refunded(state, transfer)
  }
  if (!isOpen(transfer)) return
  if (asks === "transfer" && transfer.submittedAt === null) {
    if (external.status !== "ACTIVE") return applyOutcome(state, transfer, "Refused")
    transfer.submittedAt = now
  }
  if (transfer.submittedAt === null) return
  const isKept = external.suffix === delayed && now < transfer.submittedAt + delayMillis
  if (asks === "cancel") return isKept ? applyOutcome(state, transfer, "Cancelled") : undefined
  if (isKept) return again(transfer.submittedAt + delayMillis)
  return applyOutcome(state, transfer, magic.includes(external.suffix) ? "Refused" : "Done")
}

/** Runs all jobs that are due now. */
export const settle = (state: PayState): void => {
  for (let isDue = true; isDue; ) {
    isDue = false
    for (const transfer of Object.values(state.transfers)) {
      const due = transfer.jobs.filter((job) => job.due <= state.now)
      transfer.jobs = transfer.jobs.filter((job) => job.due > state.now)
      for (const job of due) work(state, transfer, job)
      isDue ||= due.length > 0
    }
  }
}

/** Advances the time, from one due time to the next. */
export const advance = (state: PayState, millis: number): void => {
  const end = state.now + millis
  for (;;) {
    settle(state)
    const next = Math.min(...Object.values(state.transfers).flatMap(({ jobs }) => jobs.map(({ due }) => due)))
    if (next > end) break
    state.now = next
  }
  state.now = end
  settle(state)
}

/** Returns a customer without money. */
export const newCustomer = (): ModelCustomer => ({
  isDeleted: false,
  accounts: { USD: { available: 0, held: 0, owed: 0 }, EUR: { available: 0, held: 0, owed: 0 } },
})

const create = (
  state: PayState,
  call: Extract<Call, { readonly _tag: "In" | "Out" }>,
  amount: number,
  actual: Answer,
): Answer => {
  const id = actual.id ?? "none"
  const rail = call._tag === "Out" ? (call.rail ?? "ACH") : "ACH"
  state.transfers[id] = {
    direction: call._tag === "In" ? "IN" : "OUT",
    customerId: call.customerId,
    externalId: call.externalId,
    amount,
    isCancellable: call.currency === "USD" && (rail === "ACH" || rail === "WIRE"),
    status: "PENDING",
    submittedAt: null,
    refund: null,
    refundedFrom: 0,
    isCancelled: false,
    events: ["PENDING"],
    jobs: [{ asks: "transfer", due: state.now }],
  }
  return { id, amount }
}

const cancel = (state: PayState, transfer: ModelTransfer): Answer => {
  if (!transfer.isCancellable || !isOpen(transfer)) return { code: "TRANSACTION_NOT_CANCELLABLE" }
  if (transfer.isCancelled) return done
  transfer.isCancelled = true
  if (transfer.submittedAt === null) applyOutcome(state, transfer, "Cancelled")
  else transfer.jobs.push({ asks: "cancel", due: state.now })
  return done
}

const remove = (state: PayState, customerId: string): Answer => {
  const customer = need(state.customers[customerId])
  if (customer.isDeleted) return { code: "CUSTOMER_DELETED" }
  const hasMoney = currencies.some((currency) => {
    const { available, held, owed } = customer.accounts[currency]
    return available + held + owed > 0
  })
  if (hasMoney || Object.values(state.transfers).some((one) => one.customerId === customerId && blocksDeletion(one))) {
    return { code: "CONFLICT" }
  }
  customer.isDeleted = true
  return done
}

/** Applies a call to the state and returns its response. A transfer gets the id of the actual response. */
export const apply = (state: PayState, call: Call, actual: Answer): Answer => {
  switch (call._tag) {
    case "In":
    case "Out": {
      const external = need(state.externals[call.externalId])
      const account = need(state.customers[call.customerId]).accounts[call.currency]
      if (call.amount !== undefined && call.amount < 1) return { code: "INVALID_AMOUNT" }
      if (isDeleted(state, call.customerId)) return { code: "REFERENCE_NOT_FOUND" }
      if (external.status !== "ACTIVE") return { code: "INVALID_BANK_ACCOUNT" }
      const amount = call.amount ?? account.available
      if (call._tag === "Out") {
        if (amount < 1 || amount > account.available) return { code: "INVALID_INPUT" }
        account.available -= amount
        account.held += amount
      }
      return create(state, call, amount, actual)
    }
    case "Fund":
      if (isDeleted(state, call.customerId)) return { code: "REFERENCE_NOT_FOUND" }
      credit(need(state.customers[call.customerId]).accounts[call.currency], call.amount)
      return done
    case "Delete":
      return remove(state, call.customerId)
    case "Turn": {
      const external = need(state.externals[call.externalId])
      if (isDeleted(state, external.customerId)) return { code: "REFERENCE_NOT_FOUND" }
      if (!arrows[external.status].includes(call.status)) return { code: "INVALID_STATE_TRANSITION" }
      external.status = call.status
      return done
    }
    case "Cancel":
      return cancel(state, need(state.transfers[call.id]))
    case "Return":
      applyOutcome(state, need(state.transfers[call.id]), "Returned")
      return done
    case "Report":
      applyOutcome(state, need(state.transfers[call.id]), call.isDone ? "Done" : "Refused")
      return done
  }
}
