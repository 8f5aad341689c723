/** The roots of a store's wallet keys, and the secret that opens them. Source: D-345, D-346. */
import { hasWalletRoots, openWalletRoots, rotateWalletSecret, walletVault } from "@countersign/core"
import { PortableCrypto } from "@countersign/core/crypto"
import { type KeyPurpose, KeyVault } from "@countersign/core/ports"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { openRoots, sealRoots, secretIdOf } from "../../../packages/core/src/service/wallet/SealedRoots.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"

const secretOf = (letter: string) => Redacted.make(`${letter}`.repeat(40))
const [a, b, c] = [secretOf("a"), secretOf("b"), secretOf("c")]

/** The key of a purpose, derived by a process that starts with these secrets. */
const keyOf = async (
  pay: Harness,
  secrets: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>],
  purpose: KeyPurpose = "wallet",
) => {
  const derived = KeyVault.use(({ derive }) => derive(purpose, "an account"))
  return Hex.encode(Redacted.value(await pay.run(Effect.provide(derived, walletVault(secrets)))))
}

describe("the wallet secret of a store", () => {
  it("is that of the first start, and any other is refused by its name", async () => {
    await using pay = await harness()
    await pay.run(openWalletRoots([a]))
    await pay.run(openWalletRoots([a]))
    const error = await pay.run(Effect.flip(openWalletRoots([b, c])))
    expect(error).toMatchObject({
      _tag: "OtherWalletSecret",
      stored: secretIdOf(a),
      given: [secretIdOf(b), secretIdOf(c)],
    })
    await pay.run(openWalletRoots([a]))
  })

  it("exists from the first start on", async () => {
    await using pay = await harness()
    expect(await pay.run(hasWalletRoots)).toBe(false)
    await pay.run(openWalletRoots([a]))
    expect(await pay.run(hasWalletRoots)).toBe(true)
  })

  it("is one of two that start at once", async () => {
    await using pay = await harness({ interleave: 7 })
    const outcomes = await pay.run(
      Effect.forEach([a, b], (secret) => Effect.result(openWalletRoots([secret])), { concurrency: "unbounded" }),
    )
    expect(outcomes.map(({ _tag }) => _tag).toSorted()).toEqual(["Failure", "Success"])
  })

  it("has a name that does not contain it and differs between secrets", () => {
    expect(secretIdOf(a)).toMatch(/^[0-9a-f]{16}$/u)
    expect(secretIdOf(a)).not.toBe(secretIdOf(b))
  })

  it("opens other keys in another store, although the secret is the same", async () => {
    await using one = await harness({ seed: 1 })
    await using other = await harness({ seed: 2 })
    expect(await keyOf(one, [a])).not.toBe(await keyOf(other, [a]))
  })
})

describe("a rotation of the wallet secret", () => {
  it("keeps every key, and the secret before it opens nothing any more", async () => {
    await using pay = await harness()
    const purposes = ["quorum", "wallet", "otp-code", "card-password"] as const
    const keys = (secrets: Parameters<typeof keyOf>[1]) =>
      Promise.all(purposes.map((purpose) => keyOf(pay, secrets, purpose)))
    const before = await keys([a])
    expect(await keys([b, a])).toEqual(before)
    expect(await pay.run(rotateWalletSecret([b, a], "Grace"))).toEqual({ before: secretIdOf(a), after: secretIdOf(b) })
    expect(await keys([b])).toEqual(before)
    expect(await keys([b, a])).toEqual(before)
    expect(await pay.run(Effect.flip(openWalletRoots([a])))).toMatchObject({ _tag: "OtherWalletSecret" })
  })

  it("changes nothing when it is repeated, and goes on to the next secret", async () => {
    await using pay = await harness()
    const before = await keyOf(pay, [a])
    await pay.run(rotateWalletSecret([b, a], "Grace"))
    expect(await pay.run(rotateWalletSecret([b, a], "Grace"))).toEqual({ before: secretIdOf(b), after: secretIdOf(b) })
    await pay.run(rotateWalletSecret([c, b], "Grace"))
    expect(await keyOf(pay, [c])).toBe(before)
  })

  it("is refused without the store's secret, and on a store on which no process has started", async () => {
    await using pay = await harness()
    expect(await pay.run(Effect.flip(rotateWalletSecret([b, a], "Grace")))).toMatchObject({ code: "CONFLICT" })
    await pay.run(openWalletRoots([a]))
    expect(await pay.run(Effect.flip(rotateWalletSecret([c, b], "Grace")))).toMatchObject({ _tag: "OtherWalletSecret" })
    await pay.run(openWalletRoots([a]))
  })
})

const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size })
const secrets = fc.string({ minLength: 32, maxLength: 64 }).map((text) => Redacted.make(text))
const crypto = Layer.provideMerge(PortableCrypto.layer, SecureRandom.layerWebCrypto)
const run = <A, E>(effect: Effect.Effect<A, E, Effect.Services<ReturnType<typeof sealRoots>>>) =>
  Effect.runPromise(Effect.provide(effect, crypto))

describe("sealed roots", () => {
  it("open with their secret, and with no other", async () => {
    await fc.assert(
      fc.asyncProperty(secrets, secrets, bytes(32), bytes(32), async (own, other, first, second) => {
        fc.pre(Redacted.value(own) !== Redacted.value(other))
        const sealed = await run(sealRoots(own, [Redacted.make(first), Redacted.make(second)]))
        expect((await run(openRoots(own, sealed)))?.map(Redacted.value)).toEqual([first, second])
        expect(await run(openRoots(other, sealed))).toBeUndefined()
      }),
      { numRuns: 10 },
    )
  })

  it("open all or none", async () => {
    const sealed = await run(
      sealRoots(a, [Redacted.make(new Uint8Array(32).fill(1)), Redacted.make(new Uint8Array(32).fill(2))]),
    )
    const [first, second = first] = sealed.roots
    for (const roots of [
      [first, { ...second, ciphertext: first.ciphertext }],
      [{ ...first, ciphertext: second.ciphertext }, second],
    ] as const) {
      expect(await run(openRoots(a, { ...sealed, roots }))).toBeUndefined()
    }
  })

  it("do not open after any change of a digit, of a name or of their order", async () => {
    const sealed = await run(
      sealRoots(a, [Redacted.make(new Uint8Array(32).fill(1)), Redacted.make(new Uint8Array(32).fill(2))]),
    )
    const [first, second = first] = sealed.roots
    const opens = async (changed: Partial<typeof first>) =>
      (await run(openRoots(a, { ...sealed, roots: [{ ...first, ...changed }] }))) !== undefined
    expect(await opens({})).toBe(true)
    expect(await opens({ rootId: second.rootId })).toBe(false)
    expect(await opens({ encappedPublic: second.encappedPublic })).toBe(false)
    expect(await opens({ ciphertext: second.ciphertext })).toBe(false)
    expect(await opens({ ciphertext: "not hex" })).toBe(false)
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: first.ciphertext.length - 1 }),
        fc.integer({ min: 1, max: 15 }),
        async (at, add) => {
          const digit = ((Number.parseInt(first.ciphertext[at] ?? "0", 16) + add) % 16).toString(16)
          expect(
            await opens({ ciphertext: first.ciphertext.slice(0, at) + digit + first.ciphertext.slice(at + 1) }),
          ).toBe(false)
        },
      ),
      { numRuns: 20 },
    )
  })
})
