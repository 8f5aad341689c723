/**
 * A rail that names a time which has passed already is asked again a second later, and not at once for ever.
 * Source: architecture, "Jobs, external calls and time"; the contract of `Rails` (`Later`, `askAgainAt`).
 */
import { Deposits } from "@countersign/core"
import { DepositScreening, type RailOutcome, type Rails } from "@countersign/core/ports"
import { Sandbox, SandboxRates, SandboxVerifier } from "@countersign/core/sandbox"
import { Clock, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { between, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import { fund, pullFrom, pushTo } from "../../../packages/test/src/harness/TransferCalls.ts"
import { bySuffix, world } from "./DepositRequests.ts"
import * as SuccessfulRails from "./SuccessfulRails.ts"

const waitMillisMin = 1000
/** So often a rail puts off its answer. Without a wait, all of that happens at one moment. */
const putOffMax = 4

/** A rail that puts off its answer to a time in the past, and when it was asked. */
const impatient = (putOff: RailOutcome) => {
  const asked: Array<number> = []
  const answer = Effect.map(Clock.currentTimeMillis, (now): RailOutcome => {
    asked.push(now)
    return asked.length < putOffMax ? putOff : { _tag: "Done" }
  })
  return { asked, answer }
}

const later: RailOutcome = { _tag: "Later", at: 0 }
const mayReturn: RailOutcome = { _tag: "Done", askAgainAt: 0 }
const refused = Effect.succeed<RailOutcome>({ _tag: "Refused", reason: "BANK_REJECTED" })
const delivered = Effect.succeed(mayReturn)

const portsOf = (own: Partial<Rails["Service"]>) =>
  Layer.mergeAll(SandboxRates.layer, SandboxVerifier.layer, SuccessfulRails.layer(own))

type World = Awaited<ReturnType<typeof agentWorld>>
const pushed = async (pay: World) => {
  await fund(pay, 1000)
  await pushTo(pay, "000", { amount: 400 })
}

const expectWaits = (asked: ReadonlyArray<number>) => {
  expect(asked).toHaveLength(putOffMax)
  const waits = asked.slice(1).map((at, index) => at - (asked[index] ?? 0))
  expect(waits.filter((wait) => wait < waitMillisMin)).toEqual([])
}

describe("a rail that names a past time is asked again after a second", () => {
  it.each<
    readonly [
      what: string,
      putOff: RailOutcome,
      own: (answer: Effect.Effect<RailOutcome>) => Partial<Rails["Service"]>,
      begin: (pay: World) => Promise<unknown>,
    ]
  >([
    ["about a payment out", later, (answer) => ({ push: () => answer }), pushed],
    ["about a payment in", later, (answer) => ({ pull: () => answer }), (pay) => pullFrom(pay, "000", 400)],
    [
      "whether a payment comes back",
      mayReturn,
      (inquire) => ({ push: () => delivered, inquire: () => inquire }),
      pushed,
    ],
    ["about a refund", later, (answer) => ({ push: () => refused, refund: () => answer }), pushed],
  ])("%s", async (_what, putOff, own, begin) => {
    const { answer, asked } = impatient(putOff)
    await using pay = await agentWorld({}, { ports: portsOf(own(answer)) })
    await begin(pay)
    const began = await pay.clock.now()
    await pay.settle()
    expect(asked.length).toBeLessThanOrEqual(1)
    await pay.clock.advance("10 seconds")
    expectWaits(asked)
    // The receiving bank is asked for the first time a second after the delivery, too.
    if (putOff === mayReturn) expect((asked[0] ?? 0) - began).toBeGreaterThanOrEqual(waitMillisMin)
  })

  it("about the pull of a quote", async () => {
    const { answer, asked } = impatient(later)
    await using pay = await quoteHarness({ ports: portsOf({ pull: () => answer }) })
    const quote = await pay.quote(between(await pay.external("USD"), await pay.external("MXN"), 1000))
    expect((await pay.execute(String(Object(quote.body).id))).status).toBe(200)
    await pay.settle()
    expect(asked).toHaveLength(1)
    await pay.clock.advance("10 seconds")
    expectWaits(asked)
  })

  it.each<
    readonly [what: string, holds: boolean, own: (answer: Effect.Effect<RailOutcome>) => Partial<Rails["Service"]>]
  >([
    ["about a held deposit", true, (inquire) => ({ inquire: () => inquire })],
    ["about giving a deposit back", false, (answer) => ({ push: () => answer, inquire: () => answer })],
  ])("%s", async (_what, holds, own) => {
    const { answer, asked } = impatient(later)
    const screening = Layer.succeed(DepositScreening, {
      screen: () => Effect.succeed({ _tag: "Hold" as const, reason: "COMPLIANCE_REVIEW" as const, askAgainAt: 0 }),
      transactionHash: () => Effect.undefined,
    })
    const ports = Layer.mergeAll(Sandbox.layer, SuccessfulRails.layer(own(answer)), ...(holds ? [screening] : []))
    const { account, pay } = await world("USD", { ports })
    await using _ = pay
    await pay.run(
      Deposits.use((deposits) =>
        deposits.report({ accountId: account.id, amount: 900, source: bySuffix("002"), depositId: "bank-1" }),
      ),
    )
    await pay.settle()
    expect(asked).toHaveLength(1)
    await pay.clock.advance("10 seconds")
    expectWaits(asked)
  })
})
