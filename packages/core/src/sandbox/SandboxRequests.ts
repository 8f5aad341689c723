/**
 * The requests that a sandbox keeps in memory: the latest of each platform, bounded in number and in size. A restart forgets them.
 * Source: D-464, D-520.
 */
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Secrets from "../foundation/crypto/Secrets.ts"
import { type AnsweredRequest, type KeptRequest, type MaskedRequest, RequestJournal } from "../ports/RequestJournal.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import * as ChangeSignal from "../store/ChangeSignal.ts"
import type { ChangeTopic } from "../store/ChangeTopics.ts"
import { Store } from "../store/Store.ts"

/** Of one platform. */
export const requestsMax = 1_000
/** Characters of one platform's requests together. */
export const charactersMax = 8_000_000
/** Characters of a request that is not masked before it is read. What is kept of a longer one is less, so it is masked at once. */
const unmaskedMax = 32_768
/** How many requests a read masks before others have their turn. */
const maskedPerTurn = 20

const keyBytes = 32
const requestsChanged: ReadonlySet<ChangeTopic> = new Set(["requests"])

interface Entry {
  readonly number: number
  readonly answerPermission: AnsweredRequest["answerPermission"]
  characters: number
  answered: AnsweredRequest | undefined
  /** Since the first read. */
  masked: MaskedRequest | undefined
}

interface Kept {
  number: number
  characters: number
  readonly entries: Array<Entry>
}

/** What an entry takes beside its texts. */
const entryCharacters = 1_000

const charactersOf = ({ digests: { received, sent }, request }: MaskedRequest): number =>
  JSON.stringify(request).length +
  [sent, received].flatMap(Object.keys).reduce((sum, at) => sum + at.length + Secrets.digestLength, 0)

/** Whether it has not been pushed out: numbers have no gaps. */
const isKept = ({ entries, number }: Kept, entry: Entry): boolean => entry.number > number - entries.length

const resize = (kept: Kept, entry: Entry, characters: number): void => {
  kept.characters += entryCharacters + characters - entry.characters
  entry.characters = entryCharacters + characters
  while (kept.entries.length > requestsMax || kept.characters > charactersMax) {
    kept.characters -= kept.entries.shift()?.characters ?? 0
  }
}

/** Masks a request. If that fails, nothing is kept of it. */
const mask = (kept: Kept, entry: Entry, answered: AnsweredRequest): void => {
  entry.answered = undefined
  entry.masked = answered.masked()
  resize(kept, entry, charactersOf(entry.masked))
}

/** `key`: of the digests. */
export const make = (aheadMillis: () => number, key: Uint8Array): RequestJournal => {
  const platforms = new Map<string, Kept>()
  const changes = ChangeSignal.make()
  return {
    aheadMillis,
    digestOf: (text) => Secrets.keyedHash(key, text),
    of: Effect.fnUntraced(function* (platformId) {
      const kept = platforms.get(platformId)
      if (kept === undefined) return []
      const entries = [...kept.entries]
      let inTurn = 0
      for (const entry of entries) {
        const { answered } = entry
        if (answered === undefined || !isKept(kept, entry)) continue
        yield* Effect.catchCause(
          Effect.sync(() => mask(kept, entry, answered)),
          (cause) => Effect.logWarning("a request could not be kept", cause),
        )
        inTurn += 1
        if (inTurn % maskedPerTurn === 0) yield* Effect.yieldNow
      }
      return entries.flatMap((entry): ReadonlyArray<KeptRequest> => {
        const { answerPermission, masked, number } = entry
        return masked === undefined || !isKept(kept, entry) ? [] : [{ number, answerPermission, ...masked }]
      })
    }),
    add: (platformId, answered) => {
      const kept = platforms.get(platformId) ?? { number: 0, characters: 0, entries: [] }
      const { answerPermission, characters } = answered
      const masked = characters > unmaskedMax ? answered.masked() : undefined
      kept.number += 1
      const pending = masked === undefined ? answered : undefined
      const entry: Entry = { number: kept.number, answerPermission, characters: 0, answered: pending, masked }
      platforms.set(platformId, kept)
      kept.entries.push(entry)
      resize(kept, entry, masked === undefined ? characters : charactersOf(masked))
      changes.changed(platformId, requestsChanged)
    },
    clear: (platformId) => {
      const kept = platforms.get(platformId)
      if (kept === undefined) return
      // Goes on counting, so that a cursor never names another request.
      platforms.set(platformId, { number: kept.number, characters: 0, entries: [] })
      changes.changed(platformId, requestsChanged)
    },
    watch: (platformId, onAdd) => changes.watch(platformId, onAdd),
  }
}

/** Provides a `RequestJournal` in memory, which ends with the process. */
export const layer = Layer.effect(
  RequestJournal,
  Effect.gen(function* () {
    const { aheadMillis } = yield* Store
    return make(aheadMillis, yield* SecureRandom.SecureRandom.use(({ randomBytes }) => randomBytes(keyBytes)))
  }),
).pipe(sandboxOnly("SandboxRequests"))
