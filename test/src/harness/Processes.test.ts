/** Several processes of one deployment share its store, clock and inbox, and each has memory and identifiers of its own. */
import { harness } from "@countersign/test"
import { expect, it } from "vitest"

const person = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" }

it("shows in each process what the others wrote, under identifiers of their own", async () => {
  await using first = await harness()
  await using second = await first.join()
  const ids: Array<string> = []
  for (const process of [first, second, first]) {
    const { body } = await process.send("POST", "/customers", { body: person })
    ids.push((body as { readonly id: string }).id)
  }
  expect(new Set(ids).size).toBe(3)
  for (const process of [first, second]) {
    for (const id of ids) expect((await process.send("GET", `/customers/${id}`)).status).toBe(200)
  }
})

it("moves one clock, and delivers the events of all processes to one inbox", async () => {
  await using first = await harness()
  await using second = await first.join()
  const before = await first.clock.now()
  await second.clock.advance("2 hours")
  expect(await first.clock.now()).toBe(before + 2 * 3_600_000)
  await second.send("POST", "/customers", { body: person })
  await first.settle()
  expect(second.webhooks.received.length).toBeGreaterThan(0)
  expect(second.webhooks.received).toBe(first.webhooks.received)
})

it("goes on when one of them ends, and a later process continues", async () => {
  await using first = await harness()
  const second = await first.join()
  const { body } = await second.send("POST", "/customers", { body: person })
  await second[Symbol.asyncDispose]()
  await using third = await first.join()
  const path = `/customers/${(body as { readonly id: string }).id}`
  expect([(await first.send("GET", path)).status, (await third.send("GET", path)).status]).toEqual([200, 200])
})
