/**
 * Open streams of server-sent events: their number, their messages, and their ends.
 * Source: D-453; HTML Living Standard, 9.2.6 (interpreting an event stream).
 */
import { type Caller, ChangeWatch, CurrentCaller, type Refusal, ServiceError } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { Context, Effect, FiberSet, Latch, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { type ServerLimits, serverLimits } from "./ServerLimits.ts"

export type ChangeStreamBounds = Pick<ServerLimits, "changeStreamsMax" | "changeStreamsPerTenantMax">

/** The bounds of the server. */
export const ChangeStreamLimits = Context.Reference<ChangeStreamBounds>(
  "@countersign/adapter-http/ChangeStreamLimits",
  {
    defaultValue: () => ({
      changeStreamsMax: serverLimits.changeStreamsMax.byDefault,
      changeStreamsPerTenantMax: serverLimits.changeStreamsPerTenantMax.byDefault,
    }),
  },
)

const times = {
  /** At most four messages a second. */
  pauseMillis: 250,
  /** A comment shows both sides that the connection lives, and the caller is authenticated again. */
  heartbeatMillis: 15_000,
  /** A reader that has not taken a message for so long has left. */
  unreadMillisMax: 30_000,
  /** How soon a browser connects again. */
  retryMillis: 2_000,
} as const

const headers = {
  // A proxy must neither keep nor compress what it should pass on at once.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
}

const tooMany = (limit: number, bound: keyof ChangeStreamBounds): Refusal => ({
  code: "RATE_LIMITED",
  message: `At most ${limit} streams of changes may be open${bound === "changeStreamsMax" ? "" : " for a platform"}. Close one, or read the lists again from time to time.`,
  details: { reason: "TOO_MANY_STREAMS", limit, retryAfterSeconds: 30 },
})

/** The part of a `ReadableStream`'s controller that a stream uses. */
type Controller = Pick<ReadableStreamDefaultController<Uint8Array>, "close" | "desiredSize" | "enqueue" | "error">

const encoder = new TextEncoder()

export class ChangeStreams extends Context.Service<
  ChangeStreams,
  {
    /** Opens a stream for the caller, which ends when `authenticate` fails. */
    readonly open: <E>(
      authenticate: Effect.Effect<unknown, E>,
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, ServiceError, CurrentCaller>
  }
>()("@countersign/adapter-http/ChangeStreams") {
  static readonly layer = Layer.effect(
    ChangeStreams,
    Effect.gen(function* () {
      const changes = yield* ChangeWatch
      const wall = yield* WallTime
      const bounds = yield* ChangeStreamLimits
      // They end with the services.
      const fork = yield* FiberSet.makeRuntime<never, void, never>()
      const byPlatform = new Map<string, number>()
      let all = 0

      const take = (platformId: string): keyof ChangeStreamBounds | undefined => {
        const count = byPlatform.get(platformId) ?? 0
        if (count >= bounds.changeStreamsPerTenantMax) return "changeStreamsPerTenantMax"
        if (all >= bounds.changeStreamsMax) return "changeStreamsMax"
        all += 1
        byPlatform.set(platformId, count + 1)
        return undefined
      }
      const give = (platformId: string): void => {
        all -= 1
        const left = (byPlatform.get(platformId) ?? 0) - 1
        if (left > 0) byPlatform.set(platformId, left)
        else byPlatform.delete(platformId)
      }

      /** Writes messages until the caller may not read them any more, or does not. */
      const write = Effect.fnUntraced(function* <E>(controller: Controller, authenticate: Effect.Effect<unknown, E>) {
        const unsent = new Set<string>()
        const hasUnsent = yield* Latch.make()
        yield* changes.watch((topics) => {
          for (const topic of topics) unsent.add(topic)
          hasUnsent.openUnsafe()
        })
        const send = (text: string) => controller.enqueue(encoder.encode(text))
        send(`retry: ${times.retryMillis}\n\n`)
        let checkedAt = yield* wall.now
        let takenAt = checkedAt
        for (;;) {
          yield* Effect.raceFirst(hasUnsent.await, wall.sleep(times.heartbeatMillis))
          hasUnsent.closeUnsafe()
          const now = yield* wall.now
          if (unsent.has("access") || now - checkedAt >= times.heartbeatMillis) {
            yield* authenticate
            checkedAt = now
          }
          if ((controller.desiredSize ?? 0) > 0) {
            send(unsent.size === 0 ? ":\n\n" : `event: changed\ndata: ${JSON.stringify({ topics: [...unsent] })}\n\n`)
            unsent.clear()
            takenAt = now
          } else if (now - takenAt >= times.unreadMillisMax) {
            controller.error(new Error("the reader does not read"))
            return
          }
          yield* wall.sleep(times.pauseMillis)
        }
      }, Effect.scoped)

      const bodyOf = <E>(caller: Caller, authenticate: Effect.Effect<unknown, E>): ReadableStream<Uint8Array> => {
        let stop = () => {}
        return new ReadableStream<Uint8Array>({
          start: (controller) => {
            const end = Effect.sync(() => {
              give(caller.platformId)
              try {
                controller.close()
              } catch {
                // The reader has cancelled it, or it has failed.
              }
            })
            const fiber = fork(
              write(controller, authenticate).pipe(
                Effect.provideService(CurrentCaller, caller),
                Effect.ignore,
                Effect.ensuring(end),
              ),
            )
            stop = () => fiber.interruptUnsafe()
          },
          cancel: () => stop(),
        })
      }

      return ChangeStreams.of({
        open: (authenticate) =>
          Effect.gen(function* () {
            const caller = yield* CurrentCaller
            const beyond = take(caller.platformId)
            if (beyond !== undefined) return yield* new ServiceError(tooMany(bounds[beyond], beyond))
            return HttpServerResponse.raw(bodyOf(caller, authenticate), { contentType: "text/event-stream", headers })
          }),
      })
    }),
  )
}
