/**
 * The latest requests of each platform. Only a sandbox keeps any, so that a deployment without one pays nothing.
 * Source: D-464.
 */
import { Context, type Effect, type Scope } from "effect"
import type { TokenPermission } from "../model/platform/Platform.ts"
import type { RequestDetail } from "../model/request/RequestResource.ts"

/**
 * Digests of the texts that masks hide, by a key of this process, to find a text again without knowing it. They are on no wire.
 * Source: D-479.
 */
export interface MaskedDigests {
  /** By place: `path.code`, `query.name`, `header.name`, `body.path.of.member`. */
  readonly sent: Readonly<Record<string, string>>
  readonly received: Readonly<Record<string, string>>
  /** That of the client secret or of the access token. */
  readonly credential?: string
}

/** A request with its number in the journal, which counts up. */
export interface KeptRequest {
  readonly number: number
  readonly request: RequestDetail
  readonly digests: MaskedDigests
  /** Without it nobody reads the answer. `undefined`: who reads the journal may. */
  readonly answerPermission?: TokenPermission | undefined
}

export interface RequestJournal {
  /** How far business time is ahead of real time (ms). */
  readonly aheadMillis: () => number
  readonly digestOf: (text: string) => string
  readonly add: (
    platformId: string,
    request: RequestDetail,
    digests: MaskedDigests,
    answerPermission?: TokenPermission,
  ) => void
  /** Forgets the requests of a platform. */
  readonly clear: (platformId: string) => void
  /** Calls `onAdd` whenever a request of the platform was added, or all were forgotten, until the scope closes. */
  readonly watch: (platformId: string, onAdd: () => void) => Effect.Effect<void, never, Scope.Scope>
  /** The platform's requests that are kept, oldest first. */
  readonly of: (platformId: string) => ReadonlyArray<KeptRequest>
}

/** `undefined`: the deployment keeps no requests. */
export const RequestJournal = Context.Reference<RequestJournal | undefined>("@countersign/core/RequestJournal", {
  defaultValue: () => undefined,
})
