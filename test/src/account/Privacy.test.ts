/**
 * Logs and spans contain no account numbers, documents or names of beneficiaries, whether a request succeeds or fails.
 * Source: D-055.
 */
import { MemoryStore } from "@countersign/adapter-memory"
import { Verifier } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { type ChangeSet, Store, StoreUnavailable } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/index.ts"
import { captureTelemetry } from "../audit/CapturedTelemetry.ts"
import { added, customersPath, newCustomer, platformPath, usd } from "./ExternalAccountRequests.ts"

const secrets = ["1234567000", "Lovelace", "Main St", "000-00-0000", "Springfield"]
const body = (accountNumber: string) => {
  const { accountInfo, ...more } = usd(accountNumber)
  const person = { ...accountInfo.beneficiary, nationality: "US", documentType: "PP", documentNumber: "000-00-0000" }
  return { ...more, accountInfo: { ...accountInfo, beneficiary: person } }
}

const runLifecycle = async (pay: Harness) => {
  const path = `${customersPath}/${await added(pay, { ...body("1234567000"), customerId: await newCustomer(pay) })}`
  await pay.send("GET", path)
  await pay.send("GET", customersPath)
  await added(pay, body("1234567000"), platformPath)
  // A duplicate, an account that does not exist, an invalid body and malformed JSON.
  await pay.send("POST", platformPath, { body: body("1234567000") })
  await pay.send("POST", platformPath, { body: body("1234567000105") })
  await pay.send("POST", platformPath, { body: { ...body("1234567000x"), currency: "Lovelace" } })
  await pay.send("POST", platformPath, { body: `{"accountInfo": "1234567000` })
  pay.inbox.answerNext(500, "silence")
  await pay.send("POST", `/sandbox/external-accounts/${path.slice(customersPath.length + 1)}/status`, {
    body: { status: "INACTIVE" },
  })
  await pay.clock.advance("1 minute")
  await pay.send("DELETE", path)
}

it("logs no personal data during the life of an account", async () => {
  const { layer, spans, text } = captureTelemetry()
  await using pay = await harness({ ports: Layer.merge(Sandbox.layer, layer) })
  await runLifecycle(pay)
  expect(spans.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["ExternalAccounts.create", "ExternalAccounts.remove"]),
  )
  for (const secret of secrets) expect(text()).not.toContain(secret)
})

it("logs no personal data if the verifier or the store fails", async () => {
  const { layer, lines, text } = captureTelemetry()
  /** An error as of a database driver, which contains the row beside the message. */
  const broken = (message: string) =>
    Object.assign(new Error(message), { detail: "Failing row contains (1234567000, Lovelace)." })
  const ports = Layer.effect(
    Verifier,
    Effect.map(Verifier, (inner) => ({ ...inner, verifyBeneficiary: () => Effect.die(broken("no verifier")) })),
  )
  let isAway = false
  const store = Layer.effect(
    Store,
    Effect.map(MemoryStore.make, ({ store: inner }) => ({
      ...inner,
      commit: (set: ChangeSet) =>
        isAway
          ? Effect.fail(new StoreUnavailable({ unknown: false, cause: broken("no connection") }))
          : inner.commit(set),
    })),
  )
  await using pay = await harness({
    ports: Layer.mergeAll(Layer.provideMerge(ports, Sandbox.layer), layer),
    store: { layer: store, books: () => Promise.resolve([]) },
  })
  expect((await pay.send("POST", platformPath, { body: body("1234567000") })).status).toBe(500)
  isAway = true
  expect((await pay.send("POST", "/customers", { body: { customerType: "INDIVIDUAL" } })).status).toBe(503)
  for (const message of ["no verifier", "no connection"]) expect(lines.join("\n")).toContain(message)
  for (const secret of secrets) expect(text()).not.toContain(secret)
})
