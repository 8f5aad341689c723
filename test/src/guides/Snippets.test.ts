/** The snippets of the guides do what their guide says. */
import { OtpBundle, P256, PortableCrypto, SessionBundle, Stamp } from "@countersign/core/crypto"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { expect, it } from "vitest"
import { eventually } from "../e2e/Deadline.ts"
import { collect } from "./Collect.ts"
import * as Wallet from "./WalletClient.ts"
import { isFromTheService } from "./WebhookSignature.ts"

const layer = PortableCrypto.layer.pipe(Layer.provide(SecureRandom.layerWebCrypto))
const asService = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof layer>>) =>
  Effect.runPromise(Effect.provide(effect, layer))

it("verifies a webhook of the service and rejects a changed one", async () => {
  await using service = await collect()
  const [sent] = await eventually(
    "the test event",
    () => service.sent,
    (all) => all.length > 0,
  )
  const header = sent?.headers["X-Service-Signature"] ?? ""
  const bytes = new TextEncoder().encode(sent?.body)
  expect(isFromTheService(service.publicKey, header, bytes)).toBe(true)
  expect(isFromTheService(service.publicKey, header, new Uint8Array([...bytes, 32]))).toBe(false)
})

it("a wallet encrypts its code, decrypts its session key, and signs", async () => {
  const keys = await Wallet.newKeys()
  const { quorum, session, target } = await asService(
    P256.use((p256) => Effect.all({ quorum: p256.generate, session: p256.generate, target: p256.generate })),
  )
  const challenge = await asService(OtpBundle.makeTarget(quorum, target.publicKey, "organization"))
  const sealed = await Wallet.sealCode(keys, challenge, quorum.publicKey.uncompressed, "000000")
  const opened = await asService(OtpBundle.open(target, sealed))
  expect([Redacted.value(opened.otpCode), opened.publicKey]).toEqual(["000000", keys.publicKey])

  const delivered = await asService(SessionBundle.seal(keys.publicKey, session))
  const own = await Wallet.openSession(keys, delivered)
  const header = await Wallet.sign(own, "pay 1.00 to Ada")
  expect(await asService(Stamp.check(header, "pay 1.00 to Ada"))).toEqual(session.publicKey)

  const foreign = await asService(P256.use((p256) => p256.generate))
  const sealing = Wallet.sealCode(keys, challenge, foreign.publicKey.uncompressed, "000000")
  await expect(sealing).rejects.toThrow()
})
