/**
 * The requests that a sandbox keeps in memory: the latest of each platform, bounded in number and in size. A restart forgets them.
 * Source: D-464.
 */
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Secrets from "../foundation/crypto/Secrets.ts"
import type { RequestDetail } from "../model/request/RequestResource.ts"
import { type KeptRequest, type MaskedDigests, RequestJournal } from "../ports/RequestJournal.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import * as ChangeSignal from "../store/ChangeSignal.ts"
import { Store } from "../store/Store.ts"

/** Of one platform. */
export const requestsMax = 1_000
/** Characters of one platform's requests together. */
export const charactersMax = 8_000_000

const keyBytes = 32

interface Sized extends KeptRequest {
  readonly characters: number
}

interface Kept {
  number: number
  characters: number
  requests: Array<Sized>
}

/** What an entry takes beside its texts. */
const entryCharacters = 1_000

const charactersOf = (request: RequestDetail, { received, sent }: MaskedDigests): number =>
  entryCharacters +
  JSON.stringify(request).length +
  [sent, received].flatMap(Object.keys).reduce((sum, at) => sum + at.length + Secrets.digestLength, 0)

/** `key`: of the digests. */
export const make = (aheadMillis: () => number, key: Uint8Array): RequestJournal => {
  const platforms = new Map<string, Kept>()
  const changes = ChangeSignal.make()
  return {
    aheadMillis,
    digestOf: (text) => Secrets.keyedHash(key, text),
    of: (platformId) => platforms.get(platformId)?.requests ?? [],
    add: (platformId, request, digests, answerPermission) => {
      const kept = platforms.get(platformId) ?? { number: 0, characters: 0, requests: [] }
      const characters = charactersOf(request, digests)
      kept.number += 1
      kept.characters += characters
      const entry = { number: kept.number, request, digests, characters, answerPermission }
      const requests = [...kept.requests, entry]
      let first = 0
      while (requests.length - first > requestsMax || kept.characters > charactersMax) {
        kept.characters -= requests[first]?.characters ?? 0
        first += 1
      }
      kept.requests = first === 0 ? requests : requests.slice(first)
      platforms.set(platformId, kept)
      changes.changed(platformId, new Set(["requests"]))
    },
    clear: (platformId) => {
      const kept = platforms.get(platformId)
      if (kept === undefined) return
      // Goes on counting, so that a cursor never names another request.
      platforms.set(platformId, { number: kept.number, characters: 0, requests: [] })
      changes.changed(platformId, new Set(["requests"]))
    },
    watch: (platformId, onAdd) => changes.watch(platformId, onAdd),
  }
}

export const layer = Layer.effect(
  RequestJournal,
  Effect.gen(function* () {
    const { aheadMillis } = yield* Store
    return make(aheadMillis, yield* SecureRandom.SecureRandom.use(({ randomBytes }) => randomBytes(keyBytes)))
  }),
).pipe(sandboxOnly("SandboxRequests"))
