/** Wallet cryptography of the client on both crypto layers, against the service's side. */
import { NodeCrypto } from "@countersign/adapter-http"
import { assertionOf, attestationOf, challengeBytes, type WalletCrypto, walletCrypto } from "@countersign/client"
import { ExportBundle, type Hpke, OtpBundle, P256, SessionBundle, Stamp } from "@countersign/core/crypto"
import { Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { nonceOf } from "../../../packages/test/src/harness/OidcPerson.ts"

const run = <A, E>(effect: Effect.Effect<A, E, P256 | Hpke>) =>
  Effect.runPromise(Effect.provide(effect, NodeCrypto.layer()))
const generate = () => run(P256.use((p256) => p256.generate))
const organizationId = "org-1"

const sides: ReadonlyArray<readonly [name: string, wallet: WalletCrypto]> = [
  ["any JavaScript", walletCrypto()],
  ["a server", walletCrypto(NodeCrypto.layer())],
]

describe.each(sides)("wallet cryptography on %s", (_, wallet) => {
  // Proves: SIGN-01, SIGN-02
  it("generates keys that can be stored as text", async () => {
    const keys = await wallet.makeKeys()
    expect(keys.publicKey.uncompressed).toMatch(/^04[0-9a-f]{128}$/u)
    expect(await wallet.importKeys(wallet.exportKeys(keys))).toMatchObject({ publicKey: keys.publicKey })
    expect((await wallet.makeKeys()).publicKey).not.toEqual(keys.publicKey)
    await expect(wallet.importKeys("00".repeat(32))).rejects.toMatchObject({ _tag: "InvalidPrivateKey" })
  })

  it("seals a code for the target of a challenge", async () => {
    const [quorum, target, keys] = await Promise.all([generate(), generate(), wallet.makeKeys()])
    const bundle = await run(OtpBundle.makeTarget(quorum, target.publicKey, organizationId))
    const expected = { signer: quorum.publicKey.compressed, organizationId }
    for (const given of [{}, expected]) {
      const answer = await run(OtpBundle.open(target, await wallet.sealOtp(bundle, "123456", keys, given)))
      expect([Redacted.value(answer.otpCode), answer.publicKey]).toEqual(["123456", keys.publicKey])
    }
    const refused = (given: object) => expect(wallet.sealOtp(bundle, "123456", keys, given)).rejects
    await refused({ signer: target.publicKey.compressed }).toMatchObject({ reason: "UNTRUSTED_SIGNER" })
    await refused({ organizationId: "org-2" }).toMatchObject({ reason: "ORGANIZATION_MISMATCH" })
    await refused({ signer: "nonsense" }).toMatchObject({ _tag: "InvalidPublicKey" })
  })

  it("opens a session whose keys sign", async () => {
    const [session, keys, other] = await Promise.all([generate(), wallet.makeKeys(), wallet.makeKeys()])
    const bundle = await run(SessionBundle.seal(keys.publicKey, session))
    const opened = await wallet.openSession(keys, bundle)
    const payload = '{"a":1, "b":"ż"}'
    expect(await run(Stamp.check(await wallet.stamp(opened, payload), payload))).toEqual(session.publicKey)
    await expect(wallet.openSession(other, bundle)).rejects.toMatchObject({ reason: "NOT_OPENED" })
  })

  it("opens an export", async () => {
    const [quorum, keys] = await Promise.all([generate(), wallet.makeKeys()])
    const exported = { mnemonic: Redacted.make("legal winner thank year"), organizationId }
    const bundle = await run(ExportBundle.seal(quorum, keys.publicKey, exported))
    const expected = { signer: quorum.publicKey.uncompressed, organizationId }
    expect(await wallet.openExport(keys, bundle)).toBe("legal winner thank year")
    expect(await wallet.openExport(keys, bundle, expected)).toBe("legal winner thank year")
    const other = { signer: keys.publicKey.uncompressed }
    await expect(wallet.openExport(keys, bundle, other)).rejects.toMatchObject({ reason: "UNTRUSTED_SIGNER" })
  })

  it("returns the OIDC nonce of a key", async () => {
    const { uncompressed } = (await wallet.makeKeys()).publicKey
    expect(await wallet.oidcNonce(uncompressed)).toBe(nonceOf(uncompressed))
  })
})

describe("results of `navigator.credentials`", () => {
  const bytes = (...values: ReadonlyArray<number>) => Uint8Array.from(values).buffer

  it("are converted to the wire's form", () => {
    const shared = { clientDataJSON: bytes(251, 255), authenticatorData: bytes(1), signature: bytes(2) }
    expect(assertionOf({ rawId: bytes(255), response: { ...shared, userHandle: null } })).toEqual({
      credentialId: "_w",
      clientDataJson: "-_8",
      authenticatorData: "AQ",
      signature: "Ag",
    })
    expect(assertionOf({ rawId: bytes(255), response: { ...shared, userHandle: bytes(3) } }).userHandle).toBe("Aw")
    const made = { clientDataJSON: bytes(1), attestationObject: bytes(2) }
    expect(attestationOf({ rawId: bytes(3), response: made }).transports).toEqual([])
    expect(attestationOf({ rawId: bytes(3), response: { ...made, getTransports: () => ["usb"] } }).transports).toEqual([
      "usb",
    ])
  })

  it("belong to the bytes of the challenge's text", () => {
    expect([...challengeBytes("0f")]).toEqual([48, 102])
  })
})
