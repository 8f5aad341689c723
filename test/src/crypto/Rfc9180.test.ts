/** Both layers against the vectors of RFC 9180 for their suite: four modes, 257 messages each, and exported secrets. */
import { Hpke, type HpkeOptions, type KeyPair, P256, type PublicKey } from "@countersign/core/crypto"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { layers } from "./Layers.ts"
import { bytes, type HpkeVector, hex, rfc9180 } from "./Vectors.ts"

const vectors = rfc9180()

const optionsOf = ({ info, psk, psk_id }: HpkeVector): HpkeOptions => ({
  info: bytes(info),
  ...(psk === undefined ? {} : { psk: { id: bytes(psk_id), key: Redacted.make(bytes(psk)) } }),
})

const keyPair = Effect.fnUntraced(function* (scalar: string) {
  const p256 = yield* P256
  return yield* p256.keyPair(Redacted.make(scalar))
})

const senderOf = Effect.fnUntraced(function* ({ skSm }: HpkeVector) {
  return skSm === undefined ? undefined : yield* keyPair(skSm)
})

const sent = (pair: KeyPair | undefined): { readonly sender?: KeyPair } => (pair === undefined ? {} : { sender: pair })
const from = (pair: KeyPair | undefined): { readonly sender?: PublicKey } =>
  pair === undefined ? {} : { sender: pair.publicKey }

it("reads vectors of four modes with 257 messages each", () => {
  expect(vectors.map(({ encryptions, mode }) => [mode, encryptions.length])).toEqual(
    [0, 1, 2, 3].map((mode) => [mode, 257]),
  )
})

// Proves: SIGN-18
describe.each(layers)("%s", (_, run) => {
  it.effect.each(vectors.map((vector) => [vector.mode, vector] as const))(
    "seals like the vectors of mode %i",
    ([, vector]) =>
      run(
        Effect.gen(function* () {
          const p256 = yield* P256
          const hpke = yield* Hpke
          const context = yield* hpke.sender(yield* p256.publicKey(vector.pkRm), {
            ...optionsOf(vector),
            ...sent(yield* senderOf(vector)),
            ephemeralForTests: yield* keyPair(vector.skEm),
          })
          expect(hex(context.encapsulated)).toBe(vector.enc)
          const sealed = yield* Effect.forEach(vector.encryptions, ({ aad, pt }) => context.seal(bytes(pt), bytes(aad)))
          expect(sealed.map(hex)).toEqual(vector.encryptions.map(({ ct }) => ct))
          const exported = yield* Effect.forEach(vector.exports, ({ L, exporter_context }) =>
            context.export(bytes(exporter_context), L),
          )
          expect(exported.map((value) => hex(Redacted.value(value)))).toEqual(
            vector.exports.map(({ exported_value }) => exported_value),
          )
        }),
      ),
  )

  it.effect.each(vectors.map((vector) => [vector.mode, vector] as const))(
    "opens the vectors of mode %i",
    ([, vector]) =>
      run(
        Effect.gen(function* () {
          const hpke = yield* Hpke
          const context = yield* hpke.recipient(yield* keyPair(vector.skRm), bytes(vector.enc), {
            ...optionsOf(vector),
            ...from(yield* senderOf(vector)),
          })
          const opened = yield* Effect.forEach(vector.encryptions, ({ aad, ct }) => context.open(bytes(ct), bytes(aad)))
          expect(opened.map(hex)).toEqual(vector.encryptions.map(({ pt }) => pt))
          const exported = yield* Effect.forEach(vector.exports, ({ L, exporter_context }) =>
            context.export(bytes(exporter_context), L),
          )
          expect(exported.map((value) => hex(Redacted.value(value)))).toEqual(
            vector.exports.map(({ exported_value }) => exported_value),
          )
        }),
      ),
  )

  it.effect("derives every key pair from its seed", () =>
    run(
      Effect.gen(function* () {
        const p256 = yield* P256
        const pairs = vectors.flatMap(({ ikmE, ikmR, ikmS, pkEm, pkRm, pkSm, skEm, skRm, skSm }) => [
          [ikmE, skEm, pkEm],
          [ikmR, skRm, pkRm],
          ...(ikmS === undefined ? [] : [[ikmS, skSm, pkSm]]),
        ])
        for (const [seed, secret, point] of pairs) {
          const pair = yield* p256.derive(Redacted.make(bytes(seed)))
          expect(hex(Redacted.value(pair.privateKey))).toBe(secret)
          expect(pair.publicKey.uncompressed).toBe(point)
        }
        expect(pairs).toHaveLength(10)
      }),
    ),
  )

  it.effect("advances the sequence only after an opened message", () =>
    run(
      Effect.gen(function* () {
        const hpke = yield* Hpke
        const [vector] = vectors
        const [first, second] = vector?.encryptions ?? []
        if (vector === undefined || first === undefined || second === undefined)
          throw new Error("The vectors are empty.")
        const context = yield* hpke.recipient(yield* keyPair(vector.skRm), bytes(vector.enc), optionsOf(vector))
        const error = yield* Effect.flip(context.open(bytes(second.ct), bytes(second.aad)))
        expect(error._tag).toBe("NotOpened")
        expect(hex(yield* context.open(bytes(first.ct), bytes(first.aad)))).toBe(first.pt)
      }),
    ),
  )

  it.effect.each<[string, number, string]>([
    ["a key that is too short", 31, "id"],
    ["no identifier", 32, ""],
  ])("refuses a pre-shared key with %s", ([, length, id]) =>
    run(
      Effect.gen(function* () {
        const hpke = yield* Hpke
        const { publicKey } = yield* (yield* P256).generate
        const psk = { id: Buffer.from(id), key: Redacted.make(new Uint8Array(length)) }
        const exit = yield* Effect.exit(hpke.sender(publicKey, { info: new Uint8Array(), psk }))
        expect(String(exit)).toContain("A pre-shared key has")
      }),
    ),
  )
})
