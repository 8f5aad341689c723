/**
 * The handlers of a transaction's jobs: which questions reach the rail, at which steps a process may end, and why a job fails.
 * Source: architecture, "Jobs, external calls and time"; D-321.
 */
import { DepositDeclarations, Deposits, IncomingPayments, InternalAccounts, Outcomes } from "@countersign/core"
import { DepositScreening, type InquiryOutcome, type RailOutcome, type Rails } from "@countersign/core/ports"
import { Sandbox, SandboxRates, SandboxVerifier } from "@countersign/core/sandbox"
import type { ClaimedJob } from "@countersign/core/store"
import type { FailPoint } from "@countersign/core/verify"
import { Clock, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { type AgentWorld, agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { cancel, fund, pullFrom, pushTo, read } from "../../../packages/test/src/harness/TransferCalls.ts"
import { claimedJob } from "../operation/ClaimedJobs.ts"
import * as SuccessfulRails from "./SuccessfulRails.ts"

const portsOf = (own: Partial<Rails["Service"]>) =>
  Layer.mergeAll(SandboxRates.layer, SandboxVerifier.layer, SuccessfulRails.layer(own))

const unknownId = "Transaction:00000000-0000-4000-8000-00000000dead"
const claimed = (pay: AgentWorld, payload: ClaimedJob["payload"]) => claimedJob(pay.platformId, payload)

type Handled = (job: ClaimedJob) => Parameters<AgentWorld["run"]>[0]
const handlers: ReadonlyArray<readonly [string, Handled]> = [
  ["Outcomes.ask", (job) => Outcomes.use(({ ask }) => ask(job))],
  ["Outcomes.confirm", (job) => Outcomes.use(({ confirm }) => confirm(job))],
  ["Outcomes.refund", (job) => Outcomes.use(({ refund }) => refund(job))],
  ["Outcomes.cancel", (job) => Outcomes.use((outcomes) => outcomes.cancel(job))],
  ["Deposits.ask", (job) => Deposits.use(({ ask }) => ask(job))],
  ["Deposits.expire", (job) => Deposits.use(({ expire }) => expire(job))],
]

/** Rails that record what they are asked, and answer each question with this. */
const recording = (answer: InquiryOutcome = { _tag: "Done" }) => {
  const asked: Array<string> = []
  const answered = (name: string) => () =>
    Effect.sync(() => {
      asked.push(name)
      return answer as RailOutcome
    })
  const own = Object.fromEntries(["refund", "cancel", "inquire"].map((name) => [name, answered(name)]))
  return { asked, ports: portsOf(own) }
}

describe("a job", () => {
  it.each(handlers)("about an unknown transaction is a defect: %s", async (_name, handle) => {
    await using pay = await agentWorld()
    const exit = await pay.run(Effect.exit(handle(claimed(pay, { transactionId: unknownId }))))
    expect(String(exit)).toContain(`transaction ${unknownId} does not exist`)
  })

  it("needs its payload, and the event or transaction that it names", async () => {
    await using pay = await agentWorld()
    const exit = async (name: "ask" | "timeOut", payload: ClaimedJob["payload"]) =>
      String(await pay.run(Effect.exit(IncomingPayments.use((payments) => payments[name](claimed(pay, payload))))))
    expect(await exit("ask", {})).toContain('["eventId"]')
    expect(await exit("timeOut", {})).toContain('["transactionId"]')
    const eventId = "Webhook:00000000-0000-4000-8000-00000000dead"
    expect(await exit("ask", { eventId })).toContain(`event ${eventId} does not exist`)
    expect(await exit("timeOut", { transactionId: unknownId })).toContain("No such transaction.")
    for (const [, handle] of handlers) {
      const failed = String(await pay.run(Effect.exit(handle(claimed(pay, {})))))
      expect(failed).toContain('["transactionId"]')
    }
    for (const name of ["declared", "screen"] as const) {
      const handle = DepositDeclarations.use((declarations) => declarations[name](claimed(pay, {})))
      expect(String(await pay.run(Effect.exit(handle)))).toMatch(/\["(?:account|transaction)Id"\]/u)
    }
  })

  it("asks the rail nothing about what has ended", async () => {
    const { asked, ports } = recording()
    await using pay = await agentWorld({}, { ports })
    const { id } = await pullFrom(pay, "000", 400)
    await pay.settle()
    for (const [, handle] of handlers) await pay.run(Effect.exit(handle(claimed(pay, { transactionId: id }))))
    expect(asked).toEqual([])
    expect(await read(pay, id)).toMatchObject({ status: "COMPLETED" })
  })

  it.each<readonly [InquiryOutcome, string]>([
    [{ _tag: "NotReceived" }, "the rail has not received what it has delivered"],
    [{ _tag: "Unknown", cause: "no connection" }, "the rail does not know: no connection"],
  ])("about a delivered payment fails for the answer %j", async (answer, reason) => {
    const { asked, ports } = recording(answer)
    await using pay = await agentWorld({}, { ports })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "000", { amount: 400 })
    await pay.settle()
    const confirm = Outcomes.use((outcomes) => outcomes.confirm(claimed(pay, { transactionId: id })))
    expect(await pay.run(Effect.flip(confirm))).toMatchObject({ reason })
    expect(asked).toEqual(["inquire"])
  })

  it.each<InquiryOutcome>([{ _tag: "NotReceived" }, { _tag: "Unknown", cause: "no connection" }])(
    "about a held deposit fails for the answer %j",
    async (answer) => {
      const { ports } = recording(answer)
      const screen = () => Effect.succeed({ _tag: "Hold", reason: "COMPLIANCE_REVIEW" } as const)
      const screening = Layer.succeed(DepositScreening, { screen, transactionHash: () => Effect.undefined })
      await using pay = await agentWorld({}, { ports: Layer.mergeAll(Sandbox.layer, ports, screening) })
      const report = { accountId: pay.accountId, amount: 900, source: {}, depositId: "bank-1" }
      const held = await pay.run(Deposits.use((deposits) => deposits.report(report)))
      const ask = Deposits.use((deposits) => deposits.ask(claimed(pay, { transactionId: held?.id ?? "" })))
      expect(await pay.run(Effect.flip(ask))).toMatchObject({ reason: "the rail does not know the deposit" })
    },
  )

  it("about a declaration screens no deposit that waits no more, and finds none for an unknown account", async () => {
    let screened = 0
    const screen = () =>
      Effect.sync(() => {
        screened += 1
        return { _tag: "Clear" } as const
      })
    const screening = Layer.succeed(DepositScreening, { screen, transactionHash: () => Effect.undefined })
    await using pay = await agentWorld({}, { ports: Layer.mergeAll(Sandbox.layer, screening) })
    const report = { accountId: pay.accountId, amount: 900, source: {}, depositId: "bank-1" }
    const credited = await pay.run(Deposits.use((deposits) => deposits.report(report)))
    expect(screened).toBe(1)
    const handle = (payload: ClaimedJob["payload"], name: "declared" | "screen") =>
      pay.run(Effect.exit(DepositDeclarations.use((declarations) => declarations[name](claimed(pay, payload)))))
    await handle({ transactionId: credited?.id ?? "" }, "screen")
    expect(screened).toBe(1)
    const accountId = "ExternalAccount:00000000-0000-4000-8000-00000000dead"
    expect(String(await handle({ accountId }, "declared"))).not.toContain("TypeError")
  })
})

it("a process may end before and after each question to a rail", async () => {
  const reached: Array<FailPoint> = []
  const failPoints = (point: FailPoint) =>
    Effect.sync(() => {
      if (/^(?:transfer|refund|cancellation)\./u.test(point)) reached.push(point)
    })
  const since = () => reached.splice(0)
  let pushed = 0
  const push = () =>
    Effect.map(Clock.currentTimeMillis, (now): RailOutcome => {
      pushed += 1
      return pushed === 1 ? { _tag: "Done", askAgainAt: now + 5000 } : { _tag: "Later", at: now + 60_000 }
    })
  const own = { push, inquire: () => Effect.succeed<RailOutcome>({ _tag: "Done" }) }
  await using pay = await agentWorld({}, { ports: portsOf(own), failPoints })
  await fund(pay, 1000)
  await pushTo(pay, "000", { amount: 400 })
  await pay.settle()
  expect(since()).toEqual(["transfer.submitted", "transfer.asked"])
  await pay.clock.advance("6 seconds")
  expect(since()).toEqual(["transfer.confirmed"])
  const { id } = await pushTo(pay, "000", { amount: 100 })
  await pay.settle()
  since()
  await cancel(pay, id)
  await pay.settle()
  expect(since()).toEqual(["cancellation.asked", "refund.asked"])
  await pay.run(InternalAccounts.use((accounts) => accounts.fund(pay.accountId, 1)))
  expect(since()).toEqual([])
})
