/**
 * Imports whose worker ends at any point: no customer is made twice, no row is left out, and the counts are those of a run without a crash.
 * Source: wire contract areas 1.5.5 (crash safety, lanes).
 */
import { MemoryVault } from "@countersign/adapter-memory"
import { BulkImports, tenant } from "@countersign/core"
import { DocumentVault } from "@countersign/core/ports"
import type { ClaimedJob } from "@countersign/core/store"
import type { FailPoint } from "@countersign/core/verify"
import { Effect, Layer, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { header, jobIdOf, jobOf, personRow, upload } from "./ImportHarness.ts"

/** Cells of several lines, quotes and characters of several bytes lie before and after the positions at which a worker goes on. */
const rows = [
  header,
  personRow(1, { name: '"Zoë, called\r\n""Łucja"""' }),
  personRow(2, { name: "" }),
  personRow(3, { name: '"\n山田, 太郎"' }),
  personRow(3),
  "",
  personRow(5, { name: "José 😀" }),
].join("\r\n")

/** Ends the attempt at one passage of a point. */
const crashing = (point: FailPoint, passage: number) => {
  let passages = 0
  let isArmed = false
  return {
    arm: () => {
      isArmed = true
    },
    hasCrashed: () => passages >= passage,
    failPoints: (at: FailPoint) =>
      Effect.suspend(() => {
        if (!isArmed || at !== point) return Effect.void
        passages += 1
        return passages === passage ? Effect.die(new Error("the worker ended")) : Effect.void
      }),
  }
}

const customerIds = async (pay: Harness) =>
  (
    (await pay.send("GET", "/customers?limit=100")).body as {
      readonly data: ReadonlyArray<{ readonly platformCustomerId: string }>
    }
  ).data.map(({ platformCustomerId }) => platformCustomerId)

const finished = async (pay: Harness, id: string) => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await pay.settle()
    const job = await jobOf(pay, id)
    if (job.completedAt !== undefined) return job
    await pay.clock.advance({ seconds: 5 })
  }
  return jobOf(pay, id)
}

const points = ["operation.loaded", "operation.decided", "operation.committed"] as const

describe.each(points)("a worker that ends at a passage of %s", (point) => {
  it("is followed by one that goes on at the next row", async () => {
    for (let passage = 1; ; passage += 1) {
      const crash = crashing(point, passage)
      const pay = await harness({ failPoints: crash.failPoints, tape: false })
      const id = jobIdOf(await upload(pay, rows))
      crash.arm()
      const job = await finished(pay, id)
      expect([passage, job.status, job.progress]).toEqual([
        passage,
        "COMPLETED",
        { total: 5, processed: 5, successful: 3, failed: 2 },
      ])
      expect(job.errors?.map(({ code, correlationId }) => [correlationId, code])).toEqual([
        ["person-2", "MISSING_MANDATORY_USER_INFO"],
        ["person-3", "CONFLICT"],
      ])
      expect((await customerIds(pay)).toSorted()).toEqual(["person-1", "person-3", "person-5"])
      expect(pay.webhooks.received.filter(({ type }) => type === "BULK_UPLOAD.COMPLETED")).toHaveLength(1)
      if (!crash.hasCrashed()) {
        expect(passage).toBeGreaterThan(6)
        return
      }
    }
  })
})

describe("an import of more rows than a slice", () => {
  it("goes on in further slices, before the platform's next import begins", async () => {
    const order: Array<string> = []
    const pay = await harness({ tape: false })
    const large = [header, ...Array.from({ length: 2100 }, (_, index) => personRow(index + 1, { name: "" }))].join("\n")
    const first = jobIdOf(await upload(pay, large))
    const second = jobIdOf(await upload(pay, `${header}\n${personRow(1)}`))
    await pay.settle()
    for (const { data, type } of pay.webhooks.received) {
      if (type.startsWith("BULK_UPLOAD.")) order.push(String((data as { readonly id: string }).id))
    }
    expect(order).toEqual([first, second])
    expect((await jobOf(pay, first)).progress).toMatchObject({ processed: 2100, failed: 2100 })
    expect((await jobOf(pay, second)).status).toBe("COMPLETED")
  })

  it("is read once for its header, and once for its rows", async () => {
    const vault = MemoryVault.make()
    const read: Array<number> = []
    const counting = Layer.succeed(DocumentVault, {
      ...vault,
      read: (key: string, from?: number) =>
        Stream.tap(vault.read(key, from), (piece) => Effect.sync(() => void read.push(piece.byteLength))),
    })
    const pay = await harness({ ports: counting, tape: false })
    const large = [header, ...Array.from({ length: 2100 }, (_, index) => personRow(index + 1, { name: "" }))].join("\n")
    const id = jobIdOf(await upload(pay, large))
    await pay.settle()
    expect((await jobOf(pay, id)).progress).toMatchObject({ processed: 2100 })
    const size = Buffer.byteLength(large.replaceAll("DOMAIN", "1234567890123456789012345678901234567890"))
    // A slice may have been given a piece whose last rows are those of the next one.
    expect(read.reduce((sum, each) => sum + each, 0)).toBeLessThan(2 * size + 3 * 65_536)
  })

  it("is decided once by two workers that both take themselves for its own", async () => {
    const pay = await harness({ tape: false })
    const id = jobIdOf(await upload(pay, rows))
    // A worker whose lease has expired and the next one, between whose rows those of the other are decided.
    const job: ClaimedJob = {
      id: "Job:00000000-0000-4000-8000-00000000dead",
      platformId: pay.platformId,
      customerId: null,
      kind: "import.run",
      queue: "work",
      attempt: 1,
      firstClaimedAt: 0,
      dueAt: 0,
      payload: { importId: id },
    }
    const work = BulkImports.use((imports) => Effect.exit(imports.run(job)))
    await pay.run(Effect.all([work, work], { concurrency: "unbounded", discard: true }), tenant(pay.platformId))
    await pay.settle()
    expect((await jobOf(pay, id)).progress).toEqual({ total: 5, processed: 5, successful: 3, failed: 2 })
    expect((await customerIds(pay)).toSorted()).toEqual(["person-1", "person-3", "person-5"])
  })

  it("is run by one worker, however many take it up", async () => {
    const pay = await harness({ tape: false })
    const id = jobIdOf(await upload(pay, rows))
    await Promise.all([pay.settle(), pay.settle(), pay.settle()])
    await pay.settle()
    expect((await jobOf(pay, id)).progress).toMatchObject({ processed: 5, successful: 3 })
    expect(await customerIds(pay)).toHaveLength(3)
  })
})
