/**
 * Days and months are those of UTC, wherever the process runs: at the ends of the world's time zones nothing differs.
 * Source: wire contract 1.3, 1.4 (day and month are UTC calendar units); D-263.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as Usage from "../../../packages/core/src/model/agent/Usage.ts"
import { isExpired } from "../../../packages/core/src/model/card/Card.ts"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { at } from "../customer/CustomerRequests.ts"

/** Fourteen hours ahead of UTC, eleven behind it, and UTC itself. */
const zones = [
  ["Pacific/Kiritimati", -14 * 60],
  ["Pacific/Pago_Pago", 11 * 60],
  ["UTC", 0],
] as const

describe.each(zones)("in %s", (zone, offsetMinutes) => {
  const before = process.env["TZ"]
  beforeEach(() => {
    process.env["TZ"] = zone
  })
  afterEach(() => {
    if (before === undefined) delete process.env["TZ"]
    else process.env["TZ"] = before
  })

  it("the process has its local time", () => {
    expect(new Date("2026-11-30T23:30:00Z").getTimezoneOffset()).toBe(offsetMinutes)
  })

  it.each([
    ["2026-11-30T23:59:59.999Z", "2026-11-30", "2026-11", "2026-12-01", "2026-12"],
    ["2026-12-01T00:00:00.000Z", "2026-12-01", "2026-12", "2026-12-02", "2027-01"],
    ["2026-12-31T12:00:00.000Z", "2026-12-31", "2026-12", "2027-01-01", "2027-01"],
    ["2028-02-29T10:30:00.000Z", "2028-02-29", "2028-02", "2028-03-01", "2028-03"],
  ])("the usage of an agent at %s is that of the UTC day and month", (time, day, month, nextDay, nextMonth) => {
    const millis = Date.parse(time)
    expect([Usage.dayOf(millis), Usage.monthOf(millis)]).toEqual([day, month])
    expect([Usage.nextDay(millis), Usage.nextMonth(millis)]).toEqual([nextDay, nextMonth])
    expect(new Date(Usage.endOfDay(millis)).toISOString()).toBe(`${nextDay}T00:00:00.000Z`)
  })

  it("an agent's daily and monthly spending begin anew at midnight UTC", async () => {
    await using pay = await agentHarness({}, { startsAt: "2026-11-30T23:30:00Z" })
    const spend = () =>
      pay.send("POST", "/agents/me/transfer-in", {
        as: { token: pay.accessToken },
        body: { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount: 70 },
      })
    const usage = async () => at(await pay.send("GET", `/agents/${pay.agentId}`), "usage")
    await spend()
    await pay.clock.advance("1799 seconds")
    const spent = { dailyTransactionCount: 1, dailySpend: 70, monthlySpend: 70 }
    expect(await usage()).toEqual({ ...spent, dailyResetDate: "2026-12-01", monthlyResetMonth: "2026-12" })
    await pay.clock.advance("1 second")
    const nothing = { dailyTransactionCount: 0, dailySpend: 0, monthlySpend: 0 }
    expect(await usage()).toEqual({ ...nothing, dailyResetDate: "2026-12-02", monthlyResetMonth: "2027-01" })
    await spend()
    expect(await usage()).toMatchObject(spent)
  })

  it("a card expires with its month in UTC", () => {
    const isExpiredAt = (time: string) => isExpired({ expMonth: 11, expYear: 2026 }, Date.parse(time))
    expect(isExpiredAt("2026-11-30T23:59:59.999Z")).toBe(false)
    expect(isExpiredAt("2026-12-01T00:00:00.000Z")).toBe(true)
  })
})
