/** Generates the commands of a history of cards, and runs them against the services. */
import {
  type CardMessage,
  CardSimulations,
  Cards,
  CardTransactions,
  InternalAccounts,
  ServiceError,
} from "@countersign/core"
import type { CardUpdateRequest } from "@countersign/core/models"
import fc from "fast-check"
import { addCustomer } from "../harness/AgentWorld.ts"
import type { Device } from "../harness/Device.ts"
import { expect } from "../harness/Expect.ts"
import { type Harness, harness } from "../harness/Harness.ts"
import type { World, WorldOptions } from "../harness/World.ts"
import type { CardAuditor } from "./CardAuditor.ts"
import type { CardModelWorld } from "./CardModelWorld.ts"

/** One minute less than the lifetime of a session. */
const sessionMillis = 14 * 60_000

const signingIn = (pay: Harness, person: Device) => {
  let until = 0
  return async () => {
    const now = await pay.clock.now()
    if (now < until) return
    await person.signIn("EMAIL_OTP")
    until = now + sessionMillis
  }
}

/** Issues a card. Its own id has no magic suffix; otherwise the cardholder's id decides, which is random. */
const issue = async (
  within: World,
  cardholderId: string,
  platformCardId: string,
  fundingSources: ReadonlyArray<string>,
): Promise<string> => {
  const request = { cardholderId, platformCardId, form: "VIRTUAL", fundingSources } as const
  const issued = await within.run(Cards.use((cards) => cards.issue(request)))
  return issued.body.id
}

/** Creates the world. With `signs`, the cardholder signs changes of funding sources. */
export const cardModelWorld = async (
  options: WorldOptions,
  { signs = false }: { readonly signs?: boolean } = {},
): Promise<CardModelWorld> => {
  const within = await harness({ ...options, tape: false })
  const holder = signs ? await within.device() : undefined
  const customerId = holder?.customerId ?? (await addCustomer(within)).customerId
  const { data } = await within.run(InternalAccounts.use((all) => all.list({ customerId, currency: "USDB" })))
  const [first = "", second = ""] = data.map(({ id }) => id)
  const cards = [
    await issue(within, customerId, "one-000", [first, second]),
    await issue(within, customerId, "two-000", [second]),
  ] as const
  await within.settle()
  const person = holder === undefined ? {} : { signIn: signingIn(within, holder) }
  return { ...within, customerId, accounts: [first, second], cards, ...person }
}

const amount = fc.oneof(fc.integer({ min: 1, max: 900 }), fc.constantFrom(1, 500, 1000, 5000))
/** Mostly the latest transactions, because they are still in progress. */
const index = fc.oneof({ weight: 4, arbitrary: fc.nat({ max: 2 }) }, { weight: 1, arbitrary: fc.nat({ max: 30 }) })
const card = fc.constantFrom(0, 0, 0, 1)

const authorize = fc.record({
  _tag: fc.constant("Authorize" as const),
  card,
  amount,
  suffix: fc.constantFrom("000", "000", "000", "000", "002", "005", "006"),
  direction: fc.constantFrom("DEBIT" as const, "DEBIT" as const, "DEBIT" as const, "CREDIT" as const),
  isFinancial: fc.constantFrom(false, false, true),
})
const say = fc.record({
  _tag: fc.constant("Say" as const),
  index,
  message: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ _tag: fc.constant("Clearing" as const), amount: fc.oneof(fc.constant(0), amount) }),
    },
    { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Return" as const), amount }) },
    { weight: 1, arbitrary: fc.record({ _tag: fc.constant("ReturnReversal" as const) }) },
    { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Advice" as const), amount }) },
  ),
})
/** An operator reports the outcome of a failed pull, or the issuer reports one twice. */
const report = fc.record({
  _tag: fc.constant("Report" as const),
  index,
  pull: fc.constantFrom(0, 0, 1),
  said: fc.constantFrom("Done" as const, "Refused" as const),
})
const patch = fc.record({
  _tag: fc.constant("Patch" as const),
  card,
  body: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ state: fc.constantFrom("ACTIVE" as const, "ACTIVE" as const, "FROZEN" as const) }),
    },
    { weight: 1, arbitrary: fc.constant({ state: "CLOSED" as const }) },
    { weight: 3, arbitrary: fc.record({ sources: fc.constantFrom([0], [1], [0, 1], [1, 0]) }) },
    { weight: 1, arbitrary: fc.record({ maxSpendPerTransaction: fc.constantFrom(null, 400) }) },
  ),
})

type Of<A> = A extends fc.Arbitrary<infer Value> ? Value : never
type Part = Of<typeof authorize> | Of<typeof say> | Of<typeof report> | Of<typeof patch>

/** A step of a history of cards: concurrent calls, a deposit, an advance of time, or due jobs. */
export type Command =
  | { readonly _tag: "All"; readonly parts: ReadonlyArray<Part> }
  | { readonly _tag: "Fund"; readonly account: number; readonly amount: number }
  | { readonly _tag: "Advance"; readonly seconds: number }
  | { readonly _tag: "Settle" }

const parts = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: authorize },
    { weight: 8, arbitrary: say },
    { weight: 1, arbitrary: report },
    { weight: 2, arbitrary: patch },
  ),
  { minLength: 1, maxLength: 4 },
)

/** Generates a command: concurrent calls, a deposit, an advance of time, or due jobs. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 7, arbitrary: fc.record({ _tag: fc.constant("All" as const), parts }) },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("Fund" as const),
      account: fc.constantFrom(0, 1),
      amount: fc.integer({ min: 1, max: 3000 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("Advance" as const),
      seconds: fc.constantFrom(1, 29, 31, 3600, 8 * 86_400),
    }),
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Settle" as const) }) },
)

/** The codes of the errors that a history may cause. */
const expected = ["INVALID_INPUT", "INVALID_STATE_TRANSITION", "CARD_NOT_MUTABLE", "CARD_ALREADY_CLOSED"]

const orRefused = async (attempt: () => Promise<unknown>): Promise<void> => {
  try {
    await attempt()
  } catch (failure) {
    if (!(failure instanceof ServiceError)) throw failure
    expect(expected).toContain(failure.code)
  }
}

/** Changes a card, and signs the change if required. Both calls run concurrently with other commands. */
const changed = async (pay: CardModelWorld, cardId: string, request: CardUpdateRequest): Promise<void> => {
  const first = (await pay.run(Cards.use((cards) => cards.update(cardId, request)))).body
  expect("requestId" in first).toBe(pay.signIn !== undefined && request.fundingSources !== undefined)
  if (!("requestId" in first)) return
  const headers = { signature: "sandbox-valid-signature", requestId: first.requestId }
  await pay.run(Cards.use((cards) => cards.update(cardId, request, headers)))
}

const sendMessage = (pay: CardModelWorld, auditor: CardAuditor, at: number, message: CardMessage) => {
  const found = auditor.at(at)
  if (found === undefined) return Promise.resolve()
  return orRefused(() => pay.run(CardSimulations.use((network) => network.send(found.cardId, found.id, message))))
}

const ran = (pay: CardModelWorld, auditor: CardAuditor, part: Part): Promise<void> => {
  switch (part._tag) {
    case "Authorize": {
      const { direction, isFinancial } = part
      const cardId = pay.cards[part.card === 0 ? 0 : 1]
      const request = {
        amount: part.amount,
        currency: "USDB" as const,
        merchant: { descriptor: `Shop ${part.suffix}` },
      }
      return pay
        .run(CardSimulations.use((network) => network.authorize(cardId, request, { direction, isFinancial })))
        .then((response) => auditor.authorized(response))
    }
    case "Say":
      return sendMessage(pay, auditor, part.index, part.message)
    case "Report": {
      const found = auditor.at(part.index)
      if (found === undefined) return Promise.resolve()
      return pay.run(CardTransactions.use((network) => network.report(found.id, part.pull, { _tag: part.said })))
    }
    case "Patch": {
      const cardId = pay.cards[part.card === 0 ? 0 : 1]
      const { body } = part
      const request =
        "sources" in body ? { fundingSources: body.sources.map((at) => pay.accounts[at === 0 ? 0 : 1]) } : body
      return orRefused(() => changed(pay, cardId, request))
    }
  }
}

/** Runs one command; its parts run concurrently. */
export const run = async (step: Command, pay: CardModelWorld, auditor: CardAuditor): Promise<void> => {
  switch (step._tag) {
    case "All":
      await pay.signIn?.()
      await Promise.all(step.parts.map((part) => ran(pay, auditor, part)))
      return
    case "Fund": {
      const accountId = pay.accounts[step.account === 0 ? 0 : 1]
      const owed = await auditor.owed()
      await pay.run(InternalAccounts.use((accounts) => accounts.fund(accountId, step.amount)))
      // A deposit pays the debt first, whichever card or account caused it.
      expect(await auditor.owed()).toBe(Math.max(0, owed - step.amount))
      auditor.funded(step.amount)
      return
    }
    case "Advance":
      await pay.clock.advance(`${step.seconds} seconds`)
      return
    case "Settle":
      await pay.settle()
  }
}
