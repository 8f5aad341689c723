/**
 * What the service makes of the answers of single ports: texts that no store keeps, refusals, wrong instructions, and repeated questions.
 * Source: D-359, D-396.
 */
import * as Ports from "@countersign/core/ports"
import { Context, Effect, Layer, Result } from "effect"
import { describe, expect, it } from "vitest"
import { AskedAnswers } from "../../../packages/core/src/operation/AskedAnswers.ts"
import * as OutsideAnswers from "../../../packages/core/src/operation/OutsideAnswers.ts"

const {
  DocumentChecks,
  FundingInstructions,
  OidcChecks,
  OidcRefused,
  OidcUnavailable,
  OwnershipChecks,
  PasskeyChecks,
  PasskeyRefused,
} = Ports

type Cleaned = Layer.Services<typeof OutsideAnswers.layer>

const unused = new Proxy({}, { get: () => () => Effect.die("not called") })
const unusedPorts = Layer.mergeAll(
  Layer.empty,
  ...Object.values(Ports).flatMap((port) =>
    Context.isKey(port) ? [Layer.succeed(port as Context.Key<never, object>, unused)] : [],
  ),
) as Layer.Layer<Cleaned>

/** Calls a port of the deployment through the layer under test. */
const answered = <A, E>(call: Effect.Effect<A, E, Cleaned>, own: Layer.Layer<never> | Layer.Layer<Cleaned>) =>
  Effect.result(call).pipe(
    Effect.provide(OutsideAnswers.layer.pipe(Layer.provide(Layer.merge(unusedPorts, own)))),
    Effect.runPromise,
  )

describe("the answers of a port", () => {
  it("are cleaned for a port that is an object of a class", async () => {
    class Liveness {
      readonly #link = "https://check.example/\u0000"
      verifySignature() {
        return Effect.succeed(false)
      }
      startLiveness() {
        return Effect.succeed({ verificationLink: this.#link, expiresAt: 1 })
      }
    }
    const call = OwnershipChecks.use((checks) => checks.startLiveness({ accountId: "", customerId: null }))
    const link = { verificationLink: "https://check.example/\uFFFD", expiresAt: 1 }
    expect(await answered(call, Layer.succeed(OwnershipChecks, new Liveness()))).toEqual(Result.succeed(link))
  })

  it("have clean reasons of refusal", async () => {
    const passkeys = Layer.succeed(PasskeyChecks, {
      register: () => Effect.fail(new PasskeyRefused({ reason: "bad\u0000" })),
      assert: () => Effect.die("not called"),
    })
    const attestation = { credentialId: "", clientDataJson: "", attestationObject: "" }
    const refused = await answered(
      PasskeyChecks.use((checks) => checks.register(attestation, "")),
      passkeys,
    )
    expect(refused).toEqual(Result.fail(new PasskeyRefused({ reason: "bad\uFFFD" })))
    const tokens = Layer.succeed(OidcChecks, {
      check: () => Effect.fail(new OidcRefused({ reason: "bad\ud800", malformed: false })),
    })
    const oidc = await answered(
      OidcChecks.use((checks) => checks.check("", 0)),
      tokens,
    )
    expect(oidc).toEqual(Result.fail(new OidcRefused({ reason: "bad\uFFFD", malformed: false })))
  })

  it("fail as the port failed, where the failure has no reason", async () => {
    const unavailable = Layer.succeed(OidcChecks, { check: () => Effect.fail(new OidcUnavailable()) })
    const call = OidcChecks.use((checks) => checks.check("", 0))
    expect(await answered(call, unavailable)).toEqual(Result.fail(new OidcUnavailable()))
  })

  it("are refused as a malformed token where its identity has a text that no store keeps", async () => {
    const identify = (subject: string) =>
      answered(
        OidcChecks.use((checks) => checks.check("", 0)),
        Layer.succeed(OidcChecks, {
          check: () => Effect.succeed({ issuer: "https://issuer.example", audience: "wallet", subject }),
        }),
      )
    expect(await identify("ada\u0000")).toEqual(
      Result.fail(new OidcRefused({ reason: "Malformed token", malformed: true })),
    )
    expect(Result.getOrThrow(await identify("ada"))).toMatchObject({ subject: "ada" })
  })

  it("leave out instructions that are no variant of an account type", async () => {
    const valid = { accountOrWalletInfo: { accountType: "INR_ACCOUNT", paymentRails: ["UPI"] } } as const
    const wrong = { accountOrWalletInfo: { accountType: "INR_ACCOUNT", paymentRails: "UPI" } } as never
    const instructions = () => Effect.succeed([wrong, valid])
    const port = Layer.succeed(FundingInstructions, {
      forPayment: instructions,
      forAccount: instructions,
      collectionAccount: () => Effect.die("not called"),
    })
    const payment = { reference: "Q-1", currency: "INR" } as const
    const account = {
      ...payment,
      accountId: "InternalAccount:1",
      type: "INTERNAL_FIAT",
      isPlatformAccount: true,
      hasCollectionAccount: false,
    } as const
    const both = FundingInstructions.use((all) => Effect.all([all.forPayment(payment), all.forAccount(account)]))
    expect(await answered(both, port)).toEqual(Result.succeed([[valid], [valid]]))
  })

  it("are asked once per operation for each question, where the port consumes what it checks", async () => {
    const asked: Array<string> = []
    const port = Layer.succeed(OwnershipChecks, {
      verifySignature: () => Effect.die("not called"),
      startLiveness: ({ accountId }: { readonly accountId: string }) =>
        Effect.sync(() => ({ verificationLink: `${accountId} ${asked.push(accountId)}`, expiresAt: 1 })),
    })
    const start = (accountId: string) =>
      OwnershipChecks.use((checks) => checks.startLiveness({ accountId, customerId: null }))
    const calls = Effect.all([start("a"), start("a"), start("b")])
    const links = await answered(Effect.provideService(calls, AskedAnswers, new Map()), port)
    expect(Result.getOrThrow(links).map((link) => link?.verificationLink)).toEqual(["a 1", "a 1", "b 2"])
    expect(Result.isSuccess(await answered(calls, port))).toBe(true)
    expect(asked).toEqual(["a", "b", "a", "a", "b"])
  })

  it("about what a submission lacks are cleaned, too", async () => {
    const port = Layer.succeed(DocumentChecks, {
      check: () => Effect.undefined,
      missing: () => [{ resourceId: "Customer:1", type: "MISSING_FIELD", field: "a\u0000", reason: "b\ud800" }],
    })
    const missing = await answered(
      DocumentChecks.use((checks) => Effect.sync(() => checks.missing({} as never))),
      port,
    )
    expect(JSON.stringify(missing)).toContain("a\uFFFD")
  })
})
