/**
 * `countersign listen --through inbox`: follows the inbox of a sandbox that cannot reach this machine, and passes its webhooks on.
 * Source: D-473, D-483.
 */
import type { Client } from "@countersign/client"
import { Console, Effect } from "effect"
import { type CommandError, negativeAnswer } from "../CommandError.ts"
import type { RemoteServer } from "../remote/RemoteServer.ts"
import { type Outcome, type PassOnOptions, passOn, webhookHeaders } from "./PassOn.ts"

type Message = Awaited<ReturnType<Client["sandboxInbox"]["sandboxGetInboxMessage"]>>

const everyMillis = 1_000
/** A sandbox keeps no more messages of a platform. */
const keptMax = 100

const listed = ({ call }: RemoteServer) =>
  Effect.map(
    call((client) => client.sandboxInbox.sandboxListInboxMessages({ query: { limit: keptMax } })),
    ({ data }) => data.map(({ id }) => id),
  )

/** Returns the address of the platform's inbox. A server without one says so. */
export const inboxAddress = ({ call }: RemoteServer): Effect.Effect<string, CommandError> =>
  call((client) => client.sandboxInbox.sandboxGetInbox()).pipe(
    Effect.map(({ url }) => url),
    Effect.mapError((error) =>
      error.reason === "negative"
        ? negativeAnswer(
            `the server has no inbox (${error.message}): name the address by which it reaches this machine with --endpoint`,
          )
        : error,
    ),
  )

export interface FollowingOptions extends PassOnOptions {
  readonly onOutcome: (outcome: Outcome) => Effect.Effect<void>
}

/** Returns a loop that passes on what arrives in the inbox after now. */
export const followInbox = Effect.fnUntraced(function* (server: RemoteServer, options: FollowingOptions) {
  const pass = passOn(options)
  let seen: ReadonlySet<string> = new Set(yield* listed(server))
  let isAnswering = true

  const passMessage = Effect.fnUntraced(function* (messageId: string) {
    const message: Message | undefined = yield* server
      .call((client) => client.sandboxInbox.sandboxGetInboxMessage({ params: { messageId } }))
      // It was deleted meanwhile, or gave way to newer ones.
      .pipe(
        Effect.catchIf(
          ({ reason }) => reason === "negative",
          () => Effect.undefined,
        ),
      )
    if (message === undefined) return
    const body = new TextEncoder().encode(message.body)
    const { outcome } = yield* Effect.promise(() => pass(webhookHeaders(message.headers), body))
    yield* options.onOutcome(outcome)
  })

  const next = Effect.gen(function* () {
    const ids = yield* listed(server)
    const fresh = ids.filter((id) => !seen.has(id))
    if (fresh.length === keptMax) {
      yield* Console.error(`more than ${keptMax} webhooks arrived at once: the oldest of them were not passed on`)
    }
    if (!isAnswering) yield* Console.error("the server answers again")
    isAnswering = true
    for (const id of fresh.toReversed()) {
      yield* passMessage(id)
      seen = new Set([...seen, id])
    }
    seen = new Set(ids)
  }).pipe(
    Effect.catchIf(
      ({ reason }) => reason === "server",
      ({ message }) => {
        const wasAnswering = isAnswering
        isAnswering = false
        return wasAnswering ? Console.error(`${message}; trying again`) : Effect.void
      },
    ),
  )
  return Effect.forever(Effect.andThen(next, Effect.sleep(everyMillis)))
})
