/** Interoperability of the two crypto layers: each opens and verifies the output of the other, and both reject the same input. */
import {
  ExportBundle,
  Hpke,
  type HpkeOptions,
  type KeyPair,
  OtpBundle,
  P256,
  Sealed,
  SessionBundle,
  Stamp,
} from "@countersign/core/crypto"
import { describe, expect, it } from "@effect/vitest"
import { p256 as curve } from "@noble/curves/nist.js"
import { Effect, Exit, Redacted } from "effect"
import * as fc from "fast-check"
import { layers, node, portable, type Run } from "./Layers.ts"
import { drawn, mutantBytes, mutantText } from "./Mutants.ts"
import { bytes, hex } from "./Vectors.ts"

const seeds = fc.uint8Array({ minLength: 32, maxLength: 64 })
const messages = fc.uint8Array({ maxLength: 300 })
const texts = fc.string({ unit: "grapheme", maxLength: 200 })

const mutatedBytes = (from: Uint8Array) => drawn((draw) => mutantBytes(draw, from))
const mutatedText = (from: string) => drawn((draw) => mutantText(draw, from))

const derive = (seed: Uint8Array) => P256.use((p256) => p256.derive(Redacted.make(seed)))

const promise = <A, E>(run: Run, effect: Effect.Effect<A, E, P256 | Hpke>): Promise<A> => Effect.runPromise(run(effect))

/** Asserts that an effect ends equally on both layers, as seen through `view`. Returns the exit. */
const same = async <A, E>(effect: Effect.Effect<A, E, P256 | Hpke>, view: (value: A) => unknown = (value) => value) => {
  const end = (run: Run) => promise(run, Effect.exit(effect)).then(Exit.map(view))
  const first = await end(portable)
  expect(await end(node)).toEqual(first)
  return first
}

const secret = (key: KeyPair) => [hex(Redacted.value(key.privateKey)), key.publicKey]

describe.each(layers)("%s and the other", (_, run, other) => {
  it("verifies signatures of the other layer", () =>
    fc.assert(
      fc.asyncProperty(seeds, messages, async (seed, message) => {
        const key = await promise(run, derive(seed))
        const signature = await promise(
          run,
          P256.use((p256) => p256.sign(key, message)),
        )
        const verified = (of: Uint8Array) =>
          promise(
            other,
            P256.use((p256) => p256.verify(key.publicKey, of, signature)),
          )
        expect(await verified(message)).toBe(true)
        expect(await verified(Uint8Array.of(...message, 0))).toBe(false)
      }),
      { numRuns: 40 },
    ))

  it("opens messages of the other layer in every mode", () =>
    fc.assert(
      fc.asyncProperty(
        fc.tuple(seeds, seeds),
        fc.record({ info: messages, hasPsk: fc.boolean(), isAuthenticated: fc.boolean() }),
        fc.array(fc.tuple(messages, messages), { minLength: 1, maxLength: 4 }),
        async ([ofRecipient, ofSender], { hasPsk, info, isAuthenticated }, parts) => {
          const recipient = await promise(run, derive(ofRecipient))
          const sender = await promise(run, derive(ofSender))
          const shared: HpkeOptions = hasPsk
            ? { info, psk: { id: ofSender, key: Redacted.make(ofRecipient) } }
            : { info }
          const sealed = await promise(
            run,
            Effect.gen(function* () {
              const hpke = yield* Hpke
              const context = yield* hpke.sender(recipient.publicKey, isAuthenticated ? { ...shared, sender } : shared)
              const ciphertexts = yield* Effect.forEach(parts, ([part, aad]) => context.seal(part, aad))
              return { ...context, ciphertexts, secret: hex(Redacted.value(yield* context.export(info, 40))) }
            }),
          )
          const opened = await promise(
            other,
            Effect.gen(function* () {
              const hpke = yield* Hpke
              const options = isAuthenticated ? { ...shared, sender: sender.publicKey } : shared
              const context = yield* hpke.recipient(recipient, sealed.encapsulated, options)
              const plaintexts = yield* Effect.forEach(parts, ([, aad], at) =>
                context.open(sealed.ciphertexts[at] ?? new Uint8Array(), aad),
              )
              return { plaintexts, secret: hex(Redacted.value(yield* context.export(info, 40))) }
            }),
          )
          expect(opened.plaintexts.map(hex)).toEqual(parts.map(([part]) => hex(part)))
          expect(opened.secret).toBe(sealed.secret)
        },
      ),
      { numRuns: 40 },
    ))

  it("opens bundles of the other layer", () =>
    fc.assert(
      fc.asyncProperty(seeds, seeds, texts, async (ofClient, ofService, text) => {
        const client = await promise(run, derive(ofClient))
        const service = await promise(run, derive(ofService))
        const organizationId = text
        const session = await promise(run, SessionBundle.seal(client.publicKey, service))
        expect(secret(await promise(other, SessionBundle.open(client, session)))).toEqual(secret(service))
        const target = await promise(run, OtpBundle.makeTarget(service, client.publicKey, organizationId))
        const expected = { signer: service.publicKey, organizationId }
        expect(await promise(other, OtpBundle.verifyTarget(target, expected))).toEqual(client.publicKey)
        const answer = { otpCode: Redacted.make(text), publicKey: service.publicKey }
        const otp = await promise(run, OtpBundle.seal(client.publicKey, answer))
        const opened = await promise(other, OtpBundle.open(client, otp))
        expect([Redacted.value(opened.otpCode), opened.publicKey]).toEqual([text, service.publicKey])
        const exported = { mnemonic: Redacted.make(text), organizationId }
        const wallet = await promise(run, ExportBundle.seal(service, client.publicKey, exported))
        expect(Redacted.value(await promise(other, ExportBundle.open(client, wallet, expected)))).toBe(text)
        const header = await promise(run, Stamp.make(client, text))
        expect(await promise(other, Stamp.check(header, text))).toEqual(client.publicKey)
      }),
      { numRuns: 15 },
    ))
})

describe("both layers", () => {
  it("derive the same keys and accept the same scalars", () =>
    fc.assert(
      fc.asyncProperty(seeds, async (seed) => {
        expect(Exit.isSuccess(await same(derive(seed), secret))).toBe(true)
        await same(
          P256.use((p256) => p256.keyPair(Redacted.make(seed))),
          secret,
        )
      }),
      { numRuns: 30 },
    ))

  it.each<[number, boolean]>([
    [1, true],
    [32, true],
    [255, true],
    [256, false],
    [8161, false],
  ])("export %i bytes equally: %s", async (length, isExported) => {
    const recipient = Effect.runSync(node(derive(new Uint8Array(32))))
    const exported = Effect.gen(function* () {
      const hpke = yield* Hpke
      const options = { info: new Uint8Array(), ephemeralForTests: recipient }
      const context = yield* hpke.sender(recipient.publicKey, options)
      return hex(Redacted.value(yield* context.export(new Uint8Array(), length)))
    })
    expect(Exit.isSuccess(await same(exported))).toBe(isExported)
  })

  const order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
  it.each<[string, string, boolean]>([
    ["zero", "0".repeat(64), false],
    ["one", "1".padStart(64, "0"), true],
    ["the order less one", order.replace(/1$/u, "0"), true],
    ["the order", order, false],
    ["the order and one", order.replace(/1$/u, "2"), false],
    ["the most", "f".repeat(64), false],
    ["63 digits", "1".repeat(63), false],
    ["66 digits", `00${"1".repeat(64)}`, false],
    ["no digits", "", false],
    ["a letter too many", `${"1".repeat(63)}g`, false],
    ["capitals", "ABCDEF".padStart(64, "0"), true],
  ])("accept or refuse a private key equally: %s", async (_, text, isKey) => {
    const asText = await same(
      P256.use((p256) => p256.keyPair(Redacted.make(text))),
      secret,
    )
    expect(Exit.isSuccess(asText)).toBe(isKey)
    if (/^(?:[0-9a-f]{2})+$/iu.test(text)) {
      const asBytes = await same(
        P256.use((p256) => p256.keyPair(Redacted.make(bytes(text)))),
        secret,
      )
      expect(Exit.isSuccess(asBytes)).toBe(isKey)
    }
  })

  const signed = fc.tuple(seeds, messages).map(([seed, message]) => {
    const key = Effect.runSync(node(derive(seed)))
    // The portable layer's signatures are deterministic, so that a failure can be repeated.
    return { key, message, signature: Effect.runSync(portable(P256.use((p256) => p256.sign(key, message)))) }
  })

  it("accept signatures with low and high S", () =>
    fc.assert(
      fc.asyncProperty(signed, async ({ key, message, signature }) => {
        const { r, s } = curve.Signature.fromHex(signature, "der")
        const twin = new curve.Signature(r, curve.Point.Fn.ORDER - s).toHex("der")
        expect(await same(P256.use((p256) => p256.verify(key.publicKey, message, twin)))).toEqual(Exit.succeed(true))
      }),
      { numRuns: 20 },
    ))

  it("reject mutated signatures", () =>
    fc.assert(
      fc.asyncProperty(
        signed.chain((one) => mutatedBytes(bytes(one.signature)).map((mutated) => ({ ...one, mutated: hex(mutated) }))),
        async ({ key, message, mutated }) => {
          const verify = P256.use((p256) => p256.verify(key.publicKey, message, mutated))
          expect(await same(verify)).toEqual(Exit.succeed(false))
        },
      ),
      { numRuns: 200 },
    ))

  it("accept or reject mutated public keys equally", () =>
    fc.assert(
      fc.asyncProperty(
        seeds.chain((seed) => {
          const { publicKey } = Effect.runSync(node(derive(seed)))
          return fc.constantFrom(publicKey.compressed, publicKey.uncompressed).chain(mutatedText)
        }),
        async (text) => {
          await same(P256.use((p256) => p256.publicKey(text)))
        },
      ),
      { numRuns: 300 },
    ))

  it("reject mutated messages equally", () =>
    fc.assert(
      fc.asyncProperty(
        seeds.chain((seed) => {
          const client = Effect.runSync(node(derive(seed)))
          const sealed = Effect.runSync(node(Sealed.seal(client.publicKey, seed)))
          const mutated = fc.oneof(
            mutatedBytes(sealed.ciphertext).map((ciphertext) => ({ ...sealed, ciphertext })),
            mutatedBytes(sealed.encapsulated).map((encapsulated) => ({ ...sealed, encapsulated })),
          )
          return fc.tuple(fc.constant(client), mutated)
        }),
        async ([client, mutated]) => {
          expect(Exit.isFailure(await same(Sealed.open(client, mutated)))).toBe(true)
        },
      ),
      { numRuns: 150 },
    ))
})
