/**
 * The auditor finds what outlives its retention, and what time has deleted or changed, in a run that was corrupted for it.
 * Source: D-004, D-056, D-104; wire contract area 1.5.
 */
import { describe, it } from "vitest"
import type { Body } from "./Answers.ts"
import { answering, findsIn, withData } from "./Corruptions.ts"
import type { Pay } from "./World.ts"

const timeout = { timeout: 120_000 }

type Duration = Parameters<Pay["clock"]["advance"]>[0]

const finds = findsIn("transfers", "imports")

/** Corrupts what is answered once a month has passed. */
const later =
  (path: RegExp, corrupt: (each: Body) => ReadonlyArray<Body>) =>
  (pay: Pay): void => {
    const { advance } = pay.clock
    let isLater = false
    Object.assign(pay, {
      clock: {
        ...pay.clock,
        advance: async (duration: Duration) => {
          await advance(duration)
          isLater ||= duration === "31 days"
        },
      },
    })
    const corrupted = withData((data) => data.flatMap(corrupt))
    answering(
      (method, asked) => method === "GET" && path.test(asked),
      (reply) => (isLater ? corrupted(reply) : reply),
    )(pay)
  }

describe("the auditor of retention", timeout, () => {
  it("finds a record that time has deleted, and one that it has changed", async () => {
    await finds(
      later(/^\/transactions\?/u, (each) => (each["type"] === "INCOMING" ? [] : [{ ...each, status: "PENDING" }])),
      /Transaction:\S+ was deleted by time/u,
      /Transaction:\S+ was changed by time: /u,
    )
  })

  it("finds an event and an import that outlive their retention", async () => {
    const month = (pay: Pay) => {
      const { advance } = pay.clock
      const shortened = (duration: Duration) => advance(duration === "31 days" ? "1 day" : duration)
      Object.assign(pay, { clock: { ...pay.clock, advance: shortened } })
    }
    await finds(
      month,
      /Webhook:\S+ is older than its retention and is listed/u,
      /Job:\S+ is older than its retention and is 200/u,
    )
  })

  it("finds a stored response that differs later, and one that is repeated after its end", async () => {
    const isKeyed = (method: string, path: string) => method === "POST" && path === "/quotes"
    const first = new Map<string, Body>()
    const repeated = (pay: Pay) => {
      const { send } = pay
      const answered: typeof send = async (method, path, options) => {
        const key = options?.headers?.["idempotency-key"]
        const known = key === undefined ? undefined : first.get(key)
        const reply = await send(method, path, options)
        if (!isKeyed(method, path) || key === undefined || reply.status !== 201) return reply
        if (known === undefined) first.set(key, reply.body as Body)
        return { ...reply, body: known ?? reply.body }
      }
      first.clear()
      Object.assign(pay, { send: answered })
    }
    await findsIn("keys", "quotes")(repeated, /\d+-\d+-\d+ was answered 201 .*, which had expired/u)
  })
})
