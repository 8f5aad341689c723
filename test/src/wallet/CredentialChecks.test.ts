/**
 * What the checks of passkeys and tokens answer, which session key a client gets, and what a signature header shows.
 * Spec: Wallet action signing; Sandbox authentication behavior (2, 3, 5); wire contract 4.1, 4.6, 4.12 and 8.2; D-145, D-270.
 */
import { tenant } from "@countersign/core"
import {
  OidcChecks,
  OidcRefused,
  OidcUnavailable,
  PasskeyChecks,
  PasskeyRefused,
  SignatureChecks,
} from "@countersign/core/ports"
import { Effect, Layer, Result } from "effect"
import { describe, expect, it } from "vitest"
import { registrationRefusal } from "../../../packages/core/src/model/wallet/RegistrationReason.ts"
import * as SignedRequest from "../../../packages/core/src/model/wallet/SignedRequest.ts"
import { CredentialChecks } from "../../../packages/core/src/service/wallet/CredentialChecks.ts"
import { DamagedWalletRoot, OtherWalletSecret } from "../../../packages/core/src/service/wallet/RootRecord.ts"
import { makeSessionKey } from "../../../packages/core/src/service/wallet/SessionKeys.ts"
import { SignedRequests } from "../../../packages/core/src/service/wallet/SignedRequests.ts"
import { accountIdsOf, activeAt } from "../../../packages/core/src/service/wallet/WalletReads.ts"
import { noRoots } from "../../../packages/core/src/service/wallet/WalletRoots.ts"
import { Store } from "../../../packages/core/src/store/Store.ts"
import { world } from "../../../packages/test/src/harness/World.ts"
import { accountId, credentialOf, email, owner, passkey, requestOf, sessionOf, signingOf } from "./StoredCredentials.ts"

const attestation = { credentialId: "c", clientDataJson: "d", attestationObject: "o" }
const assertion = { credentialId: "c", clientDataJson: "d", authenticatorData: "a", signature: "s" }
const identity = { issuer: "i", audience: "a", subject: "s" }

describe("a check", () => {
  const failed = Effect.fail(new PasskeyRefused({ reason: "Challenge mismatch" }))
  const passkeys = Layer.succeed(PasskeyChecks, { register: () => failed, assert: () => failed })
  const refuse = (error: OidcRefused | OidcUnavailable) =>
    Layer.succeed(OidcChecks, { check: () => Effect.fail(error) })
  const checked = (
    ports: Layer.Layer<never>,
    check: (checks: CredentialChecks["Service"]) => Effect.Effect<Result.Result<unknown, unknown>>,
  ) => Effect.runPromise(CredentialChecks.use(check).pipe(Effect.provide(Layer.provide(CredentialChecks.layer, ports))))
  const registered = (ports: Layer.Layer<never>) => checked(ports, (checks) => checks.registerPasskey(attestation, "x"))
  const asserted = (ports: Layer.Layer<never>) =>
    checked(ports, (checks) => checks.assertPasskey(assertion, "x", passkey.passkey))
  const token = (ports: Layer.Layer<never>) => checked(ports, (checks) => checks.checkToken("t", 1))
  const none = Layer.empty as Layer.Layer<never>

  it("of a passkey answers 400 at its registration and 401 at a sign-in, with the reason", async () => {
    const ports = passkeys as Layer.Layer<never>
    expect(await registered(ports)).toMatchObject({
      failure: { code: "INVALID_INPUT", details: { reason: "Challenge mismatch", errors: [{ field: "challenge" }] } },
    })
    expect(await asserted(ports)).toMatchObject({
      failure: { code: "UNAUTHORIZED", message: "Challenge mismatch", details: { reason: "Challenge mismatch" } },
    })
  })

  it("of a token tells a text that is no token from one that is refused, or cannot be checked now", async () => {
    const answer = (error: OidcRefused | OidcUnavailable) => token(refuse(error) as Layer.Layer<never>)
    expect(await answer(new OidcRefused({ reason: "Token expired", malformed: false }))).toMatchObject({
      failure: { code: "UNAUTHORIZED", message: "Token expired", details: { reason: "Token expired" } },
    })
    expect(await answer(new OidcRefused({ reason: "", malformed: true }))).toMatchObject({
      failure: { code: "INVALID_INPUT", message: "oidcToken: must be a JSON Web Token" },
    })
    expect(await answer(new OidcUnavailable())).toMatchObject({
      failure: { code: "SERVICE_UNAVAILABLE", message: "The token cannot be checked now. Try again." },
    })
  })

  it("is not offered without its port", async () => {
    const notOffered = (type: string) => ({
      failure: { code: "NOT_IMPLEMENTED", message: `This deployment offers no credentials of type ${type}.` },
    })
    expect([await registered(none), await asserted(none), await token(none)]).toMatchObject([
      notOffered("PASSKEY"),
      notOffered("PASSKEY"),
      notOffered("OAUTH"),
    ])
  })

  it("that succeeds returns what its port has found", async () => {
    const person = { ...identity, email: "ada@example.com" }
    const ports = Layer.merge(
      Layer.succeed(PasskeyChecks, {
        register: () => Effect.succeed(passkey.passkey),
        assert: () => Effect.succeed({ signatureCount: 2, userVerified: true }),
      }),
      Layer.succeed(OidcChecks, { check: () => Effect.succeed(person) }),
    ) as Layer.Layer<never>
    expect(await registered(ports)).toEqual(Result.succeed(passkey.passkey))
    expect(await asserted(ports)).toEqual(Result.succeed({ signatureCount: 2, userVerified: true }))
    expect(await token(ports)).toEqual(Result.succeed(person))
  })
})

describe("the key of a session", () => {
  const generator = "036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
  const uncompressed =
    "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"

  it("is the client's where the client can sign with it, and otherwise generated and sealed", async () => {
    await using pay = await world()
    const made = (key: string, type: Parameters<typeof makeSessionKey>[1]) => pay.run(makeSessionKey(key, type))
    const own = Result.succeed({ publicKey: generator })
    for (const type of ["EMAIL_OTP", "SMS_OTP"] as const) expect(await made(uncompressed, type)).toEqual(own)
    for (const type of ["PASSKEY", "OAUTH"] as const) {
      expect(await made(generator, type)).toEqual(own)
      const generated = await made(uncompressed, type)
      expect(generated).toMatchObject({ success: { sealed: expect.any(String) } })
      expect(generated).not.toMatchObject({ success: { publicKey: generator } })
    }
    expect(await made(`03${"0".repeat(63)}1`, "OAUTH")).toMatchObject({
      failure: { code: "INVALID_INPUT", details: { errors: [{ field: "clientPublicKey" }] } },
    })
  })
})

describe("the facts of a signature", () => {
  const signatures = (publicKey: string | undefined, isValid = true) =>
    Layer.succeed(SignatureChecks, {
      read: (text: string) =>
        Effect.succeed(
          text === "unreadable"
            ? undefined
            : {
                ...(publicKey === undefined ? {} : { publicKey }),
                verifies: (payload: string) => Effect.succeed(isValid && payload !== ""),
              },
        ),
    } satisfies SignatureChecks)
  const headers = { signature: "stamp" }

  it("admit a key only if it is the one in the bundle, and its signature verifies", async () => {
    const isSigned = async (
      publicKey: string | undefined,
      more: { readonly isValid?: boolean; readonly payload?: string } = {},
    ) => {
      await using pay = await world({ ports: signatures(publicKey, more.isValid) })
      const signer = SignedRequest.keyInBundle("02aa")
      const payload = more.payload ?? "text"
      const verified = SignedRequests.use((requests) =>
        requests.verifyPayload({ headers, allowedSigner: signer, payload }),
      )
      return (await pay.run(verified)).isSigned
    }
    expect([await isSigned("02aa"), await isSigned("02bb"), await isSigned(undefined)]).toEqual([true, false, true])
    expect(await isSigned("02aa", { isValid: false })).toBe(false)
  })

  it("say whether there is a header and whether it can be read", async () => {
    await using pay = await world({ ports: signatures("02aa") })
    const facts = (sent: SignedRequest.WalletHeaders) =>
      pay.run(
        SignedRequests.use((requests) =>
          requests.verifyPayload({ headers: sent, allowedSigner: SignedRequest.anySessionOf(), payload: "text" }),
        ),
      )
    expect(await facts({})).toMatchObject({ hasSignature: false, isReadable: false, isSigned: false, sessions: [] })
    expect(await facts({ signature: "unreadable" })).toMatchObject({
      hasSignature: true,
      isReadable: false,
      isSigned: false,
    })
    expect(await facts(headers)).toMatchObject({ hasSignature: true, isReadable: true, isSigned: true, sessions: [] })
  })

  it("have a mark of the body, and the request only by its id", async () => {
    await using pay = await world({ ports: signatures("02aa") })
    const asked: Array<string> = []
    const verified = (body: unknown, requestId?: string) =>
      pay.run(
        Effect.gen(function* () {
          const requests = yield* SignedRequests
          const store = yield* Store
          const { operation } = signingOf({
            headers: { ...headers, ...(requestId === undefined ? {} : { requestId }) },
            body,
          })
          return yield* requests.verify((query) => {
            asked.push(...(query.records ?? []).map(({ id }) => id))
            return store.read(query)
          }, operation)
        }),
        tenant(pay.platformId),
      )
    const [empty, absent, some] = [await verified({}), await verified(undefined), await verified({ a: 1 })]
    expect(empty.bodyMark).toBe(absent.bodyMark)
    expect(some.bodyMark).not.toBe(empty.bodyMark)
    expect(some.bodyMark).toMatch(/^[0-9a-f]{64}$/u)
    expect(asked).toEqual([])
    await verified({}, "Session:00000000-0000-4000-8000-00000000dead")
    expect(asked).toEqual([])
    const id = "Request:00000000-0000-4000-8000-00000000dead"
    expect(await verified({}, id)).toMatchObject({ request: undefined, signature: { isSigned: false } })
    expect(asked).toEqual([id])
  })
})

it("accounts of credentials are named once, and sessions are active after now", () => {
  const other = { ...email, accountId: "InternalAccount:2" }
  expect(accountIdsOf([credentialOf(), credentialOf(passkey), credentialOf(other)])).toEqual([
    accountId,
    "InternalAccount:2",
  ])
  expect(activeAt(5)).toEqual({ status: { eq: "ACTIVE" }, expiresAt: { from: 6 } })
  expect([sessionOf().platformId, requestOf().customerId]).toEqual([owner.platformId, owner.customerId])
})

it("a reason of the deployment's own check is about the attestation as a whole", () => {
  expect(registrationRefusal("Own reason")).toMatchObject({
    message: "attestation: Own reason",
    details: { reason: "Own reason" },
  })
  expect(registrationRefusal("Invalid attestation")).toMatchObject({ message: "attestation: Invalid attestation" })
})

it("a store whose roots do not open says which secret they need, or that they were changed", () => {
  expect(new OtherWalletSecret({ stored: "s", given: ["a", "b"] }).message).toBe(
    "the wallets of this store are derived from another wallet secret (s) than the given one (a, b)",
  )
  expect(new DamagedWalletRoot({ secretId: "s" }).message).toBe(
    "the wallet roots of this store, sealed to the secret s, were changed: restore their record from a backup",
  )
  expect(noRoots).toEqual({ code: "CONFLICT", message: "The store has no wallet root: no process has started on it." })
})
