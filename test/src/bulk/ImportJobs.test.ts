/** The jobs of imports: why one fails that cannot read its file, and what is left of many errors. Source: wire contract areas 1.5.5; D-104. */
import { MemoryVault } from "@countersign/adapter-memory"
import { BulkImports, tenant } from "@countersign/core"
import { DocumentVault, VaultUnavailable, WallTime } from "@countersign/core/ports"
import type { ClaimedJob } from "@countersign/core/store"
import { Effect, Layer, Stream } from "effect"
import { expect, it } from "vitest"
import { listAll } from "../../../packages/core/src/operation/Listing.ts"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { header, jobIdOf, jobOf, people, personRow, upload } from "./ImportHarness.ts"

const claimed = (platformId: string, kind: string, importId: string): ClaimedJob => ({
  id: "Job:00000000-0000-4000-8000-00000000dead",
  platformId,
  customerId: null,
  kind,
  queue: "work",
  attempt: 1,
  firstClaimedAt: 0,
  dueAt: 0,
  payload: { importId },
})

it("the job of an import fails with the reason for which it cannot read the file, or its rows", async () => {
  const files = new Map<string, ReadonlyArray<Uint8Array>>()
  await using pay = await harness({ ports: Layer.succeed(DocumentVault, MemoryVault.make({ files })), tape: false })
  const id = jobIdOf(await upload(pay, people(1), "customers-001.csv"))
  const [key = ""] = files.keys()
  const run = (bytes: ReadonlyArray<Uint8Array> | undefined) => {
    if (bytes === undefined) files.delete(key)
    else files.set(key, bytes)
    const job = claimed(pay.platformId, "import.run", id)
    return pay.run(Effect.flip(BulkImports.use((imports) => imports.run(job))), tenant(pay.platformId))
  }
  expect(await run(undefined)).toMatchObject({ reason: "the file could not be read: BytesMissing" })
  expect(await run([new TextEncoder().encode(`${header}\n`)])).toMatchObject({ reason: "the file has too few rows" })
  expect(await run([new TextEncoder().encode(`${header}\n"${"x".repeat(400)}`)])).toMatchObject({
    reason: "the file could not be read: CsvMalformed",
  })
})

it("a slice ends after five seconds of wall time, and the next one follows", async () => {
  let seconds = 0
  const wall = WallTime.of({
    now: Effect.sync(() => {
      seconds += 3
      return Date.parse("2026-11-21T12:00:00Z") + seconds * 1000
    }),
    sleep: () => Effect.yieldNow,
  })
  await using pay = await harness({ ports: Layer.succeed(WallTime, wall), tape: false })
  const id = jobIdOf(await upload(pay, people(5), "customers-001.csv"))
  const run = BulkImports.use((imports) => imports.run(claimed(pay.platformId, "import.run", id)))
  expect(await pay.run(Effect.flip(run), tenant(pay.platformId))).toMatchObject({ reason: "the next rows follow" })
  const { processed } = (await jobOf(pay, id)).progress
  expect([processed > 0, processed < 5]).toEqual([true, true])
})

it("an upload whose stored file cannot be read is refused, and may be repeated", async () => {
  const vault = MemoryVault.make()
  const read = () => Stream.fail(new VaultUnavailable({ cause: "away" }))
  await using pay = await harness({ ports: Layer.succeed(DocumentVault, { ...vault, read }), tape: false })
  expect(await upload(pay, people(1))).toMatchObject({
    status: 503,
    body: { code: "SERVICE_UNAVAILABLE", message: "The file cannot be read now. Try again." },
  })
})

it.each([100, 201])("all %d errors of an import are erased after its 30 days", async (count) => {
  await using pay = await harness({ tape: false })
  const rows = Array.from({ length: count }, (_, index) => personRow(index + 1, { name: "" }))
  const id = jobIdOf(await upload(pay, [header, ...rows].join("\n")))
  await pay.settle()
  const names = async () => {
    const errors = await pay.run(listAll("BulkImportError", { importId: { eq: id } }), tenant(pay.platformId))
    return errors.map(({ data }) => data.correlationId)
  }
  expect((await names()).toSorted()[0]).toBe("person-1")
  await pay.clock.advance({ days: 31 })
  await pay.settle()
  expect(await names()).toEqual(Array(count).fill(""))
})
