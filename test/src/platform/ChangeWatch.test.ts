/** What a watcher of a platform hears of: commits, requests and faults, each by its topic, until its scope closes. Source: D-453. */
import { ChangeWatch } from "@countersign/core"
import { WebhookInbox } from "@countersign/core/ports"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"

it("hears of each change by its topic until its scope closes", async () => {
  await using pay = await harness()
  const observed = new Set<string>()
  const topicsOf = async (change: () => Promise<unknown>) => {
    observed.clear()
    await change()
    return [...observed].toSorted()
  }
  const watched = ChangeWatch.use((changes) =>
    Effect.gen(function* () {
      yield* changes.watch((topics) => {
        for (const topic of topics) observed.add(topic)
      })
      yield* Effect.promise(async () => {
        expect(await topicsOf(() => pay.send("GET", "/tokens"))).toEqual(["requests"])
        const fault = { body: { rail: { kind: "ERROR" } } }
        expect(await topicsOf(() => pay.send("PUT", "/sandbox/faults", fault))).toEqual(["audit", "faults", "requests"])
        const person = { body: { customerType: "INDIVIDUAL", fullName: "Ada" } }
        expect(await topicsOf(() => pay.send("POST", "/customers", person))).toEqual(
          expect.arrayContaining(["records", "requests"]),
        )
        expect(observed).not.toContain("faults")
        expect(observed).not.toContain("inbox")
        const receives = (platformId: string) =>
          pay.run(Effect.map(WebhookInbox, (inbox) => inbox?.answerNext(platformId, { status: 500, count: 1 })))
        expect(await topicsOf(() => receives(pay.platformId))).toEqual(["inbox"])
        expect(await topicsOf(() => receives("PlatformConfig:another"))).toEqual([])
      })
    }).pipe(Effect.scoped),
  )
  await pay.run(watched)
  expect(await topicsOf(() => pay.send("GET", "/tokens"))).toEqual([])
})
