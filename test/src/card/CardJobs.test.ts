/**
 * What jobs ask the issuer about cards and their pulls, why they fail, and the identifiers of simulated messages.
 * Source: architecture, "Jobs, external calls and time"; wire contract 3.1, 4.11 and 7.5.
 */
import { CardProvisionings, CardTransactions } from "@countersign/core"
import { Issuer } from "@countersign/core/ports"
import { Sandbox, SandboxIssuer } from "@countersign/core/sandbox"
import { Store } from "@countersign/core/store"
import type { FailPoint } from "@countersign/core/verify"
import { Clock, Effect, Layer, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { openPassword, sealPassword } from "../../../packages/core/src/service/card/CardPasswords.ts"
import { claimedJob } from "../operation/ClaimedJobs.ts"
import {
  approved,
  authorizeCard,
  cardHarness,
  clear,
  getCard,
  issueCard,
  patchCard,
  readyCard,
  textOf,
} from "./CardWorld.ts"

type Answer = { readonly _tag: "Done" } | { readonly _tag: "Unknown"; readonly cause: string }

/** The sandbox's issuer, which records the questions of jobs, and answers those about pulls and states with this. */
const recording = (answer: Answer = { _tag: "Done" }) => {
  const asked: Array<string> = []
  const answered = (name: string) =>
    Effect.sync(() => {
      asked.push(name)
      return answer
    })
  const layer = Layer.effect(
    Issuer,
    Effect.map(Issuer, (sandbox) => ({
      ...sandbox,
      collect: () => answered("collect"),
      changeState: () => answered("changeState"),
      provision: (request: Parameters<typeof sandbox.provision>[0]) =>
        Effect.andThen(answered("provision"), sandbox.provision(request)),
    })),
  ).pipe(Layer.provide(SandboxIssuer.layer))
  return { asked, ports: Layer.mergeAll(Sandbox.layer, layer) }
}

describe("a job of a card", () => {
  it("collects a pull once, and makes a card once", async () => {
    const { asked, ports } = recording()
    const reached: Array<FailPoint> = []
    const failPoints = (point: FailPoint) =>
      Effect.sync(() => {
        if (point === "issuer.asked") reached.push(point)
      })
    await using pay = await readyCard({ ports, failPoints })
    const cardTransactionId = await approved(pay, pay.cardId, 300)
    await clear(pay, cardTransactionId, 100)
    expect([asked.splice(0), reached.splice(0)]).toEqual([
      ["provision", "collect"],
      ["issuer.asked", "issuer.asked"],
    ])
    const collect = (pull: number) =>
      CardTransactions.use((network) => network.collect(claimedJob(pay.platformId, { cardTransactionId, pull })))
    const { cardId } = pay
    const provision = CardProvisionings.use((cards) => cards.provision(claimedJob(pay.platformId, { cardId })))
    for (const pull of [0, 1]) await pay.run(Effect.exit(collect(pull)))
    await pay.run(Effect.exit(provision))
    expect(asked).toEqual([])
  })

  it("sends the issuer each state with the version of the card that has it", async () => {
    const notices: Array<readonly [state: string, version: number]> = []
    const layer = Layer.effect(
      Issuer,
      Effect.map(Issuer, (sandbox) => ({
        ...sandbox,
        changeState: ({ card, version }: Parameters<typeof sandbox.changeState>[0]) =>
          Effect.sync(() => {
            notices.push([card.state, version])
            return { _tag: "Done" } as const
          }),
      })),
    ).pipe(Layer.provide(SandboxIssuer.layer))
    await using pay = await readyCard({ ports: Layer.mergeAll(Sandbox.layer, layer) })
    for (const state of ["FROZEN", "ACTIVE"]) {
      expect((await patchCard(pay, pay.cardId, { state })).status).toBe(200)
      await pay.settle()
    }
    expect(notices).toEqual([
      ["FROZEN", 3],
      ["ACTIVE", 4],
    ])
  })

  it("fails while the issuer does not know", async () => {
    const { ports } = recording({ _tag: "Unknown", cause: "away" })
    await using pay = await readyCard({ ports })
    const cardTransactionId = await approved(pay, pay.cardId, 300)
    await clear(pay, cardTransactionId, 100)
    const { cardId } = pay
    const reason = "the issuer does not know: away"
    const collect = CardTransactions.use((network) =>
      network.collect(claimedJob(pay.platformId, { cardTransactionId })),
    )
    const notify = CardProvisionings.use((cards) => cards.notifyState(claimedJob(pay.platformId, { cardId })))
    expect(await pay.run(Effect.flip(collect))).toMatchObject({ reason })
    expect(await pay.run(Effect.flip(notify))).toMatchObject({ reason })
  })
})

it("a card is revealed by the issuer, or answers that it cannot be shown now", async () => {
  const expiresAt = Date.parse("2026-03-02T08:00:00Z")
  const shown = { _tag: "Done", panEmbedUrl: Redacted.make("https://issuer.example/card"), expiresAt } as const
  const revealing = (outcome: Effect.Success<ReturnType<Issuer["Service"]["reveal"]>>) =>
    Layer.effect(
      Issuer,
      Effect.map(Issuer, (sandbox) => ({ ...sandbox, reveal: () => Effect.succeed(outcome) })),
    ).pipe(Layer.provide(SandboxIssuer.layer))
  const revealed = async (outcome: Parameters<typeof revealing>[0]) => {
    await using pay = await readyCard({ ports: Layer.mergeAll(Sandbox.layer, revealing(outcome)) })
    const reply = await pay.send("POST", `/cards/${pay.cardId}/reveal`)
    return { reply, log: pay.log().join("\n") }
  }
  expect((await revealed(shown)).reply).toMatchObject({
    status: 200,
    body: { panEmbedUrl: "https://issuer.example/card", expiresAt: "2026-03-02T08:00:00Z" },
  })
  const { log, reply } = await revealed({ _tag: "Unknown", cause: "away" })
  expect(reply).toMatchObject({
    status: 503,
    body: { code: "SERVICE_UNAVAILABLE", message: "The card issuer cannot show the card now. Try again." },
  })
  expect(log).toContain("the issuer cannot show a card")
  expect(log).toContain("away")
})

it("a password opens only with the key of its card", async () => {
  await using pay = await cardHarness()
  const sealed = await pay.run(sealPassword("Card:1", Redacted.make("secret")))
  expect(Redacted.value(await pay.run(openPassword("Card:1", sealed)))).toBe("secret")
  const reason = "The sealed password does not open: the vault's secret has changed."
  for (const [cardId, text] of [
    ["Card:2", sealed],
    ["Card:1", { ...sealed, ciphertext: "-" }],
    ["Card:1", { ...sealed, ciphertext: sealed.encappedPublic }],
  ] as const)
    expect(await pay.run(Effect.flip(openPassword(cardId, text)))).toMatchObject({ _tag: "JobFailed", reason })
})

it("an issuer that answers later is asked again at its time, about a card and about its state", async () => {
  const asked: Array<string> = []
  const layer = Layer.effect(
    Issuer,
    Effect.map(Issuer, (sandbox) => {
      const later = (name: string) =>
        Effect.map(Clock.currentTimeMillis, (at) => {
          asked.push(name)
          return asked.filter((each) => each === name).length > 1
            ? undefined
            : ({ _tag: "Later", at: at + 5000 } as const)
        })
      return {
        ...sandbox,
        provision: (request: Parameters<typeof sandbox.provision>[0]) =>
          Effect.flatMap(later("provision"), (answer) =>
            answer === undefined ? sandbox.provision(request) : Effect.succeed(answer),
          ),
        changeState: () => Effect.map(later("changeState"), (answer) => answer ?? ({ _tag: "Done" } as const)),
      }
    }),
  ).pipe(Layer.provide(SandboxIssuer.layer))
  await using pay = await cardHarness({ ports: Layer.mergeAll(Sandbox.layer, layer) })
  const cardId = textOf(await issueCard(pay), "id")
  await pay.settle()
  expect((await getCard(pay, cardId)).body).toMatchObject({ state: "PROCESSING" })
  await pay.clock.advance("6 seconds")
  expect((await getCard(pay, cardId)).body).toMatchObject({ state: "ACTIVE" })
  await patchCard(pay, cardId, { state: "FROZEN" })
  await pay.settle()
  expect(asked).toEqual(["provision", "provision", "changeState"])
  await pay.clock.advance("6 seconds")
  expect(asked).toEqual(["provision", "provision", "changeState", "changeState"])
})

it("simulated messages have identifiers of their own", async () => {
  await using pay = await readyCard()
  const reply = await authorizeCard(pay, pay.cardId, 300)
  expect(textOf(reply, "issuerTransactionToken")).toMatch(/^txn_[0-9a-f]{24}$/u)
  const id = await approved(pay, pay.cardId, 100)
  await clear(pay, id, 10)
  const found = await pay.run(Store.use((store) => store.read({ records: [{ kind: "CardTransaction", id }] })))
  expect(found.record("CardTransaction", id)?.data.messageIds).toEqual([expect.stringMatching(/^msg_[0-9a-f]{24}$/u)])
})

it("a deployment without an issuer says so", async () => {
  await using pay = await cardHarness({ ports: Layer.mergeAll(Sandbox.layer, Issuer.layerNone) })
  const none = { code: "NOT_IMPLEMENTED", message: "This deployment has no card issuer." }
  expect(await issueCard(pay)).toMatchObject({ status: 501, body: none })
  expect(await getCard(pay, "Card:00000000-0000-4000-8000-00000000dead")).toMatchObject({ status: 501, body: none })
})
