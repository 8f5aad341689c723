/**
 * Makes the file of the running world, and the state of a file for this server.
 * Source: D-470, D-471.
 */
import { Clock, Effect, Schema } from "effect"
import { fileTooLarge, refusalOfFile, worldInvalid, worldTooLarge } from "../../decision/world/WorldDecision.ts"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { totalCountMax } from "../../foundation/kit/Page.ts"
import {
  fileStateBytesMax,
  isShallow,
  isWithin,
  stateBytesMax,
  withChecksum,
  worldFileVersion,
} from "../../model/world/WorldFileText.ts"
import { stateLengthMax, type WorldFile, WorldFileHeader, type WorldResource } from "../../model/world/WorldResource.ts"
import type { SavedWorld } from "../../ports/SavedWorlds.ts"
import { WallTime } from "../../ports/WallTime.ts"
import type { WorldPacking } from "../../ports/WorldPacking.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import type { Kind } from "../../store/Kinds.ts"
import type { StateImages } from "../../store/StateImages.ts"
import { Store } from "../../store/Store.ts"
import { storedRoots } from "../wallet/RootVault.ts"

/** What a server needs to save and load worlds. */
export interface WorldTools {
  readonly images: StateImages
  readonly packing: WorldPacking
}

const one = { limit: 1, order: "desc" } as const

const countOf = (kind: Kind) =>
  Effect.map(
    Store.use((store) => store.list(kind, {}, one)),
    ({ totalCount = totalCountMax }) => totalCount,
  )

const rootIds = Effect.map(storedRoots, (found) => found?.data.roots.map(({ rootId }) => rootId) ?? [])

/** Captures the running world. */
export const captured = Effect.fnUntraced(function* (name: string, { images, packing }: WorldTools) {
  const store = yield* Store
  const { platformId } = yield* CurrentCaller
  const state = yield* images.capture
  if (!isWithin(state, stateBytesMax)) return yield* new ServiceError(worldTooLarge)
  const { totalCount: events = totalCountMax } = yield* store.events({}, one)
  const wallets = yield* countOf("Wallet")
  return withChecksum({
    format: "countersign sandbox world",
    version: worldFileVersion,
    name,
    savedAt: iso(yield* (yield* WallTime).now),
    businessTime: iso(yield* Clock.currentTimeMillis),
    aheadMillis: store.aheadMillis(),
    counts: { customers: yield* countOf("Customer"), transactions: yield* countOf("Transaction"), events },
    store: images.format,
    platformId,
    walletRoots: wallets === 0 ? [] : yield* rootIds,
    state: yield* packing.pack(state),
  })
})

/** Returns the state of a file with the platform of this server, or refuses the file. */
export const stateOf = Effect.fnUntraced(function* (
  file: WorldFile,
  { images, packing }: WorldTools,
  bytesMax = stateBytesMax,
) {
  const { platformId } = yield* CurrentCaller
  const refusal = refusalOfFile(file, { store: images.format, walletRoots: yield* rootIds })
  if (refusal !== undefined) return yield* new ServiceError(refusal)
  const state = yield* packing.unpack(file.state, bytesMax)
  if (state === undefined) return yield* new ServiceError(worldInvalid("its state cannot be expanded"))
  return state.replaceAll(file.platformId, platformId)
})

/** The same world without credentials: a file leaves the server, or comes from anyone. A state that does not decode stays: no server loads it. */
const withoutCredentials = Effect.fnUntraced(function* (
  file: WorldFile,
  state: string,
  { images, packing }: WorldTools,
) {
  const shared = yield* Effect.orElseSucceed(images.withoutCredentials(state), () => state)
  const { checksum: _, ...rest } = file
  return { state: shared, file: withChecksum({ ...rest, state: yield* packing.pack(shared) }) }
})

/** Returns the file of a saved world for another server, or refuses one that no server would accept. */
export const exported = Effect.fnUntraced(function* (saved: WorldFile, tools: WorldTools) {
  const unpacked = yield* tools.packing.unpack(saved.state, stateBytesMax)
  if (unpacked === undefined) return yield* new ServiceError(worldInvalid("its state cannot be expanded"))
  const { file, state } = yield* withoutCredentials(saved, unpacked, tools)
  const isAccepted = file.state.length <= stateLengthMax && isWithin(state, fileStateBytesMax)
  return isAccepted ? file : yield* new ServiceError(fileTooLarge)
})

/** Returns the world of a file from anyone, as this server saves it, or refuses the file. */
export const imported = Effect.fnUntraced(function* (file: WorldFile, tools: WorldTools) {
  const { platformId } = yield* CurrentCaller
  const state = yield* stateOf(file, tools, fileStateBytesMax)
  if (!isShallow(state)) return yield* new ServiceError(worldInvalid("its state is nested too deeply"))
  return (yield* withoutCredentials({ ...file, platformId }, state, tools)).file
})

export const resourceOf = (header: WorldFileHeader): WorldResource => {
  const { aheadMillis, businessTime, bytes, counts, name, savedAt } = header
  return { name, savedAt, businessTime, aheadMillis, counts, bytes }
}

const headerText = Schema.fromJsonString(WorldFileHeader)
const decodeHeader = Schema.decodeUnknownEffect(headerText)

export const toSaved = ({ state, ...header }: WorldFile): SavedWorld => ({
  header: JSON.stringify({ ...header, bytes: JSON.stringify({ ...header, state }).length } satisfies WorldFileHeader),
  state,
})

/** A saved world that does not decode was changed outside the server. */
const damaged = () => new ServiceError(worldInvalid("its header is damaged"))

export const headerOf = (header: string) => Effect.mapError(decodeHeader(header), damaged)

export const fromSaved = Effect.fnUntraced(function* ({ header, state }: SavedWorld) {
  const { bytes: _, ...rest } = yield* headerOf(header)
  return { ...rest, state } satisfies WorldFile
})
