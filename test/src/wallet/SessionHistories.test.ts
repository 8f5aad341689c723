/**
 * Random histories of wallet sessions: sign-in, refresh, revocation and time. A model predicts each answer and the active sessions
 * after it. A failing run prints the seed that replays it.
 * Spec: States and transitions, Session; wire contract 4.6 and 4.7.
 */
import type { KeyPair } from "@countersign/core/crypto"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"
import { newKey, newWallet, signIn, signing } from "./People.ts"

const minute = 60_000
const lifetime = 15 * minute
const requestLifetime = 5 * minute

type Command =
  | { readonly _tag: "SignIn" }
  /** First call. Sessions are chosen by index, including revoked ones. */
  | { readonly _tag: "Refresh"; readonly target: number }
  | { readonly _tag: "Revoke"; readonly target: number; readonly signer: number }
  /** Second call of an earlier first call. */
  | { readonly _tag: "Sign"; readonly request: number }
  | { readonly _tag: "Advance"; readonly millis: number }

const index = fc.nat({ max: 9 })
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ _tag: "SignIn" as const }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Refresh" as const), target: index }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Revoke" as const), target: index, signer: index }) },
  { weight: 6, arbitrary: fc.record({ _tag: fc.constant("Sign" as const), request: index }) },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("Advance" as const),
      millis: fc.constantFrom(1000, 2 * minute, requestLifetime - 1, requestLifetime, lifetime - 1, lifetime),
    }),
  },
)

interface ModelSession {
  readonly id: string
  key: KeyPair
  expiresAt: number
  isRevoked: boolean
}

interface ModelRequest {
  readonly kind: "Refresh" | "Revoke"
  readonly target: ModelSession
  readonly signer: KeyPair
  readonly newKey: KeyPair
  readonly askedAt: number
  readonly headers: Record<string, string>
  isUsed: boolean
}

const isActive = ({ expiresAt, isRevoked }: ModelSession, now: number) => !isRevoked && now < expiresAt

const spent = "Request id unknown, expired or already used"
const inactive = "Session not active"

/** Expected status of the second call, and the reason of a 401. */
const expected = (request: ModelRequest, sessions: ReadonlyArray<ModelSession>, now: number) => {
  const { askedAt, isUsed, kind, signer, target } = request
  if (kind === "Revoke" && !isActive(target, now)) return [404, null]
  if (isUsed || now >= askedAt + requestLifetime) return [401, spent]
  const holders = sessions.filter((one) => one.key === signer && isActive(one, now))
  if (holders.length === 0) return [401, inactive]
  return [kind === "Revoke" ? 204 : 201, null]
}

const pick = <A>(all: ReadonlyArray<A>, number: number): A | undefined => all[number % Math.max(all.length, 1)]

const run = async (commands: ReadonlyArray<Command>) => {
  await using pay = await harness()
  const wallet = await newWallet(pay)
  const sessions: Array<ModelSession> = []
  const requests: Array<ModelRequest> = []

  const pathOf = ({ kind, target }: Pick<ModelRequest, "kind" | "target">) =>
    kind === "Refresh" ? `/auth/sessions/${target.id}/refresh` : `/auth/sessions/${target.id}`
  const send = (request: Pick<ModelRequest, "kind" | "target" | "newKey">, headers: Record<string, string> = {}) =>
    request.kind === "Refresh"
      ? pay.send("POST", pathOf(request), { headers, body: { clientPublicKey: request.newKey.publicKey.compressed } })
      : pay.send("DELETE", pathOf(request), { headers })

  const ask = async (kind: "Refresh" | "Revoke", target: ModelSession, signer: KeyPair, now: number) => {
    const key = await newKey()
    const reply = await send({ kind, target, newKey: key })
    const refused = kind === "Revoke" ? 404 : 401
    expect(reply.status).toBe(isActive(target, now) ? 202 : refused)
    if (reply.status !== 202) return
    const headers = await signing(reply, signer)
    requests.push({ kind, target, signer, newKey: key, askedAt: now, headers, isUsed: false })
  }

  const sign = async (request: ModelRequest, now: number) => {
    const prediction = expected(request, sessions, now)
    const reply = await send(request, request.headers)
    expect([reply.status, at(reply, "reason") ?? null]).toEqual(prediction)
    if (reply.status >= 400) return
    request.isUsed = true
    if (request.kind === "Revoke") request.target.isRevoked = true
    else Object.assign(request.target, { key: request.newKey, expiresAt: now + lifetime })
  }

  for (const step of commands) {
    const now = await pay.clock.now()
    if (step._tag === "SignIn") {
      const { key, sessionId } = await signIn(pay, wallet.emailId)
      sessions.push({ id: sessionId, key, expiresAt: now + lifetime, isRevoked: false })
    } else if (step._tag === "Advance") await pay.clock.advance(`${step.millis} millis`)
    else if (step._tag === "Sign") {
      const request = pick(requests, step.request)
      if (request !== undefined) await sign(request, now)
    } else {
      const target = pick(sessions, step.target)
      const signer = step._tag === "Revoke" ? pick(sessions, step.signer)?.key : target?.key
      if (target !== undefined && signer !== undefined) await ask(step._tag, target, signer, now)
    }
    const later = await pay.clock.now()
    const listed = at(await pay.send("GET", `/auth/sessions?accountId=${wallet.accountId}`), "data")
    const shown = (listed as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
    const active = sessions.filter((session) => isActive(session, later)).map(({ id }) => id)
    expect(shown.toSorted()).toEqual(active.toSorted())
  }
}

describe("sessions", { timeout: 120_000 }, () => {
  it("match the model after every random history", async () => {
    await fc.assert(fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 30 }), run), { numRuns: 40 })
  })
})
