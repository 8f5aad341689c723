/**
 * Signs in to the wallet of a simulated run by one-time code, passkey or OIDC token, now and then with something wrong.
 * Source: wire contract 4.4 to 4.6.
 */
import type { NodeKeys } from "../flows/NodeHpke.ts"
import { sealedCode, sessionKeys } from "../flows/NodeWallet.ts"
import type { Body } from "./Answers.ts"
import { anyOf, bodyOf, type Client, isDone } from "./ClientRequests.ts"
import { beginCall, drawKeys, signedCall } from "./SignedCalls.ts"
import type { IssuedSession, RegisteredCredential } from "./WalletAnswers.ts"
import { assertionFaults, oidcFaults } from "./WalletFaults.ts"

/** Default lifetime of a session, in milliseconds. */
export const sessionMillis = 15 * 60 * 1000

type SignIn = (client: Client, id: string, credential: RegisteredCredential) => Promise<boolean>

/** Records a session; `keys`: those that the client has sent. */
const rememberSession = async ({ answers, pay }: Client, credentialId: string, body: Body, keys: NodeKeys) => {
  const sealed = body["encryptedSessionSigningKey"]
  const session: IssuedSession = {
    credentialId,
    keys: typeof sealed === "string" ? sessionKeys(keys, sealed) : keys,
    expiresAtMillis: (await pay.clock.now()) + sessionMillis,
    isRevoked: false,
  }
  answers.wallet.sessions.set(String(body["id"]), session)
}

const verifyPath = (id: string) => `/auth/credentials/${id}/verify`

/** Sends an assertion or a token; each lost answer may have been that of a session. */
const verify = async (
  client: Client,
  id: string,
  sent: { readonly body: object; readonly headers?: { readonly [name: string]: string } },
  { isOnce, keys, wrong }: { readonly isOnce: boolean; readonly keys: NodeKeys; readonly wrong: string | undefined },
): Promise<boolean> => {
  const { answers, repeat } = client
  const { lost, reply } = await repeat("POST", verifyPath(id), sent)
  const isAccepted = isDone(reply)
  if (wrong === undefined) {
    const unknown = isOnce ? Math.min(lost, isAccepted ? 0 : 1) : lost
    for (let left = unknown; left > 0; left--) answers.wallet.unknownSignIns.push(id)
  } else if (isAccepted) answers.problems.push(`${id} was verified with the fault ${wrong}`)
  if (isAccepted) await rememberSession(client, id, bodyOf(reply), keys)
  return isAccepted
}

const byCode: SignIn = async (client, id, { type }) => {
  const { answers, insist, random } = client
  const challenge = await insist("POST", `/auth/credentials/${id}/challenge`)
  if (!isDone(challenge)) return false
  const keys = drawKeys(client)
  const isWrong = random.once(6)
  const bundle = String(bodyOf(challenge)["otpEncryptionTargetBundle"])
  const code = isWrong ? "999999" : undefined
  const body = { type, encryptedOtpBundle: sealedCode(bundle, keys, code, drawKeys(client)) }
  const call = { method: "POST", path: verifyPath(id), body }
  if (isWrong) {
    if ((await beginCall(client, call)) !== undefined) answers.problems.push(`${id} was verified with a wrong code`)
    return false
  }
  return signedCall(
    client,
    call,
    () => keys,
    async (answer) => {
      if (answer === undefined) answers.wallet.unknownSignIns.push(id)
      else await rememberSession(client, id, answer, keys)
    },
  )
}

/** The text of the client's key: compressed, it is the session's key itself. */
const sentKey = ({ random }: Client, keys: NodeKeys): string => (random.once(2) ? keys.compressed : keys.uncompressed)

const byPasskey: SignIn = async (client, id, { passkey }) => {
  const { insist, random } = client
  const keys = drawKeys(client)
  const body = { clientPublicKey: sentKey(client, keys) }
  const challenge = await insist("POST", `/auth/credentials/${id}/challenge`, { body })
  if (passkey === undefined || !isDone(challenge)) return false
  const { challenge: text, requestId } = bodyOf(challenge)
  const wrong = random.once(3) ? random.pick(assertionFaults) : undefined
  const sent = {
    headers: { "request-id": String(requestId) },
    body: { type: "PASSKEY", assertion: passkey.assert(String(text), wrong) },
  }
  const isAccepted = await verify(client, id, sent, { isOnce: true, keys, wrong })
  if (isAccepted) client.answers.wallet.spent.push({ method: "POST", path: verifyPath(id), ...sent })
  return isAccepted
}

const byToken: SignIn = async (client, id, { person }) => {
  const { pay, random } = client
  if (person === undefined) return false
  const keys = drawKeys(client)
  const clientPublicKey = sentKey(client, keys)
  const wrong = random.once(3) ? random.pick(oidcFaults) : undefined
  const fault = wrong === undefined ? {} : { wrong }
  const oidcToken = person.token(await pay.clock.now(), { clientPublicKey, ...fault })
  return verify(client, id, { body: { type: "OAUTH", oidcToken, clientPublicKey } }, { isOnce: false, keys, wrong })
}

const ways: { readonly [T in RegisteredCredential["type"]]: SignIn } = {
  EMAIL_OTP: byCode,
  SMS_OTP: byCode,
  PASSKEY: byPasskey,
  OAUTH: byToken,
}

/** The credentials that clients know, those that were deleted included. */
export const knownCredentials = ({
  answers,
  pay,
}: Pick<Client, "answers" | "pay">): ReadonlyMap<string, RegisteredCredential> =>
  new Map([[pay.wallet.credentialId, { type: "EMAIL_OTP" }], ...answers.wallet.credentials])

/** A credential that was not deleted; now and then, one that was. */
export const anyCredential = (client: Client): readonly [id: string, RegisteredCredential] | undefined => {
  const { answers, random } = client
  const isAny = random.once(10)
  const known = [...knownCredentials(client)].filter(([id]) => isAny || !answers.wallet.deleted.has(id))
  // The newest one is as frequent as all others together: few runs register many.
  return random.once(2) ? known.at(-1) : anyOf(random, known)
}

export const signIn = async (client: Client): Promise<boolean | undefined> => {
  const found = anyCredential(client)
  return found === undefined ? undefined : ways[found[1].type](client, ...found)
}

/** A session that can sign now; it signs in first without one. */
export const anySession = async (
  client: Client,
): Promise<readonly [id: string, session: IssuedSession] | undefined> => {
  const { answers, pay, random } = client
  const { deleted, sessions } = answers.wallet
  const now = await pay.clock.now()
  const active = () =>
    anyOf(
      random,
      [...sessions].filter(
        ([, { credentialId, expiresAtMillis, isRevoked, keys }]) =>
          keys !== undefined && !isRevoked && now < expiresAtMillis && !deleted.has(credentialId),
      ),
    )
  const found = active()
  if (found !== undefined) return found
  for (let left = 3; left > 0 && active() === undefined; left--) await signIn(client)
  return active()
}
