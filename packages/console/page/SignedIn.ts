/** The session of the approver: signing in, with a passkey where one is required, staying, and signing out. */
import { call, rootAddress } from "./Api.ts"
import { createPasskey, NoPasskey, usePasskey } from "./Passkey.ts"

/** Who is signed in. */
export interface SignedIn {
  readonly clientId: string
  readonly approver: string
  readonly proof: "SECRET" | "PASSKEY"
}

interface Challenge {
  readonly sessionId: string
  readonly challenge: string
  readonly approver: string
  readonly credentialId?: string
}

const sessionAddress = () => `${rootAddress()}/console/session`

const encoded = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))

/** The session that the browser still has; `undefined`: none. */
export const resume = async (): Promise<SignedIn | undefined> => {
  const { body } = await call<{ readonly session: SignedIn | null }>(sessionAddress(), { method: "GET" })
  return body.session ?? undefined
}

export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly approver: string
}

/** The credentials that a sandbox on the reader's own machine offers (D-441); `undefined`: it offers none. */
export const offeredCredentials = async (): Promise<Omit<Credentials, "approver"> | undefined> =>
  (await call<Omit<Credentials, "approver"> | undefined>(`${rootAddress()}/docs/credentials.json`, { method: "GET" }))
    .body

/** Signs in. The credentials are sent and then forgotten. */
export const signIn = async ({ approver, clientId, clientSecret }: Credentials): Promise<SignedIn> => {
  const authorization = `Basic ${encoded(`${clientId}:${clientSecret}`)}`
  const first = await call<SignedIn | Challenge>(sessionAddress(), {
    method: "POST",
    authorization,
    body: { approver },
  })
  if (first.status !== 202) return first.body as SignedIn
  const challenge = first.body as Challenge
  const { credentialId, sessionId } = challenge
  const passkey = await (credentialId === undefined
    ? createPasskey(challenge)
    : usePasskey(challenge.challenge, credentialId)
  ).catch(() => {
    throw new NoPasskey()
  })
  const body = { sessionId, ...passkey }
  return (await call<SignedIn>(`${sessionAddress()}/passkey`, { method: "POST", authorization, body })).body
}

export const endSession = async (): Promise<void> => {
  await call(sessionAddress(), { method: "DELETE" })
}

const activityMillis = 60_000

/** Reports to the service, at most once a minute, that the person does something. Returns the function that stops it. */
export const watchActivity = (): (() => void) => {
  let reportedAt = performance.now()
  const report = () => {
    if (performance.now() - reportedAt < activityMillis) return
    reportedAt = performance.now()
    // An ended session is noticed by the next poll.
    void call(`${sessionAddress()}/activity`, { method: "POST" }).catch(() => undefined)
  }
  window.addEventListener("pointerdown", report)
  window.addEventListener("keydown", report)
  return () => {
    window.removeEventListener("pointerdown", report)
    window.removeEventListener("keydown", report)
  }
}
