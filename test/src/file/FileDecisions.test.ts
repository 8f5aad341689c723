/** The life of an uploaded file by its state: what each decision writes, and which bytes it has erased and when. Source: D-377. */
import { tenant } from "@countersign/core"
import type { Stored } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import type { DecisionContext } from "../../../packages/core/src/decision/Decision.ts"
import {
  abandonFile,
  beginFile,
  eraseDone,
  eraseFiles,
  keepFile,
  sweepFile,
} from "../../../packages/core/src/decision/file/FileDecision.ts"
import { vaultKeyOf } from "../../../packages/core/src/model/file/StoredFile.ts"

type File = Stored<"StoredFile">
const now = 1_000_000
const context: DecisionContext = {
  now,
  ids: ((type: string) => `${type}:new`) as DecisionContext["ids"],
  caller: tenant("PlatformConfig:p"),
  requestId: undefined,
  rejections: [],
}

const file = (status: File["data"]["status"], id = "File:a") =>
  ({ kind: "StoredFile", id, platformId: "p", customerId: null, version: 3, data: { status } }) as File

const finishing = { finishes: [{ id: "Job:sweep", attempt: 1 }] }
const statesOf = ({ updates = [] }: { readonly updates?: ReadonlyArray<object> } = {}) =>
  updates.map((update) => [Object(update)["id"], Object(update)["data"]["status"]])
const erasuresOf = ({ jobs = [] }: { readonly jobs?: ReadonlyArray<object> } = {}) =>
  jobs.map((job) => [Object(job)["kind"], Object(job)["dueAt"], Object(job)["payload"]])
const erased = (...fileIds: ReadonlyArray<string>) => [["file.erase", now, { fileIds }]]

describe("a file", () => {
  it("begins as one that is received, and is swept an hour later", () => {
    const decision = beginFile("File:a", "PlatformConfig:p")(undefined, context)
    expect(decision).toMatchObject({
      _tag: "Answer",
      status: 201,
      body: { id: "File:a", platformId: "PlatformConfig:p", customerId: null, data: { status: "RECEIVING" } },
      changes: {
        inserts: [{ kind: "StoredFile", id: "File:a", data: { status: "RECEIVING" } }],
        jobs: [{ kind: "file.sweep", dueAt: now + 3_600_000, payload: { fileId: "File:a" } }],
      },
    })
  })

  it("is kept only while it is received", () => {
    expect(statesOf(keepFile(file("RECEIVING")))).toEqual([["File:a", "KEPT"]])
    for (const status of ["KEPT", "ABANDONED", "ERASED"] as const) expect(() => keepFile(file(status))).toThrow()
  })

  it("has a key in the vault without a colon", () => {
    expect(vaultKeyOf("File:00000000-0000-4000-b000-000000000001")).toBe("File-00000000-0000-4000-b000-000000000001")
  })
})

describe("the sweep", () => {
  it("abandons and erases a file that no record keeps", () => {
    const { changes } = sweepFile(finishing)({ file: file("RECEIVING") }, context)
    expect([statesOf(changes), erasuresOf(changes)]).toEqual([[["File:a", "ABANDONED"]], erased("File:a")])
    expect(changes?.finishes).toEqual(finishing.finishes)
  })

  it.each([undefined, file("KEPT"), file("ABANDONED"), file("ERASED")])("leaves every other file: %#", (other) => {
    expect(sweepFile(finishing)({ file: other }, context)).toMatchObject({ status: 200, changes: finishing })
    expect(statesOf(sweepFile(finishing)({ file: other }, context).changes)).toEqual([])
    expect(erasuresOf(sweepFile(finishing)({ file: other }, context).changes)).toEqual([])
  })
})

describe("a request that keeps its file in no record", () => {
  it.each([
    [file("RECEIVING"), [["File:a", "ABANDONED"]], erased("File:a")],
    [file("ABANDONED"), [], erased("File:a")],
    [file("ERASED"), [], erased("File:a")],
    [file("KEPT"), [], []],
    [undefined, [], []],
  ])("has its bytes erased unless a record keeps them: %#", (stored, states, jobs) => {
    const { changes } = abandonFile({ file: stored }, context)
    expect([statesOf(changes), erasuresOf(changes)]).toEqual([states, jobs])
  })
})

describe("the erasure", () => {
  it("is one job for all files, and none for none", () => {
    expect(eraseFiles(context.ids, now, [])).toEqual({})
    expect(erasuresOf(eraseFiles(context.ids, now, ["File:a", "File:b"]))).toEqual(erased("File:a", "File:b"))
  })

  it("is recorded for each file that was not erased before", () => {
    const files = [file("KEPT", "File:a"), file("ABANDONED", "File:b"), file("ERASED", "File:c")]
    const { changes } = eraseDone(finishing)(files)
    expect(statesOf(changes)).toEqual([
      ["File:a", "ERASED"],
      ["File:b", "ERASED"],
    ])
    expect(changes?.finishes).toEqual(finishing.finishes)
  })
})
