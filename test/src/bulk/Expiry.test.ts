/** What remains of an import when it can no longer be read. Source: D-104. */
import { expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { header, people, personRow, upload } from "./ImportHarness.ts"

it("an import leaves no job behind after its 30 days, with errors or without", async () => {
  await using pay = await harness()
  await upload(pay, people(1), "a.csv")
  await upload(pay, `${header}\n${personRow(1, { name: "" })}`, "b.csv")
  await pay.settle()
  const jobs = async () => JSON.stringify((await pay.snapshot()).store).split("import.expire").length - 1
  expect(await jobs()).toBe(2)
  await pay.clock.advance({ days: 31 })
  await pay.settle()
  expect(await jobs()).toBe(0)
})
