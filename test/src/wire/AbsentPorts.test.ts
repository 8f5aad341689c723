/**
 * Deployments that lack an optional port: its operations answer 501, and say what the deployment does not offer.
 * Source: wire contract 3.1, 4.1 and 8.2 (`NOT_IMPLEMENTED`).
 */
import { guards, Handlers, makeWebHandler, OpenApiDocument } from "@countersign/adapter-http"
import { Api } from "@countersign/client/api"
import { Credentials, SignIns } from "@countersign/core"
import {
  FundingInstructions,
  Issuer,
  NetworkFees,
  OidcChecks,
  PasskeyChecks,
  RequestJournal,
  WebhookInbox,
  WorldPacking,
} from "@countersign/core/ports"
import { Context, Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import type { Services } from "../../../packages/test/src/harness/World.ts"
import { type OperationTarget, operationTarget } from "../hostile/OperationTarget.ts"
import { operations } from "../http/ExampleRequests.ts"
import { fakeChecks, tokenOf } from "../wallet/FakeChecks.ts"
import { newKey, newWallet, textAt } from "../wallet/People.ts"

const notOffered = (details: object = {}) => ({ status: 501, body: { code: "NOT_IMPLEMENTED", ...details } })
const because = (reason: string) => notOffered({ details: { reason } })

describe("without a card issuer", () => {
  const { paths } = OpenApiDocument.make(Api, "")
  const cardOperations = operations().filter(
    ({ method, path }) =>
      /\/(?:cards|delegated-keys)\b/u.test(path) &&
      OpenApiDocument.at(paths, path, method.toLowerCase(), "responses", "501") !== undefined,
  )
  let target: OperationTarget
  let pay: Harness
  beforeAll(async () => {
    target = await operationTarget()
    pay = await target.pay.fork({ ports: Issuer.layerNone })
  })
  afterAll(async () => {
    await pay[Symbol.asyncDispose]()
    await target[Symbol.asyncDispose]()
  })

  it("is documented for every operation of cards and of their keys", () => {
    expect(cardOperations).toHaveLength(5 + 4 + 10)
  })

  it.each(cardOperations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    "answers 501 to %s",
    async (_name, operation) => {
      const { body, path } = target.exampleOf(operation)
      const sent = body === undefined ? {} : { body: JSON.parse(body) }
      expect(await pay.send(operation.method, path, sent)).toMatchObject(because("NO_ISSUER"))
    },
  )
})

describe("without the memory of a sandbox", () => {
  const kept = operations().filter(({ path }) => /^\/sandbox\/(?:inbox|requests|worlds?)\b/u.test(path))
  let target: OperationTarget
  let pay: Harness
  beforeAll(async () => {
    target = await operationTarget()
    pay = await target.pay.fork({
      ports: Layer.mergeAll(
        Layer.succeed(RequestJournal, undefined),
        Layer.succeed(WorldPacking, undefined),
        Layer.succeed(WebhookInbox, undefined),
      ),
    })
  })
  afterAll(async () => {
    await pay[Symbol.asyncDispose]()
    await target[Symbol.asyncDispose]()
  })

  it.each(kept.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    "answers 501 to %s",
    async (_name, operation) => {
      const { body, path } = target.exampleOf(operation)
      const sent = body === undefined ? {} : { body: JSON.parse(body) }
      expect(await pay.send(operation.method, path, sent)).toMatchObject(notOffered())
    },
  )

  it("is tested for each of its operations", () => {
    expect(kept).toHaveLength(6 + 4 + 8)
  })
})

it("answers 501 to the estimate of a withdrawal fee without a source of network fees", async () => {
  await using pay = await quoteHarness({ ports: Layer.succeed(NetworkFees, { estimate: () => Effect.undefined }) })
  const estimate = await pay.send("POST", "/crypto/estimate-withdrawal-fee", {
    body: {
      internalAccountId: await pay.accountId("USDC"),
      currency: "USDC",
      cryptoNetwork: "BASE",
      amount: 5_000_000,
      destinationAddress: `0x${"a1".repeat(20)}`,
    },
  })
  expect(estimate).toMatchObject(because("NO_NETWORK_FEES"))
})

it("answers 501 to a quote that a payer funds without instructions for payers", async () => {
  const noInstructions = Layer.effect(
    FundingInstructions,
    Effect.map(FundingInstructions, (sandbox) => ({ ...sandbox, forPayment: () => Effect.succeed([]) })),
  )
  await using pay = await quoteHarness({ ports: noInstructions })
  const quote = await pay.quote({
    source: { sourceType: "REALTIME_FUNDING", customerId: pay.customerId, currency: "USD" },
    destination: { destinationType: "ACCOUNT", accountId: await pay.accountId("USD") },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 1000,
  })
  expect(quote).toMatchObject(because("NO_FUNDING_INSTRUCTIONS"))
})

describe("without checks of passkeys and tokens", () => {
  /** Serves the harness as a deployment that provides neither port. */
  const served = async (pay: Harness) => {
    const context = Context.omit(PasskeyChecks, OidcChecks)(await pay.run(Effect.context<Services>()))
    const services = Layer.provideMerge(Layer.merge(Credentials.layer, SignIns.layer), Layer.succeedContext(context))
    const web = makeWebHandler({
      application: Handlers.layer.pipe(Layer.provideMerge(guards), Layer.provideMerge(services)),
      memoMap: Layer.makeMemoMapUnsafe(),
    })
    const { clientId, clientSecret } = pay.credentials
    const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
    const post = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
      const { pathname } = new URL(pay.baseUrl)
      const response = await web.handler(
        new Request(`http://countersign.test${pathname}${path}`, {
          method: "POST",
          headers: { authorization, "content-type": "application/json", ...headers },
          body: JSON.stringify(body),
        }),
      )
      return { status: response.status, body: (await response.json()) as unknown }
    }
    return { post, [Symbol.asyncDispose]: web.dispose }
  }
  const notOfferedAs = (type: string) =>
    notOffered({ message: `This deployment offers no credentials of type ${type}.` })
  const challenge = "challenge"
  const attestation = { credentialId: "id", clientDataJson: challenge, attestationObject: "x", transports: ["usb"] }
  const assertion = { credentialId: "id", clientDataJson: "x", authenticatorData: "1", signature: "signed" }
  const oidcToken = tokenOf({ sub: "ada" })

  it.each([
    ["PASSKEY", { nickname: "Phone", challenge, attestation }],
    ["OAUTH", { oidcToken }],
  ])("answers 501 to the registration of a credential and to its sign-in: %s", async (type, more) => {
    await using pay = await harness({ ports: fakeChecks })
    const { accountId } = await newWallet(pay, {})
    const register = { type, accountId, ...more }
    await using deployment = await served(pay)
    expect(await deployment.post("/auth/credentials", register)).toMatchObject(notOfferedAs(type))
    const added = await pay.send("POST", "/auth/credentials", { body: register })
    expect(added).toMatchObject({ status: 201 })
    const id = textAt(added, "id")
    const clientPublicKey = (await newKey()).publicKey.uncompressed
    const asked = await deployment.post(`/auth/credentials/${id}/challenge`, { clientPublicKey })
    const request = type === "PASSKEY" ? { "request-id": textAt(asked, "requestId") } : {}
    const verify = type === "PASSKEY" ? { type, assertion } : { type, oidcToken, clientPublicKey }
    expect(await deployment.post(`/auth/credentials/${id}/verify`, verify, request)).toMatchObject(notOfferedAs(type))
  })
})
