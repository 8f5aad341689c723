/**
 * The inbox of a platform: an address of the sandbox itself for webhooks, and the messages that arrived there.
 * Source: D-473.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { auditInbox } from "../../decision/inbox/InboxDecision.ts"
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import { notFound, type Refusal, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { encodeCursor, limitDefault, totalCountOf } from "../../foundation/kit/Page.ts"
import type { AuditOperation } from "../../model/audit/AuditRecord.ts"
import type {
  InboxAnswers,
  InboxMessage,
  InboxMessageListResponse,
  InboxMessageSummary,
  InboxRequest,
  InboxResource,
  InboxVerification,
} from "../../model/inbox/InboxResource.ts"
import { positionAfter } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { WallTime } from "../../ports/WallTime.ts"
import { WebhookInbox } from "../../ports/WebhookInbox.ts"
import { WebhookSigner } from "../../ports/WebhookSigner.ts"
import { CurrentCaller, tenant } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { Platforms } from "../platform/Platforms.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

/** A message as it arrived. */
export interface ReceivedMessage {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly bytes: number
  readonly verification: InboxVerification
  /** Those of the verified event. */
  readonly event?: { readonly id: string; readonly type: string }
}

/** No webhook is signed by this key: their numbers begin at 1. */
const inboxKeyNumber = 0
const prefix = "PlatformConfig:"
const name = /^([0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})-[0-9a-f]{32}$/u

const hasNone: Refusal = { code: "NOT_IMPLEMENTED", message: "This deployment has no inboxes." }
const tooMany: Refusal = { code: "RATE_LIMITED", message: "Too many messages arrived in this second." }

const summaryOf = ({ body, headers, ...summary }: InboxMessage): InboxMessageSummary => summary

export class Inboxes extends Context.Service<
  Inboxes,
  {
    /** `addressOf` gives the address of a name. */
    readonly get: (addressOf: (name: string) => string) => Result<InboxResource>
    /** Makes it the platform's endpoint, unless the request declines. Errors: those of the platform's configuration. */
    readonly open: (request: InboxRequest, addressOf: (name: string) => string) => Result<InboxResource>
    readonly list: (query: { readonly limit?: number; readonly cursor?: string }) => Result<InboxMessageListResponse>
    readonly message: (id: string) => Result<InboxMessage>
    readonly clear: Result<void>
    readonly answerNext: (answers: InboxAnswers) => Result<void>
    /** Returns the platform to which a name belongs, and the wall time (ms). Errors: 404, and 429 for too many messages. */
    readonly admit: (
      name: string,
    ) => Effect.Effect<{ readonly platformId: string; readonly now: number }, ServiceError | StoreUnavailable>
    /** Keeps a message of the caller's platform, and returns how to answer it, after the chosen time. */
    readonly receive: (
      received: ReceivedMessage,
    ) => Effect.Effect<InboxAnswers | undefined, ServiceError, CurrentCaller>
  }
>()("@countersign/core/Inboxes") {
  static readonly layer = Layer.effect(
    Inboxes,
    Effect.gen(function* () {
      const inbox = yield* WebhookInbox
      const signer = yield* WebhookSigner
      const store = yield* Store
      const platforms = yield* Platforms
      const wall = yield* WallTime
      const required = inbox === undefined ? Effect.fail(new ServiceError(hasNone)) : Effect.succeed(inbox)
      const own = Effect.all([required, Effect.map(CurrentCaller, ({ platformId }) => platformId)])

      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()
      const audit = (operation: AuditOperation) =>
        Operation.run({
          name: "Inboxes.record",
          ids: 1,
          load: () => Effect.void,
          decide: auditInbox(operation),
        }).pipe(Effect.provideContext(services))

      /** Derived from a root of the deployment, so that it survives a restart and nothing about it is stored. */
      const nameBy = Effect.fnUntraced(function* (rootId: string, platformId: string) {
        const key = yield* signer.platformKey({ platformId, rootId, number: inboxKeyNumber })
        if (key === undefined) return undefined
        return `${platformId.slice(prefix.length)}-${Secrets.hash(yield* key.authenticate("inbox")).slice(0, 32)}`
      })

      const resource = Effect.fnUntraced(function* (addressOf: (name: string) => string) {
        const [{ nextAnswers }, platformId] = yield* own
        const url = addressOf((yield* nameBy(signer.roots[0], platformId)) ?? "")
        const { webhookEndpoint } = yield* platforms.config
        const answers = nextAnswers(platformId)
        return {
          url,
          isEndpoint: webhookEndpoint === url,
          ...(answers === undefined ? {} : { nextAnswers: answers }),
        }
      })

      return Inboxes.of({
        get: (addressOf) => platformOnly(resource(addressOf)),
        open: Effect.fnUntraced(function* ({ setAsEndpoint = true }, addressOf) {
          const before = yield* resource(addressOf)
          yield* audit("SANDBOX_INBOX_OPEN")
          if (!setAsEndpoint || before.isEndpoint) return before
          yield* platforms.updateConfig({ webhookEndpoint: before.url })
          return { ...before, isEndpoint: true }
        }, platformOnly),
        list: Effect.fnUntraced(function* ({ cursor, limit = limitDefault }) {
          const [{ of }, platformId] = yield* own
          const binding = { list: "inbox" }
          const after = yield* positionAfter(cursor, binding)
          const all = of(platformId).toReversed()
          const rest = after === undefined ? all : all.filter(({ number }) => number < after.createdAt)
          const page = rest.slice(0, limit)
          const last = rest.length > limit ? page.at(-1) : undefined
          return {
            data: page.map(({ message }) => summaryOf(message)),
            hasMore: last !== undefined,
            ...(last === undefined
              ? {}
              : { nextCursor: encodeCursor({ createdAt: last.number, id: last.message.id }, binding) }),
            ...totalCountOf(all.length),
          }
        }, platformOnly),
        message: Effect.fnUntraced(function* (id) {
          const [{ of }, platformId] = yield* own
          const found = of(platformId).find(({ message }) => message.id === id)
          return found?.message ?? (yield* new ServiceError(notFound("message")))
        }, platformOnly),
        clear: Effect.gen(function* () {
          const [{ clear }, platformId] = yield* own
          yield* audit("SANDBOX_INBOX_CLEAR")
          clear(platformId)
        }).pipe(platformOnly),
        answerNext: Effect.fnUntraced(function* (answers) {
          const [{ answerNext }, platformId] = yield* own
          yield* audit("SANDBOX_INBOX_ANSWER")
          answerNext(platformId, answers)
        }, platformOnly),
        admit: Effect.fnUntraced(function* (given) {
          const { admit } = yield* required
          const platformId = `${prefix}${name.exec(given)?.[1] ?? ""}`
          // No key is derived for a platform that a stranger invents.
          const { record } = yield* store
            .read({ records: [{ kind: "Platform", id: platformId }] })
            .pipe(Effect.provideService(CurrentCaller, tenant(platformId)))
          const names =
            record("Platform", platformId) === undefined
              ? []
              : yield* Effect.forEach(signer.roots, (root) => nameBy(root, platformId))
          const isKnown = names.some((known) => known !== undefined && Secrets.equal(known, given))
          if (!isKnown) return yield* new ServiceError(notFound("inbox"))
          const now = yield* wall.now
          return admit(platformId, now) ? { platformId, now } : yield* new ServiceError(tooMany)
        }),
        receive: Effect.fnUntraced(function* ({ event, ...received }) {
          const [{ add, of, takeAnswer }, platformId] = yield* own
          const answers = takeAnswer(platformId)
          const earlier = of(platformId).filter(({ message }) => message.eventId === event?.id)
          add(platformId, {
            ...received,
            ...(event === undefined
              ? {}
              : { type: event.type, eventId: event.id, delivery: (earlier.at(-1)?.message.delivery ?? 0) + 1 }),
            receivedAt: iso(yield* wall.now),
            answeredStatus: answers?.status ?? 200,
          })
          if (answers?.delayMillis !== undefined) yield* wall.sleep(answers.delayMillis)
          return answers
        }),
      })
    }),
  )
}
