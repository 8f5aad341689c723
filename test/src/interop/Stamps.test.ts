/**
 * Stamps of a published stamper in each of its runtimes are accepted with low and high S.
 * Source: wire contract 4.9 (signatures with high S must be accepted).
 */
import { P256, privateHex, Stamp } from "@countersign/core/crypto"
import { describe, expect, it } from "@effect/vitest"
import { p256 as curve } from "@noble/curves/nist.js"
import { Effect, Redacted } from "effect"
import { layers, node } from "../crypto/Layers.ts"
import { ApiKeyStamper } from "./Foreign.ts"

const payloadOf = (index: number) => `{"parameters":{"userId":"żółw ${index}"},"timestampMs":"${index}"}`

const isHighS = (der: string) => curve.Signature.fromHex(der, "der").hasHighS()

const stamps = (count: number, runtimeOverride: "node" | "browser" | "purejs") =>
  Effect.gen(function* () {
    const key = yield* (yield* P256).generate
    const stamper = new ApiKeyStamper({
      apiPublicKey: key.publicKey.compressed,
      apiPrivateKey: Redacted.value(privateHex(key)),
      runtimeOverride,
    })
    const made = yield* Effect.promise(() =>
      Promise.all(
        Array.from({ length: count }, async (_, index) => {
          const payload = payloadOf(index)
          const { stampHeaderValue } = await stamper.stamp(payload)
          return { payload, header: stampHeaderValue, key: key.publicKey }
        }),
      ),
    )
    return made
  })

describe.each(layers)("%s", (_, run) => {
  // Proves: SIGN-23
  it.effect("accepts 200 foreign signatures, including those with high S", () =>
    run(
      Effect.gen(function* () {
        const made = yield* stamps(200, "node")
        const highs = yield* Effect.forEach(made, ({ header }) =>
          Effect.map(Stamp.parse(header), ({ signature }) => isHighS(signature)),
        )
        // The chance that none of 200, or all, is high is 2^-199.
        expect(highs).toContain(true)
        expect(highs).toContain(false)
        const signers = yield* Effect.forEach(made, ({ header, payload }) => Stamp.check(header, payload))
        expect(signers).toEqual(made.map(({ key }) => key))
      }),
    ),
  )

  it.effect.each(["browser", "purejs"] as const)("accepts the stamps of the stamper as %s", (runtime) =>
    run(
      Effect.gen(function* () {
        for (const { header, key, payload } of yield* stamps(20, runtime)) {
          expect(yield* Stamp.check(header, payload)).toEqual(key)
          const error = yield* Effect.flip(Stamp.check(header, `${payload} `))
          expect(error.code).toBe("WALLET_SIGNATURE_INVALID")
        }
      }),
    ),
  )
})

it.effect("the foreign signatures include some with high S, which a strict library rejects", () =>
  node(
    Effect.gen(function* () {
      const made = yield* stamps(200, "node")
      const strict = yield* Effect.forEach(made, ({ header, key, payload }) =>
        Effect.map(Stamp.parse(header), ({ signature }) => {
          const point = Buffer.from(key.compressed, "hex")
          return curve.verify(Buffer.from(signature, "hex"), Buffer.from(payload), point, { format: "der" })
        }),
      )
      expect(strict).toContain(false)
    }),
  ),
)
