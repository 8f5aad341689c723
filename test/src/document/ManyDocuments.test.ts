/**
 * How many documents a customer may have, with those of its owners.
 * Source: D-378.
 */
import { MemoryVault } from "@countersign/adapter-memory"
import { DocumentVault } from "@countersign/core/ports"
import { Layer } from "effect"
import { expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { business, idOf, owner, passport, upload } from "./DocumentHarness.ts"

it("a customer and its owners have at most 500 documents, also when several arrive at once", async () => {
  const files = new Map<string, ReadonlyArray<Uint8Array>>()
  const pay = await harness({ ports: Layer.succeed(DocumentVault, MemoryVault.make({ files })), tape: false })
  const customer = await business(pay)
  const holders = [customer, await owner(pay, customer)]
  const uploads = async (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => upload(pay, passport(holders[index % 2] ?? ""))))
  for (let round = 0; round < 62; round += 1) {
    expect((await uploads(8)).map(({ status }) => status)).toEqual(new Array(8).fill(201))
  }
  const last = await uploads(8)
  await pay.settle()
  const refused = last.filter(({ status }) => status !== 201)
  expect([refused.length, files.size]).toEqual([4, 500])
  for (const answer of refused) {
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { code: "INVALID_INPUT", details: { errors: [{ field: "documentHolder" }] } },
    ])
  }
  const kept = last.find(({ status }) => status === 201)
  expect((await pay.send("DELETE", `/documents/${kept === undefined ? "" : idOf(kept)}`)).status).toBe(204)
  expect((await uploads(2)).map(({ status }) => status).toSorted()).toEqual([201, 400])
  const other = await business(pay, "5523042")
  expect((await upload(pay, passport(other))).status).toBe(201)
})
