/** Generates the commands of a history of transfers, and runs them against the services. */
import {
  Customers,
  type DefiniteOutcome,
  ExternalAccounts,
  InternalAccounts,
  Outcomes,
  ServiceError,
  Transactions,
  Transfers,
} from "@countersign/core"
import fc from "fast-check"
import type { World } from "../harness/World.ts"
import { type Answer, type Call, currencies } from "./PayModel.ts"
import type { TransferAuditor } from "./TransferAuditor.ts"

const suffixes = ["000", "002", "003", "004", "005"]

/** Success (000) and delay (005) are more frequent than failures. */
const suffix = fc.constantFrom("000", "000", "000", "005", "005", ...suffixes)
/** Mostly the first customer, because concurrent changes to one customer find most defects. */
const customer = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 4 }) })
const currency = fc.constantFrom("USD" as const, "USD" as const, ...currencies)
const account = { customer, currency }
const rails = ["ACH", "WIRE", "ACH", "RTP"] as const

const transfer = fc.oneof(
  fc.record({ _tag: fc.constant("In" as const), ...account, suffix, amount: fc.integer({ min: 0, max: 2000 }) }),
  fc.record({
    _tag: fc.constant("Out" as const),
    ...account,
    suffix,
    /** `undefined` is the whole balance. */
    amount: fc.option(fc.integer({ min: 0, max: 2000 }), { nil: undefined, freq: 2 }),
    rail: fc.constantFrom(...rails),
  }),
  fc.record({ _tag: fc.constant("Fund" as const), ...account, amount: fc.integer({ min: 1, max: 3000 }) }),
)

/** Mostly the latest transfers, because they are still in progress. */
const index = fc.oneof({ weight: 4, arbitrary: fc.nat({ max: 3 }) }, { weight: 1, arbitrary: fc.nat({ max: 40 }) })
const touch = fc.oneof(
  fc.record({ _tag: fc.constant("Cancel" as const), index }),
  fc.record({ _tag: fc.constant("Return" as const), index }),
  fc.record({ _tag: fc.constant("Report" as const), index, isDone: fc.boolean() }),
)

/** Changes the status of an external account, or deletes a customer. */
const turn = fc.oneof(
  fc.record({
    _tag: fc.constant("Turn" as const),
    ...account,
    suffix,
    status: fc.constantFrom("ACTIVE", "ACTIVE", "INACTIVE", "UNDER_REVIEW"),
  }),
  fc.record({ _tag: fc.constant("Delete" as const), customer }),
)

type Of<A> = A extends fc.Arbitrary<infer Value> ? Value : never
type Part = Of<typeof transfer> | Of<typeof touch> | Of<typeof turn>

/** A step of a history of transfers: concurrent calls, a new customer, an advance of time, or due jobs. */
export type Command =
  | { readonly _tag: "All"; readonly parts: ReadonlyArray<Part> }
  | { readonly _tag: "Join" }
  | { readonly _tag: "Advance"; readonly millis: number }
  | { readonly _tag: "Settle" }

/** Generates a command: concurrent calls, a new customer, an advance of time, or due jobs. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      _tag: fc.constant("All" as const),
      parts: fc.array(
        fc.oneof({ weight: 7, arbitrary: transfer }, { weight: 4, arbitrary: touch }, { weight: 1, arbitrary: turn }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Join" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("Advance" as const),
      millis: fc.constantFrom(400, 400, 1000, 29_000, 31_000, 3_600_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Settle" as const) }) },
)

/** Resolves a part to a call on existing records; `undefined` if there is no such record. */
const callOf = async (auditor: TransferAuditor, part: Part): Promise<Call | undefined> => {
  if ("index" in part) {
    const id = auditor.transferAt(part.index)
    if (id === undefined) return undefined
    return part._tag === "Report" ? { _tag: "Report", id, isDone: part.isDone } : { _tag: part._tag, id }
  }
  const customerId = auditor.customerAt(part.customer)
  if (part._tag === "Delete") return { _tag: "Delete", customerId }
  if (part._tag === "Fund") return { _tag: "Fund", customerId, currency: part.currency, amount: part.amount }
  const externalId = await auditor.external(customerId, part.currency, part.suffix)
  if (externalId === undefined) return undefined
  if (part._tag === "Turn") return { _tag: "Turn", externalId, status: part.status }
  const { amount, currency: code } = part
  if (part._tag === "In") return { _tag: "In", customerId, externalId, currency: code, amount: part.amount }
  return { _tag: "Out", customerId, externalId, currency: code, amount, rail: code === "USD" ? part.rail : undefined }
}

const reported = (world: World, id: string, outcome: DefiniteOutcome) =>
  world.run(Outcomes.use((outcomes) => outcomes.report(id, outcome)))

const sent = async (world: World, auditor: TransferAuditor, call: Call): Promise<Answer> => {
  switch (call._tag) {
    case "In": {
      const { amount, currency: code, customerId, externalId } = call
      const order = { sourceAccountId: externalId, destinationAccountId: auditor.accountOf(customerId, code), amount }
      const { body } = await world.run(Transfers.use((transfers) => transfers.transferIn(order)))
      return { id: body.id, amount: body.type === "INCOMING" ? body.receivedAmount.amount : 0 }
    }
    case "Out": {
      const { amount, currency: code, customerId, externalId, rail } = call
      const order = {
        sourceAccountId: auditor.accountOf(customerId, code),
        destinationAccountId: externalId,
        ...(amount === undefined ? {} : { amount }),
        ...(rail === undefined ? {} : { paymentRail: rail }),
      }
      const { body } = await world.run(Transfers.use((transfers) => transfers.transferOut(order)))
      return { id: body.id, amount: body.type === "OUTGOING" ? body.sentAmount.amount : 0 }
    }
    case "Fund": {
      const accountId = auditor.accountOf(call.customerId, call.currency)
      await world.run(InternalAccounts.use((accounts) => accounts.fund(accountId, call.amount)))
      return {}
    }
    case "Delete":
      await world.run(Customers.use((customers) => customers.remove(call.customerId)))
      return {}
    case "Turn":
      await world.run(ExternalAccounts.use((accounts) => accounts.setStatus(call.externalId, call.status)))
      return {}
    case "Cancel":
      await world.run(Transactions.use((all) => all.cancel(call.id, "changed my mind")))
      return {}
    case "Return":
      await reported(world, call.id, { _tag: "Returned" })
      return {}
    case "Report":
      await reported(world, call.id, call.isDone ? { _tag: "Done" } : { _tag: "Refused", reason: "BANK_REJECTED" })
      return {}
  }
}

const answered = async (world: World, auditor: TransferAuditor, call: Call) => {
  try {
    return { call, answer: await sent(world, auditor, call) }
  } catch (failure) {
    if (!(failure instanceof ServiceError)) throw failure
    return { call, answer: { code: failure.code } }
  }
}

/** Runs one command; its parts run concurrently. */
export const run = async (step: Command, world: World, auditor: TransferAuditor): Promise<void> => {
  switch (step._tag) {
    case "All": {
      const calls: Array<Call> = []
      for (const part of step.parts) {
        const call = await callOf(auditor, part)
        if (call !== undefined) calls.push(call)
      }
      return auditor.answered(await Promise.all(calls.map((call) => answered(world, auditor, call))))
    }
    case "Join":
      return auditor.join()
    case "Advance":
      await world.clock.advance(`${step.millis} millis`)
      return auditor.advanced(step.millis)
    case "Settle":
      await world.settle()
      return auditor.settled()
  }
}
