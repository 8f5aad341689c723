/**
 * The state of a store in memory as text, and its replacement.
 * Source: D-470; core/store/StateImages.ts.
 */
import {
  hasCredentials,
  ImageInvalid,
  isKeptByReset,
  isPossibleLead,
  kindsOfServer,
  type StateGate,
  type StateImages,
  withoutCredentials,
} from "@countersign/core/store"
import { Effect } from "effect"
import * as Snapshot from "./Snapshot.ts"
import * as State from "./State.ts"

/** The state that the images capture and replace. */
interface Held {
  readonly gate: StateGate.StateGate
  readonly state: () => State.State
  readonly setState: (state: State.State) => void
}

type Records = Pick<Snapshot.Snapshot, "records" | "claims">
type Holder = Records["claims"][number][1]

/** The records of a snapshot that `keeps` names, with their unique keys. */
const recordsOf = ({ claims, records }: Records, keeps: (record: Holder) => boolean): Records => ({
  records: records.filter(([first]) => first !== undefined && keeps(first)),
  claims: claims.filter(([, holder]) => keeps(holder)),
})

const isOfServer = ({ kind }: Holder): boolean => kindsOfServer.includes(kind)
const isOfWorld = (record: Holder): boolean => !isOfServer(record)

const invalid = (message: string) => new ImageInvalid({ message })

const decode = Effect.fnUntraced(function* (image: string) {
  const snapshot = yield* Effect.try({
    try: (): unknown => JSON.parse(image),
    catch: () => invalid("it is not JSON"),
  })
  return yield* Snapshot.restore(snapshot).pipe(
    Effect.map(Snapshot.dump),
    Effect.mapError(({ message }) => invalid(message)),
  )
})

const ownersOf = ({ claims, events, jobs, ledger, records }: Snapshot.Snapshot): ReadonlyArray<string> =>
  [
    ...records.flat(),
    ...claims.map(([, holder]) => holder),
    ...ledger,
    ...jobs,
    ...events.map(({ event }) => event),
  ].map(({ platformId }) => platformId)

type Version = Snapshot.Snapshot["records"][number][number]

const sharedVersions = (versions: ReadonlyArray<Version>): ReadonlyArray<ReadonlyArray<Version>> => {
  const shared = versions.flatMap((version) => {
    const data = withoutCredentials(version.kind, version.data)
    return data === undefined ? [] : [{ ...version, data }]
  })
  return shared.length === 0 ? [] : [shared]
}

/** The ledger accounts of the platform itself, without entries. */
const emptied = (ledger: Snapshot.Snapshot["ledger"]): Snapshot.Snapshot["ledger"] =>
  ledger
    .filter(({ customerId }) => customerId === null)
    .map((account) => ({ ...account, balance: 0, sequence: 0, entries: [] }))

export const make = ({ gate, setState, state }: Held): StateImages => {
  const world = (): Snapshot.Snapshot => {
    const snapshot = Snapshot.dump(state())
    return { ...snapshot, ...recordsOf(snapshot, isOfWorld) }
  }
  return {
    format: "memory 4",
    capture: Effect.sync(() => JSON.stringify(world())),
    replace: Effect.fnUntraced(function* (image, platformId) {
      const decoded = yield* decode(image)
      if (ownersOf(decoded).some((owner) => owner !== platformId)) {
        return yield* invalid("it has records of several platforms")
      }
      if (!isPossibleLead(decoded.time?.aheadMillis ?? 0)) return yield* invalid("its clock cannot be that far ahead")
      const saved = recordsOf(decoded, isOfWorld)
      const swap = Effect.gen(function* () {
        const kept = recordsOf(Snapshot.dump(state()), isOfServer)
        const next = {
          ...decoded,
          records: [...saved.records, ...kept.records],
          claims: [...saved.claims, ...kept.claims],
        }
        setState(yield* Effect.mapError(Snapshot.restore(next), ({ message }) => invalid(message)))
      })
      yield* gate.replace(swap)
    }),
    withoutCredentials: (image) =>
      Effect.map(decode(image), (snapshot) =>
        JSON.stringify({
          ...snapshot,
          records: snapshot.records.flatMap(sharedVersions),
          claims: snapshot.claims.filter(([, { kind }]) => !hasCredentials(kind)),
          answers: [],
        }),
      ),
    reset: gate.replace(
      Effect.gen(function* () {
        const snapshot = Snapshot.dump(state())
        const kept = recordsOf(snapshot, isKeptByReset)
        const next = { ...Snapshot.dump(State.empty), ...kept, ledger: emptied(snapshot.ledger) }
        setState(yield* Effect.orDie(Snapshot.restore(next)))
      }),
    ),
  }
}
