/** A sender of codes and a provider of security codes in memory, and the same ones with one fault. */
import { OtpSender, type SecurityCodeRequest, SecurityCodes } from "@countersign/core/ports"
import { Clock, Effect, Layer, Redacted } from "effect"
import type { ReceivedMessage } from "../../../packages/test/src/conformance/otpSenderChecks.ts"

export const otpFaults = [
  "sends twice",
  "sends nothing",
  "sends after the call",
  "mixes concurrent messages",
  "copies to recipients in a name",
  "cuts the code from a long message",
  "logs codes",
  "logs contacts",
] as const
export type OtpFault = (typeof otpFaults)[number]

export const faultySender = (fault?: OtpFault) => {
  const inbox: Array<ReceivedMessage> = []
  let waiting: ReceivedMessage | undefined
  let latest = ""
  const deliver = (message: ReceivedMessage) => {
    if (fault === "sends nothing") return
    if (fault === "sends after the call") {
      if (waiting !== undefined) inbox.push(waiting)
      waiting = message
      return
    }
    inbox.push(message)
    if (fault === "sends twice") inbox.push(message)
  }
  const layer = Layer.succeed(OtpSender, {
    send: Effect.fnUntraced(function* ({ code, contact, settings: { appName = "" } }) {
      latest = contact
      yield* Effect.yieldNow
      const to = fault === "mixes concurrent messages" ? latest : contact
      const text = `${appName}: ${Redacted.value(code)}`
      deliver({ to, text: fault === "cuts the code from a long message" ? text.slice(0, 160) : text })
      const copied = /Bcc: (\S+)/u.exec(appName)?.[1]
      if (fault === "copies to recipients in a name" && copied !== undefined) deliver({ to: copied, text })
      if (fault === "logs codes") yield* Effect.logInfo(text)
      if (fault === "logs contacts") yield* Effect.logInfo(contact)
    }),
  })
  return { layer, received: Effect.sync(() => [...inbox]) }
}

export const codeFaults = [
  "accepts every code",
  "accepts a code twice",
  "accepts the code before",
  "accepts codes of other customers",
  "accepts codes of other purposes",
  "accepts codes of other addresses",
  "counts no attempts",
  "forgets a code after a wrong one",
  "checks without a step of its own",
  "never expires",
  "expires by the system's clock",
  "sends two messages",
  "logs codes",
] as const
export type CodeFault = (typeof codeFaults)[number]

const lifetimeMillis = 60_000
const attemptsMax = 5

interface Kept {
  readonly code: string
  readonly expiresAt: number
  attempts: number
}

export const faultyCodes = (fault?: CodeFault) => {
  const inbox: Array<ReceivedMessage> = []
  const kept = new Map<string, ReadonlyArray<Kept>>()
  let number = 100_000
  const keyOf = ({ address, customerId, purpose }: SecurityCodeRequest) =>
    JSON.stringify([
      fault === "accepts codes of other customers" ? "" : customerId,
      fault === "accepts codes of other purposes" ? "" : purpose,
      fault === "accepts codes of other addresses" ? "" : address,
    ])
  const nowOf = Effect.map(Clock.currentTimeMillis, (now) =>
    fault === "expires by the system's clock" ? Date.now() : now,
  )

  const send = Effect.fnUntraced(function* (request: SecurityCodeRequest) {
    number += 7
    const code = String(number)
    const before = fault === "accepts the code before" ? (kept.get(keyOf(request)) ?? []) : []
    kept.set(keyOf(request), [...before, { code, attempts: 0, expiresAt: (yield* nowOf) + lifetimeMillis }])
    const message = { to: request.address, text: `Your code is ${code}.` }
    inbox.push(message)
    if (fault === "sends two messages") inbox.push(message)
    if (fault === "logs codes") yield* Effect.logInfo(code)
  })

  const check = Effect.fnUntraced(function* (request: SecurityCodeRequest, given: Redacted.Redacted) {
    const now = yield* nowOf
    const all = kept.get(keyOf(request)) ?? []
    if (fault === "accepts every code") return true
    const valid = all.filter(
      ({ attempts, expiresAt }) => attempts < attemptsMax && (fault === "never expires" || expiresAt > now),
    )
    const right = valid.find(({ code }) => code === Redacted.value(given))
    if (fault !== "counts no attempts") for (const each of valid) each.attempts += 1
    if (fault === "checks without a step of its own") yield* Effect.yieldNow
    if (right === undefined) {
      if (fault === "forgets a code after a wrong one") kept.delete(keyOf(request))
      return false
    }
    if (fault !== "accepts a code twice") {
      kept.set(
        keyOf(request),
        all.filter((each) => each !== right),
      )
    }
    return true
  })

  return {
    layer: Layer.succeed(SecurityCodes, { send, check }),
    received: Effect.sync(() => [...inbox]),
    lifetimeMillis,
  }
}
