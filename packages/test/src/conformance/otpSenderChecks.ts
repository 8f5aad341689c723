/**
 * What every layer of `OtpSender` has to do: each code reaches its contact, once, and nothing else.
 * Source: wire contract 4.12; D-444, D-528; ports/OtpSender.ts.
 */
import { type OtpMessage, OtpSender } from "@countersign/core/ports"
import { Effect, type Layer, Redacted } from "effect"
import { checksOf, fail, type PortBench, type PortCheck } from "./PortChecks.ts"

/** A message as its recipient reads it. */
export interface ReceivedMessage {
  readonly to: string
  readonly text: string
}

/** Contacts of a test system, and what it has delivered to them. */
export interface OtpSenderConformanceOptions {
  /** Contacts of the test system: two at least of each type that the sender supports. */
  readonly contacts: ReadonlyArray<Pick<OtpMessage, "type" | "contact">>
  /** Everything that the test system has delivered up to now. */
  readonly received: Effect.Effect<ReadonlyArray<ReceivedMessage>>
}

/** Texts of a platform that try to add a header, a recipient or markup, or are longer than a message. */
const hostileNames = [
  "Acme\r\nBcc: other@example.com\r\n\r\nText",
  "<b>&\"'Acme{code}",
  "Ж‮😀".repeat(80),
  "x".repeat(255),
]

const codeOf = (number: number): string => String(700_000 + number)

const messageOf = (
  bench: PortBench,
  to: Pick<OtpMessage, "type" | "contact">,
  code: string,
  appName: string,
): OtpMessage => ({
  ...to,
  platformId: "Platform:00000000-0000-7000-8000-000000000001",
  customerId: "Customer:00000000-0000-7000-8000-000000000002",
  accountId: "InternalAccount:00000000-0000-7000-8000-000000000003",
  code: Redacted.make(code, { label: "OTP code" }),
  expiresAt: bench.now() + 300_000,
  settings: { appName, sendFromEmailSenderName: appName },
})

export const otpSenderChecks = <E>(
  layer: Layer.Layer<OtpSender, E>,
  { contacts, received }: OtpSenderConformanceOptions,
): ReadonlyArray<PortCheck> => {
  const make = checksOf(OtpSender, layer)
  let number = 0
  const newCode = () => codeOf(++number)
  /** The messages that have arrived since. */
  const arrivedAfter = Effect.fnUntraced(function* (before: number, count: number) {
    const arrived = (yield* received).slice(before)
    return arrived.length === count ? arrived : yield* fail("another number of messages", { expected: count, arrived })
  })
  const isFor = (to: string, code: string) => (message: ReceivedMessage) =>
    message.to === to && message.text.includes(code)

  return [
    make("a code reaches its contact, once, before the call ends", (sender, bench) =>
      Effect.gen(function* () {
        for (const contact of contacts) {
          const [code, before] = [newCode(), (yield* received).length]
          yield* sender.send(messageOf(bench, contact, code, "Acme"))
          const arrived = yield* arrivedAfter(before, 1)
          if (!arrived.every(isFor(contact.contact, code))) return yield* fail("another message", arrived)
        }
      }),
    ),

    make("codes that are sent at the same time each reach their own contact", (sender, bench) =>
      Effect.gen(function* () {
        const before = (yield* received).length
        const sent = [...contacts, ...contacts, ...contacts].map((contact) => ({ contact, code: newCode() }))
        yield* Effect.forEach(sent, ({ code, contact }) => sender.send(messageOf(bench, contact, code, "Acme")), {
          concurrency: "unbounded",
          discard: true,
        })
        const arrived = yield* arrivedAfter(before, sent.length)
        const missing = sent.filter(({ code, contact }) => !arrived.some(isFor(contact.contact, code)))
        if (missing.length > 0) return yield* fail("not received", missing)
      }),
    ),

    make("a platform's name adds no recipient, and every message still has its code", (sender, bench) =>
      Effect.gen(function* () {
        for (const contact of contacts) {
          for (const name of hostileNames) {
            const [code, before] = [newCode(), (yield* received).length]
            yield* sender.send(messageOf(bench, contact, code, name))
            const arrived = yield* arrivedAfter(before, 1)
            if (!arrived.every(isFor(contact.contact, code))) return yield* fail("another message", { name, arrived })
          }
        }
      }),
    ),

    make("neither a code nor a contact reaches a log", (sender, bench) =>
      Effect.gen(function* () {
        for (const contact of contacts) {
          const code = newCode()
          yield* sender.send(messageOf(bench, contact, code, "Acme"))
          const found = [code, contact.contact].filter((secret) => bench.logged().includes(secret))
          if (found.length > 0) return yield* fail("the log contains it", found)
        }
      }),
    ),
  ]
}
