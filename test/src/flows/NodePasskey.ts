/**
 * A passkey of a platform authenticator with `node:crypto` alone: its registration without attestation, and its assertions.
 * Source: Web Authentication 6.1, 6.5 and 8.7; wire contract 4.3 to 4.5.
 */
import { randomBytes } from "node:crypto"
import { hex, newKeys } from "./NodeHpke.ts"
import { sha256, signed } from "./NodeWallet.ts"

const origin = "https://wallet.example"
const relyingParty = sha256("wallet.example")
const presentAndVerified = 0x05
const attested = 0x40

const base64url = (bytes: Buffer | string): string => Buffer.from(bytes).toString("base64url")

const clientData = (type: string, challenge: string): Buffer =>
  Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }))

export const newPasskey = () => {
  const keys = newKeys()
  const id = randomBytes(16)
  let counter = 0
  const authenticatorData = (flags: number, more: Buffer = Buffer.alloc(0)): Buffer => {
    counter += 1
    return Buffer.concat([relyingParty, Buffer.from([flags, 0, 0, 0, counter]), more])
  }
  /** The public key in COSE: kty 2, alg -7, crv 1, x and y. */
  const [x, y] = [keys.uncompressed.slice(2, 66), keys.uncompressed.slice(66)]
  const publicKey = hex(`a5010203262001215820${x}225820${y}`)
  return {
    /** `challenge` is base64url. */
    attestation: (challenge: string) => {
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, publicKey])
      const data = authenticatorData(presentAndVerified | attested, credential)
      const object = Buffer.concat([
        Buffer.from("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58", "latin1"),
        Buffer.from([data.length]),
        data,
      ])
      const clientDataJson = base64url(clientData("create", challenge))
      return { credentialId: base64url(id), clientDataJson, attestationObject: base64url(object) }
    },
    /** `challenge` is the text of the service's answer. */
    assertion: (challenge: string) => {
      const client = clientData("get", base64url(challenge))
      const data = authenticatorData(presentAndVerified)
      return {
        credentialId: base64url(id),
        clientDataJson: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signed(keys, Buffer.concat([data, sha256(client)]))),
      }
    },
  }
}
