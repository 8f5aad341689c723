/**
 * The limits on reads and writes of signed-in callers, which a deployment chooses. Each process allows its part of them and asks no other.
 * Source: wire contract 11 (3, 30); D-338.
 */
import { type Caller, RequestRate, ServiceError } from "@countersign/core"
import { countOf, limitRefusal, type UseLimitName, UseLimits } from "@countersign/core/models"
import type { UseLimitSettings } from "@countersign/core/ports"
import { limitHeaders } from "./Answers.ts"

type RequestLimit = Extract<UseLimitName, "READS" | "WRITES" | "READS_OF_PLATFORM" | "WRITES_OF_PLATFORM">

/** The headers of an allowed request, or the refusal. */
export type Allowance = Readonly<Record<string, string>> | ServiceError

export interface RequestLimits {
  readonly take: (caller: Caller, isRead: boolean, now: number) => Allowance
}

const callerOf = (caller: Caller): string => (caller._tag === "Agent" ? caller.agentId : (caller.tokenId ?? ""))

/** Returns `undefined` if the deployment limits neither reads nor writes. */
export const make = ({ counts, processes }: (typeof UseLimitSettings)["Service"]): RequestLimits | undefined => {
  const rateOf = (name: RequestLimit) => {
    const count = countOf(name, counts)
    const share = count === undefined ? undefined : Math.max(1, Math.floor(count / processes))
    return share === undefined
      ? []
      : [{ name, rate: RequestRate.make(share, UseLimits.get(name).windowSeconds * 1000) }]
  }
  const reads = [...rateOf("READS"), ...rateOf("READS_OF_PLATFORM")]
  const writes = [...rateOf("WRITES"), ...rateOf("WRITES_OF_PLATFORM")]
  if (reads.length + writes.length === 0) return undefined
  return {
    take: (caller, isRead, now) => {
      let headers: Readonly<Record<string, string>> = {}
      let remainingMin = Number.POSITIVE_INFINITY
      for (const { name, rate } of isRead ? reads : writes) {
        const isOfPlatform = name === "READS_OF_PLATFORM" || name === "WRITES_OF_PLATFORM"
        const use = rate.take(isOfPlatform ? caller.platformId : callerOf(caller), now)
        if (!use.isAllowed) {
          return new ServiceError(limitRefusal(name, { availableAt: use.availableAt, count: rate.count, now }))
        }
        if (use.remaining >= remainingMin) continue
        remainingMin = use.remaining
        headers = limitHeaders(rate.count, use.remaining, Math.max(1, Math.ceil((use.availableAt - now) / 1000)))
      }
      return headers
    },
  }
}
