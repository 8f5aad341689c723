/**
 * The worlds of a sandbox: saves the whole state of its store under a name, replaces it by a saved one, and empties it.
 * Source: D-470, D-471.
 */
import { Clock, Context, Effect, Layer, Option, Schema, Semaphore } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  auditReplacedWorld,
  auditWorld,
  sharedByPlatforms,
  tooManyWorlds,
  worldExists,
  worldInvalid,
  worldsMax,
  worldsNotOffered,
} from "../../decision/world/WorldDecision.ts"
import { notFound, type Refusal, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { limitMax } from "../../foundation/kit/Page.ts"
import type { AuditOperation } from "../../model/audit/AuditRecord.ts"
import {
  type WorldFile,
  type WorldForkRequest,
  type WorldListResponse,
  WorldName,
  type WorldResource,
  type WorldSaveRequest,
  type WorldState,
} from "../../model/world/WorldResource.ts"
import { where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { PortFaults, WithoutStoreFaults } from "../../ports/PortFaults.ts"
import { RequestJournal } from "../../ports/RequestJournal.ts"
import { SavedWorlds, type SavedWorldsUnavailable, savedWorldsInMemory } from "../../ports/SavedWorlds.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { WebhookInbox } from "../../ports/WebhookInbox.ts"
import { WorldPacking } from "../../ports/WorldPacking.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import { inPresentGeneration } from "../../store/StateGate.ts"
import { type ImageInvalid, StateImages } from "../../store/StateImages.ts"
import { Store, StoreUnavailable } from "../../store/Store.ts"
import * as WorldFiles from "./WorldFiles.ts"

type Failure = ServiceError | StoreUnavailable
type Result<A> = Effect.Effect<A, Failure, CurrentCaller>

const isWorldName = Schema.is(WorldName)
const worldNotFound = notFound("saved world")

const toFailure = (error: ImageInvalid | SavedWorldsUnavailable | Failure): Failure => {
  if (error._tag === "ImageInvalid")
    return new ServiceError(worldInvalid(error.message.replaceAll(/\s+/gu, " ").slice(0, 200)))
  return error._tag === "SavedWorldsUnavailable" ? new StoreUnavailable({ unknown: false, cause: error.cause }) : error
}

const refuseIf = (isRefused: boolean, refusal: Refusal): Effect.Effect<void, ServiceError> =>
  isRefused ? Effect.fail(new ServiceError(refusal)) : Effect.void

export class Worlds extends Context.Service<
  Worlds,
  {
    readonly list: Result<WorldListResponse>
    /** Errors: `CONFLICT` if a world of this name exists and is not to be replaced, or if too many exist. */
    readonly save: (request: WorldSaveRequest) => Result<WorldResource>
    /** Saves the world under a new name, with which the server continues. */
    readonly fork: (request: WorldForkRequest) => Result<WorldResource>
    /** Errors: `REFERENCE_NOT_FOUND`; `INVALID_INPUT` for a world that this server cannot load: nothing is changed then. */
    readonly load: (name: string) => Result<WorldState>
    readonly remove: (name: string) => Result<void>
    readonly file: (name: string) => Result<WorldFile>
    readonly importFile: (file: WorldFile) => Result<WorldResource>
    readonly reset: Result<WorldState>
  }
>()("@countersign/core/Worlds") {
  static readonly layer = Layer.effect(
    Worlds,
    Effect.gen(function* () {
      const store = yield* Store
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()
      const images = yield* StateImages
      const packing = yield* WorldPacking
      const saved = (yield* SavedWorlds) ?? savedWorldsInMemory()
      const tools = images !== undefined && packing !== undefined ? Option.some({ images, packing }) : Option.none()
      const journal = yield* RequestJournal
      const inbox = yield* WebhookInbox
      const faults = yield* PortFaults
      const turn = yield* Semaphore.make(1)

      /** Runs an operation on the worlds for the one platform of a server that saves them, one at a time. */
      const managed = <A, E extends ImageInvalid | SavedWorldsUnavailable | Failure, R>(
        use: (tools: WorldFiles.WorldTools) => Effect.Effect<A, E, R>,
      ) =>
        platformOnly(
          Effect.gen(function* () {
            if (Option.isNone(tools)) return yield* new ServiceError(worldsNotOffered)
            yield* refuseIf((yield* store.platformCount) > 1, sharedByPlatforms)
            return yield* turn.withPermits(1)(use(tools.value))
          }),
        ).pipe(
          Effect.provideContext(services),
          Effect.provideService(WithoutStoreFaults, true),
          Effect.mapError(toFailure),
        )

      const read = Effect.fnUntraced(function* (name: string) {
        // Any other text in a path could be the path of another file.
        const found = isWorldName(name) ? yield* saved.read(name) : undefined
        if (found === undefined) return yield* new ServiceError(worldNotFound)
        return yield* WorldFiles.fromSaved(found)
      })

      const audit = (operation: AuditOperation, name: string) =>
        Operation.run({
          name: "Worlds.record",
          ids: 1,
          load: () => Effect.void,
          decide: auditWorld(operation, name),
        })

      const write = Effect.fnUntraced(function* (file: WorldFile, replaces: boolean) {
        const names = (yield* saved.list).map(({ name }) => name)
        const exists = names.includes(file.name)
        yield* refuseIf(exists && !replaces, worldExists(file.name))
        yield* refuseIf(!exists && names.length >= worldsMax, tooManyWorlds)
        const world = WorldFiles.toSaved(file)
        yield* saved.write(file.name, world)
        return WorldFiles.resourceOf(yield* WorldFiles.headerOf(world.header))
      })

      /** What the process keeps about the earlier world would name records that the present one does not have, or has otherwise. */
      const forget = Effect.map(CurrentCaller, ({ platformId }) => {
        journal?.clear(platformId)
        inbox?.clear(platformId)
      })

      /** Continues in the replaced world. `before`: how far the clock was ahead. */
      const enter = Effect.fnUntraced(function* (operation: AuditOperation, before: number, name?: string) {
        yield* forget
        yield* saved.setCurrent(name)
        yield* Operation.run({
          name: "Worlds.enter",
          ids: 1,
          load: () =>
            Effect.map(
              store.list("ConsoleSession", where({ status: "ACTIVE" }), { limit: limitMax, order: "desc" }),
              ({ data }) => data,
            ),
          decide: auditReplacedWorld(operation, store.aheadMillis() - before, name),
        })
        const businessTime = iso(yield* Clock.currentTimeMillis)
        return { businessTime, ...(name === undefined ? {} : { current: name }) }
      }, inPresentGeneration)

      return Worlds.of({
        list: managed(() =>
          Effect.gen(function* () {
            const worlds = yield* saved.list
            // A file that was damaged outside the server is not shown.
            const headers = yield* Effect.forEach(worlds, ({ header }) => Effect.option(WorldFiles.headerOf(header)))
            const current = yield* saved.current
            return {
              ...(current === undefined ? {} : { current }),
              data: headers
                .flatMap(Option.toArray)
                .map(WorldFiles.resourceOf)
                .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
            }
          }),
        ),
        save: ({ name, replaces = false }) =>
          managed((own) =>
            Effect.gen(function* () {
              const world = yield* write(yield* WorldFiles.captured(name, own), replaces)
              if ((yield* saved.current) === undefined) yield* saved.setCurrent(name)
              yield* audit("SANDBOX_WORLD_SAVE", name)
              return world
            }),
          ),
        fork: ({ name }) =>
          managed((own) =>
            Effect.gen(function* () {
              const world = yield* write(yield* WorldFiles.captured(name, own), false)
              yield* saved.setCurrent(name)
              yield* audit("SANDBOX_WORLD_FORK", name)
              return world
            }),
          ),
        load: (name) =>
          managed((own) =>
            Effect.gen(function* () {
              const state = yield* WorldFiles.stateOf(yield* read(name), own)
              const before = store.aheadMillis()
              const { platformId } = yield* CurrentCaller
              yield* own.images.replace(state, platformId)
              return yield* enter("SANDBOX_WORLD_LOAD", before, name)
            }),
          ),
        remove: (name) =>
          managed(() =>
            Effect.gen(function* () {
              yield* read(name)
              yield* saved.remove(name)
              if ((yield* saved.current) === name) yield* saved.setCurrent(undefined)
              yield* audit("SANDBOX_WORLD_DELETE", name)
            }),
          ),
        file: (name) => managed((own) => Effect.flatMap(read(name), (saved) => WorldFiles.exported(saved, own))),
        importFile: (file) =>
          managed((own) =>
            Effect.gen(function* () {
              const world = yield* write(yield* WorldFiles.imported(file, own), false)
              yield* audit("SANDBOX_WORLD_IMPORT", file.name)
              return world
            }),
          ),
        reset: managed(({ images: { reset } }) =>
          Effect.gen(function* () {
            const before = store.aheadMillis()
            yield* reset
            faults?.set({})
            return yield* enter("SANDBOX_WORLD_RESET", before)
          }),
        ),
      })
    }),
  )
}
