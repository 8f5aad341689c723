/**
 * Measures the crypto layers on one thread: the check of a signed request beside `openssl speed`, sealing and opening beside @hpke/core with
 * imported keys.
 */
import { spawnSync } from "node:child_process"
import { createPublicKey, verify } from "node:crypto"
import { NodeCrypto } from "@countersign/adapter-http"
import { type Hpke, P256, PortableCrypto, Sealed, Stamp } from "@countersign/core/crypto"
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from "@hpke/core"
import { p256 as curve } from "@noble/curves/nist.js"
import { type Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { type Case, compare, type Measured, type Ratio, type Settings } from "./Rounds.ts"

const sessions = 64
const requests = 256

const opensslName = "openssl speed, verify"
const checkName = "signed request, Node's crypto"

type Services = Context.Context<P256 | Hpke>

/** Calls between two readings of the clock. */
const batch = 64

/** User processor time in microseconds: the unit of `openssl speed`, and the least affected by other processes. */
type UsedMicros = () => number

/** Work of one thread is counted in that thread; Web Cryptography uses several. */
const ofThread: UsedMicros = () => process.threadCpuUsage().user
const ofProcess: UsedMicros = () => process.cpuUsage().user

const timed = async (seconds: number, used: UsedMicros, call: (first: number) => unknown): Promise<Measured> => {
  const end = performance.now() + seconds * 1000
  const before = used()
  let count = 0
  do {
    await call(count)
    count += batch
  } while (performance.now() < end)
  return { perSecond: (count * 1_000_000) / (used() - before), count }
}

/** Runs synchronous calls in sequence. */
const called =
  (seconds: number, call: (index: number) => unknown): Case["run"] =>
  () =>
    timed(seconds, ofThread, (first) => {
      for (let index = first; index < first + batch; index++) call(index)
    })

/** Runs promises in sequence. */
const promised =
  (seconds: number, call: (index: number) => Promise<unknown>): Case["run"] =>
  () =>
    timed(seconds, ofProcess, async (first) => {
      for (let index = first; index < first + batch; index++) await call(index)
    })

/** Runs effects in sequence in one fiber, as in a request. */
const effects =
  <E>(
    seconds: number,
    used: UsedMicros,
    services: Services,
    call: (index: number) => Effect.Effect<unknown, E, P256 | Hpke>,
  ): Case["run"] =>
  () =>
    timed(seconds, used, (first) =>
      Effect.runPromiseWith(services)(
        Effect.gen(function* () {
          for (let index = first; index < first + batch; index++) yield* call(index)
        }),
      ),
    )

/** Signatures and verifications per second by `openssl speed`; `undefined` without that command. */
const opensslSpeed = (seconds: number): { readonly sign: number; readonly verify: number } | undefined => {
  const whole = String(Math.max(1, Math.round(seconds)))
  const { stdout } = spawnSync("openssl", ["speed", "-seconds", whole, "ecdsap256"], { encoding: "utf8" })
  const [, sign, verify] = /nistp256\)\s+[\d.]+s\s+[\d.]+s\s+([\d.]+)\s+([\d.]+)/u.exec(stdout ?? "") ?? []
  return sign === undefined || verify === undefined ? undefined : { sign: Number(sign), verify: Number(verify) }
}

const built = (layer: Layer.Layer<P256 | Hpke>): Promise<Services> =>
  Effect.runPromise(Effect.scoped(Layer.build(layer)))

const signedRequests = (services: Services) =>
  Effect.runSync(
    Effect.gen(function* () {
      const { generate } = yield* P256
      const keys = yield* Effect.replicateEffect(generate, sessions)
      return yield* Effect.forEach(Array.from({ length: requests }), (_, index) => {
        const key = keys[index % sessions]
        if (key === undefined) throw new Error("no key")
        const payload = JSON.stringify({
          organizationId: "019542f5-b3e7-1d02-0000-000000000001",
          parameters: { targetPublicKey: key.publicKey.uncompressed },
          timestampMs: String(1_746_736_509_954 + index),
          type: "ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2",
        })
        return Effect.map(Stamp.make(key, payload), (header) => ({ header, payload, key }))
      })
    }).pipe(Effect.provide(services)),
  )

const at = <A>(all: ReadonlyArray<A>, index: number): A => {
  const found = all[index % all.length]
  if (found === undefined) throw new Error("nothing to measure")
  return found
}

const checks = async (fast: Services, portable: Services, { seconds }: Settings): Promise<ReadonlyArray<Case>> => {
  const all = signedRequests(fast)
  const keyObjects = new Map(
    all.map(({ key }) => {
      const spki = Buffer.from(
        `3059301306072a8648ce3d020106082a8648ce3d030107034200${key.publicKey.uncompressed}`,
        "hex",
      )
      return [key, createPublicKey({ key: spki, format: "der", type: "spki" })] as const
    }),
  )
  const prepared = all.map(({ header, key, payload }) => {
    const keyObject = keyObjects.get(key)
    if (keyObject === undefined) throw new Error("no key object")
    const signature = Buffer.from(Effect.runSync(Stamp.parse(header)).signature, "hex")
    return { keyObject, payload: Buffer.from(payload), signature, point: Buffer.from(key.publicKey.compressed, "hex") }
  })
  const unkept = await built(NodeCrypto.layer({ publicKeysMax: 1 }))
  const ready = "node:crypto verify, everything ready"
  const hasOpenssl = opensslSpeed(1) !== undefined
  const bases = [...(hasOpenssl ? [opensslName] : []), ready]
  const check = (services: Services): Case["run"] =>
    effects(seconds, ofThread, services, (index) => {
      const { header, payload } = at(all, index)
      return Stamp.check(header, payload)
    })
  const openssl: Case = {
    name: opensslName,
    run: async () => ({ perSecond: opensslSpeed(seconds)?.verify ?? Number.NaN, count: 1 }),
  }
  const nodeVerify = (index: number) => {
    const { keyObject, payload, signature } = at(prepared, index)
    if (!verify("sha256", payload, keyObject, signature)) throw new Error("not verified")
  }
  const nobleVerify = (index: number) => {
    const { payload, point, signature } = at(prepared, index)
    if (!curve.verify(signature, payload, point, { format: "der", lowS: false })) throw new Error("not verified")
  }
  const parse = (index: number) => Effect.runSync(Stamp.parse(at(all, index).header))
  return [
    ...(hasOpenssl ? [openssl] : []),
    { name: ready, bases: bases.slice(0, -1), run: called(seconds, nodeVerify) },
    { name: checkName, bases, run: check(fast) },
    { name: "signed request, Node's crypto, key read each time", bases, run: check(unkept) },
    { name: "signed request, portable", bases, run: check(portable) },
    { name: "noble verify, everything ready", bases, run: called(seconds, nobleVerify) },
    { name: "header only", run: called(seconds, parse) },
  ]
}

const seals = async (fast: Services, portable: Services, { seconds }: Settings): Promise<ReadonlyArray<Case>> => {
  const recipient = Effect.runSync(
    Effect.provide(
      P256.use(({ generate }) => generate),
      fast,
    ),
  )
  const plaintext = new Uint8Array(121).fill(7)
  const suite = new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() })
  const point = Buffer.from(recipient.publicKey.uncompressed, "hex")
  const recipientPublicKey = await suite.kem.deserializePublicKey(point)
  const privateKey = await suite.kem.deserializePrivateKey(Redacted.value(recipient.privateKey))
  const recipientKey = { privateKey, publicKey: recipientPublicKey }
  const { info } = Sealed
  const { ciphertext, encapsulated } = Effect.runSync(Effect.provide(Sealed.seal(recipient.publicKey, plaintext), fast))
  const aad = Buffer.concat([encapsulated, point])
  const seal = () => Sealed.seal(recipient.publicKey, plaintext)
  const open = () => Sealed.open(recipient, { ciphertext, encapsulated })
  const [sealBase, openBase] = ["@hpke/core, seal", "@hpke/core, open"]
  const theirSeal = async () => {
    const context = await suite.createSenderContext({ recipientPublicKey, info })
    return context.seal(plaintext, Buffer.concat([new Uint8Array(context.enc), point]))
  }
  const theirOpen = () => suite.open({ recipientKey, enc: encapsulated, info }, ciphertext, aad)
  return [
    { name: sealBase, run: promised(seconds, theirSeal) },
    { name: "seal, Node's crypto", bases: [sealBase], run: effects(seconds, ofProcess, fast, seal) },
    { name: "seal, portable", bases: [sealBase], run: effects(seconds, ofProcess, portable, seal) },
    { name: openBase, run: promised(seconds, theirOpen) },
    { name: "open, Node's crypto", bases: [openBase], run: effects(seconds, ofProcess, fast, open) },
    { name: "open, portable", bases: [openBase], run: effects(seconds, ofProcess, portable, open) },
  ]
}

export const cryptoBench = async (settings: Settings, write: (text: string) => void): Promise<ReadonlyArray<Ratio>> => {
  const fast = await built(NodeCrypto.layer())
  const portable = await built(Layer.provide(PortableCrypto.layer, SecureRandom.layerWebCrypto))
  if (opensslSpeed(1) === undefined) write("The command openssl is not there: no ratio to it.")
  const ofChecks = await compare(
    "Checks of signed requests, per second of processor time",
    await checks(fast, portable, settings),
    settings,
    write,
  )
  const ofSeals = await compare(
    "Sealing and opening of 121 bytes, per second of processor time",
    await seals(fast, portable, settings),
    settings,
    write,
  )
  return [...ofChecks, ...ofSeals]
}

/** The check of a signed request beside openssl, which is left out where that command is missing. */
export const signatureCases = async (settings: Settings): Promise<ReadonlyArray<Case>> => {
  const fast = await built(NodeCrypto.layer())
  const all = await checks(fast, fast, settings)
  const wanted = all.filter(({ name }) => name === opensslName || name === checkName)
  return wanted.map((one) => ({ ...one, bases: one.bases?.filter((base) => base === opensslName) ?? [] }))
}
