/**
 * Invitations: created by a customer's platform, read and claimed by any platform that knows the code, cancelled by the first.
 * Source: wire contract areas 1.4; D-405, D-406, D-407.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  cancelInvitation,
  claimByResponse,
  claimInvitation,
  createInvitation,
  expireInvitation,
  type InvitationCreationLoaded,
  invitationCurrency,
} from "../../decision/invitation/InvitationDecision.ts"
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { isUmaAddress, umaAddressParts } from "../../model/customer/UmaAddress.ts"
import {
  toInvitation,
  type UmaInvitation,
  type UmaInvitationClaimRequest,
  type UmaInvitationCreateRequest,
} from "../../model/invitation/InvitationResource.ts"
import { invalidUmaAddress } from "../../model/receiver/UmaRefusals.ts"
import { finishing, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import { WrongSecrets } from "../../operation/WrongSecrets.ts"
import { InviteeResponses } from "../../ports/InviteeResponses.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { InvitationBaseUrl } from "../../settings/InvitationBaseUrl.ts"
import { asOf } from "../../store/AsOf.ts"
import { type Caller, CurrentCaller, tenant } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { invitationClaim, umaDomainClaim } from "../../store/Claims.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { findCustomerByUmaAddress } from "../receiver/ReceiverReads.ts"

type Failure = ServiceError | StoreUnavailable
type Answer = Effect.Effect<Operation.Answered<UmaInvitation>, Failure, CurrentCaller>

const invitationNotFound = notFound("invitation", "INVITATION_NOT_FOUND")

const decodeEnd = Schema.decodeUnknownEffect(Schema.Struct({ invitationId: Schema.String }))
const decodeClaim = Schema.decodeUnknownEffect(
  Schema.Struct({ invitationId: Schema.String, code: Schema.String, inviteeUma: Schema.String }),
)

/** Looks up an invitation by its code, across all platforms. Errors: `INVITATION_NOT_FOUND`. */
const resolveCode = Effect.fnUntraced(function* (code: string) {
  const store = yield* Store
  const found = yield* store.resolve(invitationClaim(Secrets.hash(code)))
  return found?.kind === "Invitation" ? found : yield* new ServiceError(invitationNotFound)
})

const loadForCreation = Effect.fnUntraced(function* (read: Operation.Read, inviterUma: string) {
  const { platformId } = yield* CurrentCaller
  const platform = yield* readExisting(read, "Platform", platformId, notFound("platform"))
  const loaded: InvitationCreationLoaded = {
    platform,
    customer: yield* findCustomerByUmaAddress(platform.data, inviterUma),
  }
  return loaded
})

const loadInvitation = (read: Operation.Read, id: string) =>
  Effect.map(readExisting(read, "Invitation", id, invitationNotFound), (invitation) => ({ invitation }))

/** False for an address under the domain of a platform of this deployment that is no customer's of it. */
const isKnownAddress = Effect.fnUntraced(function* (address: string) {
  const store = yield* Store
  const platform = yield* store.resolve(umaDomainClaim(umaAddressParts(address).domain))
  if (platform?.kind !== "Platform") return true
  const customer = findCustomerByUmaAddress(platform.data, address)
  return (yield* Effect.provideService(customer, CurrentCaller, tenant(platform.id))) !== undefined
})

/** The caller for the commit: an invitation belongs to the inviter's platform, whichever platform claims it. */
const callerFor = (caller: Caller, { platformId }: Stored<"Invitation">): Caller =>
  caller.platformId === platformId ? caller : tenant(platformId)

/** An answer is stored at the inviter's platform, where the keys of other platforms must not meet. */
const keyFor = (caller: Caller, keyed: Operation.Keyed | undefined): Operation.Keyed | undefined =>
  keyed && { ...keyed, key: `${caller.platformId} ${keyed.key}` }

export class Invitations extends Context.Service<
  Invitations,
  {
    /** Errors: `INVALID_UMA_ADDRESS`, `INVALID_INPUT`, `INVITATIONS_NOT_CONFIGURED`. */
    readonly create: (request: UmaInvitationCreateRequest, keyed?: Operation.Keyed) => Answer
    /** Errors: `INVITATION_NOT_FOUND`; `RATE_LIMITED` after too many unknown codes. */
    readonly get: (code: string) => Effect.Effect<UmaInvitation, Failure, CurrentCaller>
    /** Errors: those of `get`, `INVALID_UMA_ADDRESS`, `INVITATION_ALREADY_CLAIMED`, `INVITATION_CANCELLED`, `INVALID_INPUT`. */
    readonly claim: (code: string, request: UmaInvitationClaimRequest, keyed?: Operation.Keyed) => Answer
    /** Errors: those of `claim` about its state; `FORBIDDEN` to another platform than the inviter's. */
    readonly cancel: (code: string, keyed?: Operation.Keyed) => Answer
    /** Handles the end of an invitation: stores its expiry. */
    readonly end: JobHandler
    /** Handles the claim of an invitee who responds without a request of a platform. */
    readonly respond: JobHandler
  }
>()("@countersign/core/Invitations") {
  static readonly layer = Layer.effect(
    Invitations,
    Effect.gen(function* () {
      const baseUrl = yield* InvitationBaseUrl
      const responses = yield* InviteeResponses
      const wrongSecrets = yield* WrongSecrets
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      /** Runs what a code identifies. An unknown code counts as a wrong one of the caller's platform. */
      const counting = Effect.fnUntraced(function* <A, R>(used: Effect.Effect<A, Failure, R>) {
        const { platformId } = yield* CurrentCaller
        const attempt = { limit: "WRONG_INVITATION_CODES", source: platformId } as const
        yield* wrongSecrets.admit(attempt)
        return yield* Effect.tapError(used, (error) =>
          error._tag === "ServiceError" && error.code === "INVITATION_NOT_FOUND"
            ? wrongSecrets.count(attempt)
            : Effect.void,
        )
      })

      const create = Effect.fnUntraced(
        function* (request: UmaInvitationCreateRequest, keyed?: Operation.Keyed) {
          const code = yield* Secrets.invitationCode
          const { firstName, inviterUma } = request
          return yield* Operation.run({
            name: "Invitations.create",
            keyed,
            load: (read) => loadForCreation(read, inviterUma),
            ask: (loaded) =>
              Effect.map(responses.find({ firstName, currency: invitationCurrency(loaded) }), (response) => ({
                response,
              })),
            decide: createInvitation({ request, code, baseUrl }),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const get = Effect.fnUntraced(
        function* (code: string) {
          const caller = yield* CurrentCaller
          const found = yield* resolveCode(code)
          const isOwner = found.platformId === caller.platformId
          return toInvitation(asOf(found, yield* Clock.currentTimeMillis), code, isOwner)
        },
        counting,
        platformOnly,
        Effect.provideContext(services),
      )

      const claim = Effect.fnUntraced(
        function* (code: string, { inviteeUma }: UmaInvitationClaimRequest, keyed?: Operation.Keyed) {
          const claimant = yield* CurrentCaller
          if (!isUmaAddress(inviteeUma)) return yield* new ServiceError(invalidUmaAddress("inviteeUma"))
          const found = yield* resolveCode(code)
          return yield* Operation.run({
            name: "Invitations.claim",
            keyed: keyFor(claimant, keyed),
            load: (read) => loadInvitation(read, found.id),
            ask: () => Effect.map(isKnownAddress(inviteeUma), (isInviteeKnown) => ({ isInviteeKnown })),
            decide: claimInvitation({ code, inviteeUma, claimant }),
          }).pipe(Effect.provideService(CurrentCaller, callerFor(claimant, found)))
        },
        counting,
        platformOnly,
        Effect.provideContext(services),
      )

      const cancel = Effect.fnUntraced(
        function* (code: string, keyed?: Operation.Keyed) {
          const caller = yield* CurrentCaller
          const found = yield* resolveCode(code)
          return yield* Operation.run({
            name: "Invitations.cancel",
            keyed: keyFor(caller, keyed),
            load: (read) => loadInvitation(read, found.id),
            decide: cancelInvitation(code, caller),
          }).pipe(Effect.provideService(CurrentCaller, callerFor(caller, found)))
        },
        counting,
        platformOnly,
        Effect.provideContext(services),
      )

      const end: JobHandler = Effect.fnUntraced(function* (job) {
        const { invitationId } = yield* Effect.orDie(decodeEnd(job.payload))
        yield* Operation.run({
          name: "Invitations.end",
          load: (read) => loadInvitation(read, invitationId),
          decide: ({ invitation }, { now }) =>
            Operation.answer(200, null, Changes.combine(expireInvitation(invitation, now), finishing(job))),
        })
      })

      const respond: JobHandler = Effect.fnUntraced(function* (job) {
        const { invitationId, ...response } = yield* Effect.orDie(decodeClaim(job.payload))
        yield* Operation.run({
          name: "Invitations.respond",
          load: (read) => loadInvitation(read, invitationId),
          decide: ({ invitation }, context) =>
            Operation.answer(
              200,
              null,
              Changes.combine(claimByResponse(invitation, response, context), finishing(job)),
            ),
        })
      })

      return Invitations.of({ create, get, claim, cancel, end, respond })
    }),
  )
}
