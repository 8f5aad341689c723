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

/** A request with masks in place of its secrets. */
export interface MaskedRequest {
  readonly request: RequestDetail
  readonly digests: MaskedDigests
}

/** A request that has been answered. Most are pushed out before anyone reads them, so that masks are made for those that are read. */
export interface AnsweredRequest {
  /** About how much it takes until then. */
  readonly characters: number
  readonly masked: () => MaskedRequest
  /** Without it nobody reads the answer. `undefined`: who reads the journal may. */
  readonly answerPermission?: TokenPermission | undefined
}

/** A request with its number in the journal, which counts up. */
export interface KeptRequest extends MaskedRequest, Pick<AnsweredRequest, "answerPermission"> {
  readonly number: number
}

export interface RequestJournal {
  /** How far business time is ahead of real time (ms). */
  readonly aheadMillis: () => number
  readonly digestOf: (text: string) => string
  readonly add: (platformId: string, request: AnsweredRequest) => void
  /** Forgets the requests of a platform. */
  readonly clear: (platformId: string) => void
  /** Calls `onAdd` whenever a request of the platform was added, or all were forgotten, until the scope closes. */
  readonly watch: (platformId: string, onAdd: () => void) => Effect.Effect<void, never, Scope.Scope>
  /** The platform's requests that are kept, oldest first. Yields while it masks, so that no other request waits for it. */
  readonly of: (platformId: string) => Effect.Effect<ReadonlyArray<KeptRequest>>
}

/** `undefined`: the deployment keeps no requests. */
export const RequestJournal = Context.Reference<RequestJournal | undefined>("@countersign/core/RequestJournal", {
  defaultValue: () => undefined,
})
