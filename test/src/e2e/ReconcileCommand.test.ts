/** `countersign reconcile`: what it prints, and the exit code that a monitor follows. Source: D-535. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { euroWorld } from "../ledger/EuroBank.ts"
import { servedHarness } from "./InProcess.ts"

it("prints the days, the sums and the findings, and ends with 0 while everything agrees", async () => {
  await using world = await euroWorld()
  await using served = await servedHarness(world.pay)
  await world.payOut(1_000)
  await world.endDay("foreign")
  const { code, stderr, stdout } = await served.command("reconcile")
  expect([code, stderr]).toEqual([0, ""])
  expect(stdout).toMatch(/^2026-02-18 to 2026-03-03: everything agrees\n/u)
  expect(stdout).toMatch(/^2026-03-03 {2}euro {2}••3000 +1 +2 +0 +0 +0 +0$/mu)
  expect(stdout).toMatch(/^euro {2}OUT +agrees +10\.00 EUR +10\.00 EUR +10\.00 EUR +0\.00 EUR$/mu)
  expect(stdout).toMatch(/^UNMATCHED {2}LINE {2}2026-03-03 {2}euro +statement NTF\d+ +\+12\.34 EUR$/mu)
  const day = await served.command("reconcile", "--bank", "euro", "--day", "2026-03-03", "--json")
  expect(JSON.parse(day.stdout)).toMatchObject({ from: "2026-03-03", to: "2026-03-03", days: [{ matched: 1 }] })
})

it("ends with 1 if something does not agree, and says what", async () => {
  await using world = await euroWorld()
  await using served = await servedHarness(world.pay)
  const [id] = await world.payOut(300)
  await world.pay.clock.advance("24 hours")
  await world.cycle()
  // The bank loses the file.
  await Effect.runPromise(world.bank.collect)
  await world.pay.clock.advance("6 days")
  const { code, stdout } = await served.command("reconcile")
  expect(code).toBe(1)
  expect(stdout).toContain("something does not agree")
  expect(stdout).toMatch(new RegExp(`^SUSPICIOUS +ORDER +2026-03-02 +euro +MISSING +${id} +-3\\.00 EUR$`, "mu"))
  expect(stdout).toContain("MISSING: No line has moved the order's money, although it is overdue.")
})

it.each([
  ["a day that does not exist", ["--day", "2026-02-30"], 2, /a day such as 2026-01-31/u],
  ["a day and a period", ["--day", "2026-03-02", "--to", "2026-03-03"], 2, /--day cannot be given with/u],
  ["a bank that does not exist", ["--bank", "pounds"], 1, /must be of euro/u],
])("refuses %s", async (_, words, code, reason) => {
  await using world = await euroWorld()
  await using served = await servedHarness(world.pay)
  const ended = await served.command("reconcile", ...words)
  expect([ended.code, ended.stdout + ended.stderr]).toEqual([code, expect.stringMatching(reason)])
})
