/**
 * Device codes: an agent's software redeems one, once, for its access token.
 * Source: wire contract 1.5 and 11 (11); D-337.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { issueDeviceCode, redeemDeviceCode, refusedCodeKey } from "../../decision/agent/DeviceCodeDecision.ts"
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type {
  AgentDeviceCode,
  AgentDeviceCodeRedeemResponse,
  AgentDeviceCodeStatusResponse,
} from "../../model/agent/AgentResource.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { WrongSecrets } from "../../operation/WrongSecrets.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { AgentTokenLifetime } from "../../settings/AgentTokenLifetime.ts"
import { CurrentCaller, tenant } from "../../store/Caller.ts"
import { deviceCodeClaim } from "../../store/Claims.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadAgent } from "./AgentLoads.ts"

type Failure = ServiceError | StoreUnavailable

/** The maximum number of open codes of one agent. Each new code invalidates the earlier ones. */
const openCodesMax = 100

/** Looks up a device code by its plain text, across all platforms. Errors: `REFERENCE_NOT_FOUND`. */
const resolveCode = Effect.fnUntraced(function* (code: string) {
  const store = yield* Store
  const found = yield* store.resolve(deviceCodeClaim(Secrets.hash(code)))
  return found ?? (yield* new ServiceError(notFound("device code")))
})

const loadForIssue = Effect.fnUntraced(function* (read: Operation.Read, agentId: string) {
  const store = yield* Store
  const agent = yield* loadAgent(read, agentId)
  const open = yield* store.list(
    "DeviceCode",
    { agentId: { eq: agentId }, status: { eq: "ISSUED" } },
    { limit: openCodesMax, order: "desc" },
  )
  return { agent, openCodes: open.data }
})

const loadDeviceCode = Effect.fnUntraced(function* <E>(read: Operation.Read<E>, codeId: string) {
  const found = yield* read({ records: [{ kind: "DeviceCode", id: codeId }] })
  const deviceCode = found.record("DeviceCode", codeId)
  if (deviceCode === undefined) return yield* new ServiceError(notFound("device code"))
  const { agentId } = deviceCode.data
  const agent = (yield* read({ records: [{ kind: "Agent", id: agentId }] })).record("Agent", agentId)
  if (agent === undefined) return yield* new ServiceError(notFound("device code"))
  return { deviceCode, agent }
})

/** Loads the code, and whether a refusal of it has been audited in this window. */
const loadForRedemption = Effect.fnUntraced(function* (read: Operation.Read, codeId: string) {
  const loaded = yield* loadDeviceCode(read, codeId)
  const auditedKey = refusedCodeKey(loaded.agent.id, yield* Clock.currentTimeMillis)
  return { ...loaded, auditedKey, audited: (yield* read({ counters: [auditedKey] })).counter(auditedKey) }
})

export class DeviceCodes extends Context.Service<
  DeviceCodes,
  {
    /** Issues a new code and invalidates the agent's earlier ones. Errors: `CONFLICT` while the agent is connected. */
    readonly issue: (agentId: string) => Effect.Effect<Operation.Answered<AgentDeviceCode>, Failure, CurrentCaller>
    readonly status: (code: string) => Effect.Effect<AgentDeviceCodeStatusResponse, Failure, CurrentCaller>
    /** Returns the access token, shown once. It needs no other credentials than the code. `source`: the network of the client. */
    readonly redeem: (
      code: string,
      source?: string,
    ) => Effect.Effect<Operation.Answered<AgentDeviceCodeRedeemResponse>, Failure>
  }
>()("@countersign/core/DeviceCodes") {
  static readonly layer = Layer.effect(
    DeviceCodes,
    Effect.gen(function* () {
      const store = yield* Store
      const wrongSecrets = yield* WrongSecrets
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const issue = Effect.fnUntraced(
        function* (agentId: string) {
          const code = yield* Secrets.deviceCode
          return yield* Operation.run({
            name: "DeviceCodes.issue",
            load: (read) => loadForIssue(read, agentId),
            decide: issueDeviceCode(code),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      /** Runs what a code identifies. A code that is unknown or of no use any more counts as a wrong one of its source. */
      const counting =
        (source: string | undefined) =>
        <A, R>(used: Effect.Effect<A, Failure, R>): Effect.Effect<A, Failure, R> => {
          const attempt = { limit: "WRONG_DEVICE_CODES", source } as const
          const isWrong = (error: Failure): boolean =>
            error._tag === "ServiceError" && (error.code === "REFERENCE_NOT_FOUND" || error.code === "INVALID_INPUT")
          return Effect.andThen(
            wrongSecrets.admit(attempt),
            Effect.tapError(used, (error) => (isWrong(error) ? wrongSecrets.count(attempt) : Effect.void)),
          )
        }

      const redeem = (code: string, source?: string) =>
        Effect.gen(function* () {
          const { id, platformId } = yield* resolveCode(code)
          const accessToken = yield* Secrets.agentToken
          const lifetimeMillis = yield* AgentTokenLifetime
          return yield* Operation.run({
            name: "DeviceCodes.redeem",
            load: (read) => loadForRedemption(read, id),
            decide: redeemDeviceCode(accessToken, lifetimeMillis),
          }).pipe(Effect.provideService(CurrentCaller, tenant(platformId)))
        }).pipe(counting(source), Effect.provideContext(services))

      const findStatus = Effect.fnUntraced(function* (code: string, platformId: string) {
        const found = yield* resolveCode(code)
        if (found.platformId !== platformId) return yield* new ServiceError(notFound("device code"))
        const { deviceCode } = yield* loadDeviceCode(store.read, found.id)
        return { code, redeemed: deviceCode.data.status === "REDEEMED" }
      })

      // The platform is the source: its credential says more than its address.
      const status = (code: string) =>
        Effect.flatMap(CurrentCaller, ({ platformId }) => counting(platformId)(findStatus(code, platformId))).pipe(
          Effect.provideContext(services),
        )

      return DeviceCodes.of({ issue, redeem, status })
    }),
  )
}
