/**
 * A vault that fails: what the caller and the operator see, and that no bytes stay once it works again.
 * Source: wire contract areas 1.2.8; D-375, D-377.
 */
import { MemoryVault } from "@countersign/adapter-memory"
import { Jobs } from "@countersign/core"
import { DocumentVault, VaultUnavailable } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { idOf, passport, person, upload } from "../document/DocumentHarness.ts"

type Call = "store" | "erase"

/** A service whose vault fails in one of its calls while `fail` says so. */
const service = async () => {
  const files = new Map<string, ReadonlyArray<Uint8Array>>()
  const vault = MemoryVault.make({ files })
  let failing: Call | undefined
  const unless = <A, E, R>(call: Call, used: Effect.Effect<A, E, R>) =>
    Effect.suspend(
      (): Effect.Effect<A, E | VaultUnavailable, R> =>
        failing === call ? Effect.fail(new VaultUnavailable({ cause: "the disk is full" })) : used,
    )
  const ports = Layer.succeed(DocumentVault, {
    ...vault,
    store: (key, bytes) => unless("store", vault.store(key, bytes)),
    erase: (key) => unless("erase", vault.erase(key)),
  })
  const fail = (call: Call | undefined) => {
    failing = call
  }
  return { pay: await harness({ ports, tape: false }), files, fail }
}

it("an upload that the vault cannot store is refused with 503, and leaves no document", async () => {
  const { fail, files, pay } = await service()
  const holder = await person(pay)
  fail("store")
  expect(await upload(pay, passport(holder))).toMatchObject({
    status: 503,
    body: { code: "SERVICE_UNAVAILABLE", message: "Files cannot be stored now. Try again." },
  })
  expect(pay.log().join("\n")).toContain("the document vault is unavailable")
  await pay.settle()
  expect((await pay.send("GET", "/documents")).body).toMatchObject({ totalCount: 0 })
  fail(undefined)
  expect((await upload(pay, passport(holder))).status).toBe(201)
  expect(files.size).toBe(1)
})

it("an erasure that the vault cannot do is repeated until it can, and its job says why", async () => {
  const { fail, files, pay } = await service()
  const document = idOf(await upload(pay, passport(await person(pay))))
  fail("erase")
  expect((await pay.send("DELETE", `/documents/${document}`)).status).toBe(204)
  await pay.settle()
  expect(files.size).toBe(1)
  const errors = (await pay.run(Store.use((store) => store.jobs))).map(({ error, kind }) => [kind, error])
  expect(errors).toContainEqual(["file.erase", "the document vault was unavailable"])
  fail(undefined)
  await pay.clock.advance("1 day")
  expect(files.size).toBe(0)
  expect((await pay.run(Store.use((store) => store.jobs))).map(({ kind }) => kind)).not.toContain("file.erase")
})

it("the erasure of a file that has no record ends, and erases its bytes", async () => {
  const { files, pay } = await service()
  const fileId = "File:00000000-0000-4000-8000-000000000001"
  files.set(fileId.replace(":", "-"), [Uint8Array.of(1)])
  const job = {
    id: "Job:00000000-0000-7000-8000-000000000001",
    queue: "work",
    kind: "file.erase",
    customerId: null,
    dueAt: 0,
    payload: { fileIds: [fileId] },
  } as const
  await pay.run(Store.use((store) => store.commit(changeSet({ operationId: "add", jobs: [job] }))))
  expect(await pay.run(Jobs.use((workers) => workers.drain))).toBeGreaterThan(0)
  expect(files.size).toBe(0)
  expect((await pay.run(Store.use((store) => store.jobs))).map(({ id }) => id)).not.toContain(job.id)
})
