/**
 * Decides when a request starts. While the event loop keeps up, each starts as it arrives. Beyond a few milliseconds of work in one turn of
 * the loop, requests wait, and their owners take turns. One that has too many waiting is refused for little.
 * Source: D-363. The sockets of all clients are read between two turns, so a new request waits for one turn and not for a flood.
 */
import type { ServerLimits } from "../middleware/ServerLimits.ts"
import * as FairQueue from "./FairQueue.ts"

/** A request that has not started. */
export interface Waiting {
  readonly start: () => void
  readonly refuse: () => void
}

export interface Admission {
  /** Whether a request may start now. Otherwise it must wait. */
  readonly isFree: () => boolean
  readonly wait: (path: ReadonlyArray<FairQueue.Owner>, request: Waiting) => void
  /** Notes whose request was authenticated just now. */
  readonly note: (tenant: string) => void
  /** Notes a new connection. Others may wait behind it, of which the loop accepts one in each turn. */
  readonly noteConnection: () => void
}

/** The clock and the end of the loop's turn; a test has its own. */
export interface Loop {
  readonly now: () => number
  readonly atTurnEnd: (run: () => void) => void
}

const nodeLoop: Loop = {
  now: () => performance.now(),
  atTurnEnd: (run) => void setImmediate(run),
}

/** How long requests start in one turn while all of them are one tenant's: long turns let one trip to the store carry more. */
export const turnMillisAlone = 10
/** The length of a turn while tenants compete, with everything else that the process does. */
export const turnMillisShared = 5
/** The length of a turn after a connection was accepted. */
export const turnMillisAccepting = 1
/** How long tenants are taken to compete after both had requests. */
const sharedMillis = 250
/** A request that has waited longer is refused, because its client may have given up. */
export const waitMillisMax = 5_000
/** How long refusals may take after a slice, as a part of it. Each of them costs several times as much when its client asks again. */
const refusalPart = 1 / 32

interface Item {
  readonly request: Waiting
  readonly since: number
}

export const make = (
  { requestsInFlightMax }: Pick<ServerLimits, "requestsInFlightMax">,
  { atTurnEnd, now }: Loop = nodeLoop,
): Admission => {
  const queue = FairQueue.make<Item>(requestsInFlightMax)
  /** Refusals are spread over turns: clients that repeat them at once would otherwise take the processor. */
  const refused: Array<Waiting> = []
  let isTurnOpen = false
  let turnBegan = 0
  let latestTenant: string | undefined
  let sharedUntil = 0
  let isAccepting = false

  const refuse = (request: Waiting): void => {
    if (refused.length < requestsInFlightMax) refused.push(request)
    else request.refuse()
  }

  /** While tenants compete, other work of the turn counts, so that what has started is finished before more starts. */
  const startMillis = (at: number): number => {
    if (queue.ownerCount() > 1) sharedUntil = at + sharedMillis
    if (isAccepting) {
      isAccepting = false
      return turnMillisAccepting
    }
    return at >= sharedUntil ? turnMillisAlone : Math.max(turnMillisShared - (at - turnBegan), turnMillisShared / 4)
  }

  const endTurn = (): void => {
    if (queue.size() + refused.length === 0) {
      isTurnOpen = false
      return
    }
    const began = now()
    const startEnd = began + startMillis(began)
    let at = began
    do {
      const item = queue.take()
      if (item === undefined) break
      if (at - item.since > waitMillisMax) refuse(item.request)
      else item.request.start()
      at = now()
    } while (at < startEnd)
    const refusalEnd = at + (startEnd - began) * refusalPart
    do {
      refused.shift()?.refuse()
      at = now()
    } while (refused.length > 0 && at < refusalEnd)
    turnBegan = at
    isTurnOpen = queue.size() + refused.length > 0
    if (isTurnOpen) atTurnEnd(endTurn)
  }

  const openTurn = (at: number): void => {
    isTurnOpen = true
    turnBegan = at
    atTurnEnd(endTurn)
  }

  return {
    isFree: () => {
      if (queue.size() > 0) return false
      const at = now()
      if (!isTurnOpen) openTurn(at)
      return at - turnBegan < (at < sharedUntil ? turnMillisShared : turnMillisAlone)
    },
    wait: (path, request) => {
      const at = now()
      if (!isTurnOpen) openTurn(at)
      const dropped = queue.add(path, { request, since: at })
      if (dropped !== undefined) refuse(dropped.request)
    },
    note: (tenant) => {
      if (tenant === latestTenant) return
      if (latestTenant !== undefined) sharedUntil = now() + sharedMillis
      latestTenant = tenant
    },
    noteConnection: () => {
      isAccepting = true
    },
  }
}
