/**
 * Actions on the credentials and sessions of the embedded wallet: they are added and deleted, sign in, and are refreshed and revoked.
 * Source: wire contract 4.2 to 4.7.
 */
import { oidcPerson, passkeyDevice } from "@countersign/test"
import { sessionKeys, sha256, stamp } from "../flows/NodeWallet.ts"
import type { Body } from "./Answers.ts"
import { anyOf, bodyOf, type Client, type ClientActions } from "./ClientRequests.ts"
import {
  beginCall,
  drawKeys,
  expectRefusal,
  replaySpent,
  signAbandoned,
  signatureHeader,
  signedCall,
} from "./SignedCalls.ts"
import { anyCredential, anySession, sessionMillis, signIn } from "./SignIns.ts"
import type { RegisteredCredential } from "./WalletAnswers.ts"
import { attestationFaults } from "./WalletFaults.ts"

interface Registration {
  readonly body: object
  readonly credential: RegisteredCredential
  /** Whether the service must refuse it. */
  readonly isFaulty?: boolean
  /** Whether a listed credential is the registered one. */
  readonly isIt: (listed: Body) => boolean
}

const byType =
  (type: RegisteredCredential["type"]) =>
  ({ pay }: Client): Registration => ({
    body: { type, accountId: pay.wallet.accountId },
    credential: { type },
    isIt: (listed) => listed["type"] === type,
  })

/** The people of the OIDC provider: few, so that some are registered already. */
const people = 3

const ofPerson = async ({ pay, random }: Client): Promise<Registration> => {
  const number = random.below(people)
  const email = `person-${number}@mail.example`
  const person = oidcPerson({ subject: String(number), email })
  const oidcToken = person.token(await pay.clock.now())
  return {
    body: { type: "OAUTH", accountId: pay.wallet.accountId, oidcToken },
    credential: { type: "OAUTH", person },
    isIt: ({ nickname }) => nickname === email,
  }
}

const ofPasskey = ({ answers, name, pay, random }: Client): Registration => {
  const known = anyOf(
    random,
    [...answers.wallet.credentials.values()].flatMap((each) => each.passkey ?? []),
  )
  const seed = `${name()} ${random.below(0x1_0000_0000)}`
  const passkey = known !== undefined && random.once(6) ? known : passkeyDevice({ seed })
  const challenge = sha256(`${seed} challenge`).toString("base64url")
  const wrong = random.once(6) ? random.pick(attestationFaults) : undefined
  const attestation = passkey.register(challenge, wrong)
  return {
    body: { type: "PASSKEY", accountId: pay.wallet.accountId, nickname: "Phone", challenge, attestation },
    credential: { type: "PASSKEY", passkey },
    isFaulty: wrong !== undefined,
    isIt: ({ credentialId }) => credentialId === passkey.credentialId,
  }
}

const registrations: readonly [
  (client: Client) => Registration | Promise<Registration>,
  ...Array<(client: Client) => Registration | Promise<Registration>>,
] = [ofPasskey, ofPerson, byType("SMS_OTP"), ofPasskey, byType("EMAIL_OTP")]

export const credentialActions: ClientActions = {
  "sign-in": { weight: 6, run: signIn },
  credential: {
    weight: 5,
    run: async (client) => {
      const { answers, insist, pay, random } = client
      const session = await anySession(client)
      if (session === undefined) return false
      const { body, credential, isFaulty = false, isIt } = await random.pick(registrations)(client)
      const call = { method: "POST", path: "/auth/credentials", body }
      if (isFaulty) {
        await expectRefusal(client, call, {}, "with an invalid attestation")
        return false
      }
      return signedCall(
        client,
        call,
        () => session[1].keys,
        async (answer) => {
          const path = `/auth/credentials?accountId=${pay.wallet.accountId}`
          const listed = async () => bodyOf(await insist("GET", path))["data"] as ReadonlyArray<Body>
          const id = (answer ?? (await listed()).find(isIt))?.["id"]
          if (id === undefined) answers.problems.push(`a credential was accepted and is not listed: ${credential.type}`)
          else answers.wallet.credentials.set(String(id), credential)
        },
      )
    },
  },
  "credential deleted": {
    weight: 3,
    run: async (client) => {
      const { answers } = client
      const session = await anySession(client)
      const [id] = anyCredential(client) ?? []
      if (session === undefined || id === undefined) return false
      const call = { method: "DELETE", path: `/auth/credentials/${id}` }
      const [, { credentialId, keys }] = session
      if (credentialId !== id) {
        return signedCall(
          client,
          call,
          () => session[1].keys,
          () => void answers.wallet.deleted.add(id),
        )
      }
      // A credential cannot delete itself.
      const pending = await beginCall(client, call)
      if (pending === undefined || keys === undefined) return false
      const headers = { [signatureHeader]: stamp(keys, pending.payload), "request-id": pending.requestId }
      await expectRefusal(client, call, headers, "by a session of the same credential")
      return false
    },
  },
  "session refreshed": {
    weight: 3,
    run: async (client) => {
      const { pay, random } = client
      const [signing, refreshed] = [await anySession(client), await anySession(client)]
      if (signing === undefined || refreshed === undefined) return false
      const [id, session] = refreshed
      const keys = drawKeys(client)
      const isHeld = random.once(2)
      const body = { clientPublicKey: isHeld ? keys.compressed : keys.uncompressed }
      const call = { method: "POST", path: `/auth/sessions/${id}/refresh`, body }
      if (signing[0] !== id && random.once(3)) {
        const pending = await beginCall(client, call)
        if (pending === undefined || signing[1].keys === undefined) return false
        const headers = { [signatureHeader]: stamp(signing[1].keys, pending.payload), "request-id": pending.requestId }
        await expectRefusal(client, call, headers, "by another session")
        return false
      }
      return signedCall(
        client,
        call,
        () => session.keys,
        async (answer) => {
          const sealed = answer?.["encryptedSessionSigningKey"]
          if (isHeld) session.keys = keys
          else session.keys = typeof sealed === "string" ? sessionKeys(keys, sealed) : undefined
          session.expiresAtMillis = (await pay.clock.now()) + sessionMillis
        },
      )
    },
  },
  "session revoked": {
    weight: 2,
    run: async (client) => {
      const { answers } = client
      const signing = await anySession(client)
      const revoked = anyOf(client.random, answers.wallet.sessions)
      if (signing === undefined || revoked === undefined) return false
      const [id, session] = revoked
      return signedCall(
        client,
        { method: "DELETE", path: `/auth/sessions/${id}` },
        () => signing[1].keys,
        () => {
          session.isRevoked = true
        },
      )
    },
  },
  "request signed late": { weight: 3, run: signAbandoned },
  "signed request replayed": { weight: 2, run: replaySpent },
}
