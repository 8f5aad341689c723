/** The counters of a day's volume, and the refusal of a payment beyond one. Wire contract 8.2; D-339. */
import { describe, expect, it } from "vitest"
import {
  type DailyVolumeLimits,
  volumeCounters,
  volumeRefusal,
} from "../../../packages/core/src/model/limit/DailyVolume.ts"

const now = Date.parse("2026-03-02T08:00:00Z")
const midnight = Date.parse("2026-03-03T00:00:00Z")
const of = (customerId: string | null, limits: DailyVolumeLimits, at = now) =>
  volumeCounters({ customerId }, "USD", limits, at)

describe("the volume of a day", () => {
  const [ofCustomer, ofPlatform] = [
    { key: `limit:${midnight}:DAILY_VOLUME:USD:Customer:1`, max: 5 },
    { key: `limit:${midnight}:DAILY_VOLUME:USD:`, max: 9 },
  ]

  it.each<[string | null, DailyVolumeLimits, ReadonlyArray<object>]>([
    ["Customer:1", {}, []],
    ["Customer:1", { perCustomer: { EUR: 5 }, perPlatform: { EUR: 9 } }, []],
    ["Customer:1", { perCustomer: { USD: 5 } }, [ofCustomer]],
    ["Customer:1", { perPlatform: { USD: 9 } }, [ofPlatform]],
    ["Customer:1", { perCustomer: { USD: 5 }, perPlatform: { USD: 9 } }, [ofCustomer, ofPlatform]],
    [null, { perCustomer: { USD: 5 }, perPlatform: { USD: 9 } }, [ofPlatform]],
    ["Customer:1", { perCustomer: { USD: 0 } }, [{ ...ofCustomer, max: 0 }]],
  ])("of %s with %j is counted by %j", (customerId, limits, counters) => {
    expect(of(customerId, limits)).toEqual({ endsAt: midnight, counters })
  })

  it.each([
    ["2026-03-02T00:00:00.000Z", midnight],
    ["2026-03-02T23:59:59.999Z", midnight],
    ["2026-03-03T00:00:00.000Z", midnight + 86_400_000],
  ])("at %s ends at the next midnight in UTC", (at, endsAt) => {
    expect(of(null, {}, Date.parse(at)).endsAt).toBe(endsAt)
  })

  const retryIn = (seconds: number, who: "CUSTOMER" | "PLATFORM") => ({
    code: "DAILY_VOLUME_LIMIT_EXCEEDED",
    message: `The ${who.toLowerCase()} has reached the volume of a day in USD.`,
    details: { reason: `${who}_VOLUME`, currency: "USD", retryAfterSeconds: seconds },
  })

  it.each([
    [midnight - 60_000, 60],
    [midnight - 1001, 2],
    [midnight - 1, 1],
    [midnight, 1],
    [midnight + 5000, 1],
  ])("at %i refuses a payment with a Retry-After of %i seconds", (at, seconds) => {
    expect(volumeRefusal(ofCustomer.key, at)).toEqual(retryIn(seconds, "CUSTOMER"))
    expect(volumeRefusal(ofPlatform.key, at)).toEqual(retryIn(seconds, "PLATFORM"))
  })

  it("is not what another counter refuses for", () => {
    for (const key of ["usage:Agent:1:day", `limit:${midnight}:READS:a`, ""]) {
      expect(volumeRefusal(key, now)).toBeUndefined()
    }
  })
})
