/** Both layers against Wycheproof: ECDSA, ECDH, AES-GCM and HKDF, through the functions that the services use. */
import { Hpke, P256 } from "@countersign/core/crypto"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
import { layers } from "./Layers.ts"
import { bytes, hex, type WycheproofCase, wycheproof } from "./Vectors.ts"

const describeCase = ({ comment, result, tcId }: WycheproofCase) => `${tcId} ${comment}: ${result}`

/** Returns the cases in which a layer disagrees with the set. */
const disagreeing = <R>(
  cases: ReadonlyArray<WycheproofCase>,
  accepts: (one: WycheproofCase) => Effect.Effect<boolean, never, R>,
) =>
  Effect.map(
    Effect.filter(cases, (one) => Effect.map(accepts(one), (isAccepted) => isAccepted !== (one.result !== "invalid"))),
    (wrong) => wrong.map(describeCase),
  )

const casesOf = (name: string, only: { readonly [member: string]: number } = {}) =>
  wycheproof(name)
    .testGroups.filter((group) => Object.entries(only).every(([member, value]) => group[member] === value))
    .flatMap(({ tests }) => tests)

/** Pads a scalar of the set to 64 digits. */
const scalar = (value: unknown) => Redacted.make(String(value).padStart(64, "0").slice(-64))

describe.each(layers)("%s", (_, run) => {
  const set = wycheproof("ecdsa_secp256r1_sha256")

  it.effect("agrees with every signature case", () =>
    run(
      Effect.gen(function* () {
        const p256 = yield* P256
        let count = 0
        for (const { publicKey, tests } of set.testGroups) {
          const key = yield* p256.publicKey((publicKey as { readonly uncompressed: string }).uncompressed)
          const wrong = yield* disagreeing(tests, ({ msg, sig }) => p256.verify(key, bytes(msg), String(sig)))
          expect(wrong).toEqual([])
          count += tests.length
        }
        expect(count).toBe(484)
      }),
    ),
  )

  it.effect("agrees with every key agreement case", () =>
    run(
      Effect.gen(function* () {
        const p256 = yield* P256
        const { primitives } = yield* Hpke
        const cases = casesOf("ecdh_secp256r1_ecpoint")
        expect(cases).toHaveLength(355)
        const wrong = yield* disagreeing(cases, (one) =>
          Effect.gen(function* () {
            const key = yield* p256.keyPair(scalar(one["private"]))
            const peer = yield* p256.publicKey(String(one["public"]))
            const shared = yield* primitives.sharedSecret(key, peer)
            return hex(Redacted.value(shared)) === one["shared"]
          }).pipe(
            Effect.catchTag("InvalidPublicKey", () => Effect.succeed(false)),
            Effect.orDie,
          ),
        )
        expect(wrong).toEqual([])
      }),
    ),
  )

  it.effect("agrees with every AES-256-GCM case of this suite", () =>
    run(
      Effect.gen(function* () {
        const { primitives } = yield* Hpke
        const cases = casesOf("aes_gcm", { keySize: 256, ivSize: 96, tagSize: 128 })
        expect(cases.length).toBeGreaterThan(60)
        const wrong = yield* disagreeing(cases, ({ aad, ct, iv, key, msg, tag }) =>
          Effect.gen(function* () {
            const sealed = bytes(`${String(ct)}${String(tag)}`)
            const opened = yield* primitives.aeadOpen(bytes(key), bytes(iv), sealed, bytes(aad))
            const again = yield* primitives.aeadSeal(bytes(key), bytes(iv), bytes(msg), bytes(aad))
            return hex(opened) === msg && hex(again) === hex(sealed)
          }).pipe(Effect.catchTag("NotOpened", () => Effect.succeed(false))),
        )
        expect(wrong).toEqual([])
      }),
    ),
  )

  it.effect("agrees with every HKDF case", () =>
    run(
      Effect.gen(function* () {
        const { primitives } = yield* Hpke
        const cases = casesOf("hkdf_sha256")
        expect(cases).toHaveLength(86)
        const wrong = yield* disagreeing(cases, ({ ikm, info, okm, salt, size }) =>
          Effect.map(
            Effect.exit(primitives.hkdf(bytes(ikm), bytes(salt), bytes(info), Number(size))),
            (exit) => Exit.isSuccess(exit) && hex(exit.value) === okm,
          ),
        )
        expect(wrong).toEqual([])
      }),
    ),
  )
})
