/** Cancellations of transfers, and incoming payments that the platform approves, rejects, or lets time out. */
import { IncomingPayments, InternalAccounts } from "@countersign/core"
import { amountMax } from "@countersign/core/models"
import { Effect } from "effect"
import { outcomeOf, show } from "./DepositSteps.ts"
import type { Written } from "./TranscriptWorld.ts"
import { pairsOf, transferIn, transferOut } from "./TransferOutcomeSteps.ts"

type Pair = Awaited<ReturnType<typeof pairsOf>>["own"]

const cancel = (it: Written, id: string, reason?: string) =>
  it.call("POST", `/transactions/${id}/cancel`, { body: reason === undefined ? {} : { reason } })

const waiting = async ({ pay }: Written, millis: number) => ({ _tag: "Later", at: (await pay.clock.now()) + millis })

/** The rail's answers to a cancellation. */
const cancellations = async (it: Written, own: Pair, platform: Pair) => {
  const answers: ReadonlyArray<ReadonlyArray<object>> = [
    [{ _tag: "Done" }],
    [{ _tag: "Cancelled" }],
    [{ _tag: "Refused", reason: "BANK_REJECTED" }],
    [await waiting(it, 4000), { _tag: "Unknown", cause: "no answer" }, { _tag: "Done" }],
    [{ _tag: "Returned" }],
  ]
  for (const [index, answer] of answers.entries()) {
    it.answerNext("Rails.push", await waiting(it, 600_000))
    it.answerNext("Rails.cancel", ...answer)
    const id = await transferOut(it, index % 2 === 0 ? own : platform, 501 + index, index === 2 ? "ACH" : "WIRE")
    await it.pay.clock.advance("2 seconds")
    await cancel(it, id, index === 1 ? undefined : `Reason ${index}`)
    await cancel(it, id, "again")
    await it.pay.clock.advance("1 minute")
    await show(it, id)
  }
  await it.pay.clock.advance("20 minutes")
}

/** Cancellations before the rail is asked, after it has ended, and of what cannot be cancelled. */
const refused = async (it: Written, own: Pair, platform: Pair) => {
  const path = "/transfer-out"
  for (const [index, { external, internal }] of [own, platform].entries()) {
    const source = { accountId: internal }
    const body = { source, destination: { accountId: external, paymentRail: "ACH" }, amount: 601 + index }
    const early = Effect.promise(async () => {
      const { id }: { readonly id?: string } = Object((await it.pay.send("POST", path, { body })).body)
      return (await it.pay.send("POST", `/transactions/${id}/cancel`, { body: { reason: "early" } })).body
    })
    const { id }: { readonly id?: string } = Object(await it.report("an early cancellation", early))
    await cancel(it, id ?? "", "late")
    await it.call("POST", `/transactions/${id}/confirm`, {
      body: { receiptDeliveryConfirmedAt: "2026-01-02T03:04:05.678Z" },
    })
    for (const _ of [1, 2]) await it.call("POST", `/transactions/${id}/confirm`)
  }
  it.answerNext("Rails.push", await waiting(it, 5000))
  const fast = await transferOut(it, own, 603, "RTP")
  await cancel(it, fast)
  await outcomeOf(it, fast, { _tag: "Cancelled" })
  it.answerNext("Rails.pull", await waiting(it, 60_000))
  const pulled = await transferIn(it, own, 604)
  it.answerNext("Rails.cancel", { _tag: "Done" })
  await cancel(it, pulled, "pull")
  await show(it, pulled)
  await cancel(it, "Transaction:01234567-0123-7000-8000-000000000000")
}

interface Announced {
  readonly requestedFields?: ReadonlyArray<{ readonly name: "FULL_NAME" | "NATIONALITY"; readonly mandatory: boolean }>
  readonly [name: string]: unknown
}

const announce = async (it: Written, destinationAccountId: string, amount: number, more: Announced = {}) => {
  const payment = { destinationAccountId, amount, senderUmaAddress: "$b@b.example", requestedFields: [], ...more }
  const reply = await it.report(
    `IncomingPayments.receive ${amount}`,
    IncomingPayments.use((all) => all.receive(payment)),
  )
  return reply?.body.id ?? ""
}

const fields = [
  { name: "FULL_NAME", mandatory: true },
  { name: "NATIONALITY", mandatory: false },
] as const

/** Each response to the event, and its body. */
const responses = async (it: Written, own: Pair, platform: Pair) => {
  const { pay } = it
  for (const [index, answer] of ([200, 403, 422, 201, 500, "silence"] as const).entries()) {
    pay.inbox.answerNext(answer)
    const id = await announce(it, index % 2 === 0 ? own.internal : platform.internal, 701 + index)
    await pay.clock.advance("1 minute")
    await show(it, id)
  }
  const bodies: ReadonlyArray<readonly [number, string]> = [
    [200, '{"receiverCustomerInfo":{"FULL_NAME":"Ada Lovelace"}}'],
    [200, '{"receiverCustomerInfo":{"FULL_NAME":""}}'],
    [200, '{"receiverCustomerInfo":"Ada"}'],
    [200, "[1"],
    [403, '{"reason":"Unknown sender"}'],
    [403, '{"reason":7}'],
  ]
  for (const [index, [status, body]] of bodies.entries()) {
    pay.inbox.deliverTo(async (request) =>
      (await request.clone().text()).includes("INCOMING_PAYMENT.PENDING")
        ? new Response(body, { status })
        : new Response(null, { status: 200 }),
    )
    const requestedFields = index === 2 ? [] : fields
    const more = {
      requestedFields,
      counterpartyInformation: { FULL_NAME: "Bob" },
      sent: { amount: 9, currency: "EUR" },
      exchangeRate: 1.5,
      description: "Tea",
      receiverUmaAddress: "$a@a.example",
    }
    await show(it, await announce(it, own.internal, 711 + index, more))
  }
  pay.inbox.deliverTo(async () => new Response(null, { status: 200 }))
}

/** The platform decides by a call within five seconds. */
const calls = async (it: Written, own: Pair, platform: Pair) => {
  const { pay } = it
  const defer = async (account: string, amount: number, more: Announced = {}) => {
    pay.inbox.answerNext(202)
    return announce(it, account, amount, more)
  }
  const approve = (id: string, body: object = {}) => it.call("POST", `/transactions/${id}/approve`, { body })
  const reject = (id: string, body: object = {}) => it.call("POST", `/transactions/${id}/reject`, { body })
  const first = await defer(own.internal, 721, { requestedFields: fields })
  await approve(first)
  await approve(first, { receiverCustomerInfo: { NATIONALITY: "GB" } })
  await pay.clock.advance("4999 millis")
  await approve(first, { receiverCustomerInfo: { FULL_NAME: "Ada", NATIONALITY: "GB" } })
  await approve(first, { receiverCustomerInfo: { FULL_NAME: "Ada" } })
  await reject(first)
  const second = await defer(platform.internal, 722)
  await reject(second, { reason: "Too late" })
  const third = await defer(platform.internal, 723)
  await reject(third)
  const late = await defer(own.internal, 724)
  await pay.clock.advance("5 seconds")
  await approve(late)
  for (const id of [first, second, third, late]) await show(it, id)
  await approve(await transferIn(it, own, 725))
  // An account that is full, and announcements that no payment can be.
  await it.report(
    "InternalAccounts.fund",
    InternalAccounts.use((all) => all.fund(own.internal, amountMax - 90_000)),
  )
  const big = await defer(own.internal, 99_000)
  await approve(big)
  const atOnce = await announce(it, own.internal, 99_001)
  for (const id of [big, atOnce]) await show(it, id)
  await announce(it, own.internal, 0)
  await announce(it, own.internal, 5, { sent: { amount: -1, currency: "EUR" } })
  await announce(it, it.callers.customerId, 5)
}

export const cancellationSteps = async (it: Written) => {
  const { own, platform } = await pairsOf(it)
  await cancellations(it, own, platform)
  await refused(it, own, platform)
}

export const approvalSteps = async (it: Written) => {
  const { own, platform } = await pairsOf(it)
  await responses(it, own, platform)
  await calls(it, own, platform)
}
