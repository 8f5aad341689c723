/**
 * Keeps the requests of the interface in the journal of a sandbox, whose caller is known.
 * Source: D-464, D-520.
 */
import { Access } from "@countersign/client/api"
import { makeRequestTrace, RequestTrace } from "@countersign/core"
import type { MaskedDigests, RequestJournal } from "@countersign/core/ports"
import { Clock, Context, Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { charactersOf, keptRequest, type MaskedTexts } from "./KeptRequest.ts"
import type { MaskedMembers } from "./MaskedMembers.ts"
import { CurrentNotes, type RequestNotes } from "./RequestNotes.ts"

/** Whether a request only looks at the service: reads of the console's pages, which repeat, and those of the journal itself. */
const isLooking = ({ caller, endpoint }: RequestNotes): boolean =>
  endpoint?.method === "GET" &&
  (endpoint.path.startsWith("/sandbox/requests") || (caller?._tag === "Platform" && caller.approver !== undefined))

/** What a read shows needs its permission in the journal as well. What a change answers is read with VIEW elsewhere. */
const answerPermissionOf = ({ annotations, method }: HttpApiEndpoint.Top) =>
  method === "GET" ? Context.get(annotations, Access).tokenPermission : undefined

const digested = ({ members }: MaskedMembers, digestOf: (text: string) => string) =>
  Object.fromEntries([...members].flatMap(([at, text]) => (text === undefined ? [] : [[at, digestOf(text)]])))

const digestsOf = ({ credential, received, sent }: MaskedTexts, digestOf: (text: string) => string): MaskedDigests => ({
  sent: digested(sent, digestOf),
  received: digested(received, digestOf),
  ...(credential === undefined ? {} : { credential: digestOf(credential) }),
})

/** Adds a request to the journal when it has been answered. A failure to do so is logged and changes no answer. */
export const keeping =
  (journal: RequestJournal, neutralOf: (name: string) => string) =>
  (request: HttpServerRequest.HttpServerRequest, requestId: string, sentAgainFrom?: string) =>
  <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.withFiber<HttpServerResponse.HttpServerResponse, E, R>((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      const notes: RequestNotes = {}
      const trace = makeRequestTrace()
      const at = clock.currentTimeMillisUnsafe()
      const receivedAt = at - journal.aheadMillis()
      const startNanos = clock.currentTimeNanosUnsafe()
      const keep = (response: HttpServerResponse.HttpServerResponse) => {
        const { caller, endpoint } = notes
        // A device code is redeemed without credentials: the platform is that of what it wrote.
        const platformId = caller?.platformId ?? trace.platformId
        if (endpoint === undefined || platformId === undefined || isLooking(notes)) return
        const durationMillis = Math.round(Number(clock.currentTimeNanosUnsafe() - startNanos) / 1e6)
        // The trace and the notes are those of the answer, whatever still runs.
        const answered = {
          request: { headers: request.headers, method: request.method, url: request.url },
          response,
          requestId,
          sentAgainFrom,
          trace: { rules: trace.rules, commits: trace.commits },
          notes: { ...notes, endpoint },
          at,
          receivedAt,
          durationMillis,
          neutralOf,
        }
        journal.add(platformId, {
          characters: charactersOf(answered),
          answerPermission: answerPermissionOf(endpoint),
          masked: () => {
            const { request: kept, secrets } = keptRequest(answered)
            return { request: kept, digests: digestsOf(secrets, journal.digestOf) }
          },
        })
      }
      const traced = Effect.provideService(Effect.provideService(answer, CurrentNotes, notes), RequestTrace, trace)
      return Effect.tap(traced, (response) =>
        Effect.catchCause(
          Effect.sync(() => keep(response)),
          (cause) => Effect.logWarning("a request could not be kept", cause),
        ),
      )
    })
