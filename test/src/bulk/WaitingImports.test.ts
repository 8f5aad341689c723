/**
 * How many imports of a platform may wait.
 * Source: wire contract areas 1.5.5 (lanes); D-422.
 */
import { MemoryVault } from "@countersign/adapter-memory"
import { DocumentVault } from "@countersign/core/ports"
import { Layer } from "effect"
import { expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { people, upload } from "./ImportHarness.ts"

it("imports are refused while 20 of them wait, also when many arrive at once, and accepted when one has ended", async () => {
  const files = new Map<string, ReadonlyArray<Uint8Array>>()
  const pay = await harness({ ports: Layer.succeed(DocumentVault, MemoryVault.make({ files })), tape: false })
  const late = await upload(pay, people(1), "customers-001.csv")
  const keyed = (number: number) => ({ "idempotency-key": `import-${number}` })
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, index) => upload(pay, people(1), "a.csv", index % 2 === 0 ? {} : keyed(index))),
  )
  const refused = answers.filter(({ status }) => status !== 202)
  await pay.settle()
  expect([late.status, answers.length - refused.length, files.size]).toEqual([202, 19, 20])
  refused.push(await upload(pay, people(1), "a.csv"))
  // Without a key, the body is not even stored.
  expect(files.size).toBe(20)
  refused.push(await upload(pay, people(1), "a.csv", keyed(99)))
  for (const answer of refused) {
    expect([answer.status, answer.body]).toMatchObject([
      429,
      { code: "RATE_LIMITED", details: { reason: "WAITING_IMPORTS", limit: 20 } },
    ])
    expect(answer.headers.get("retry-after")).toBe("60")
  }
  const [accepted] = answers.flatMap(({ status }, index) => (status === 202 && index % 2 === 1 ? [index] : []))
  const repeated = await upload(pay, people(1), "a.csv", keyed(accepted ?? 0))
  expect([repeated.status, repeated.body]).toEqual([202, answers[accepted ?? 0]?.body])
  await pay.clock.advance({ seconds: 30 })
  await pay.settle()
  expect(files.size).toBe(0)
  const more = await Promise.all(Array.from({ length: 20 }, () => upload(pay, people(1), "customers-001.csv")))
  expect(more.map(({ status }) => status)).toEqual(new Array(20).fill(202))
  expect((await upload(pay, people(1))).status).toBe(429)
})
