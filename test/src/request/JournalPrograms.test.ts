/** The names of a tape's variables, and kept requests as programs. Source: D-479. */
import type { RequestHistory } from "@countersign/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { journalVariables } from "../../../packages/adapter-http/src/tape/JournalVariables.ts"
import { programOf } from "../../../packages/adapter-http/src/tape/RequestProgram.ts"
import { created, customer, history, type Sample } from "./KeptRequests.ts"

describe("a variable", () => {
  const what = { reason: "MASKED", description: "" } as const
  it.each([
    ["deviceCode", "DEVICE_CODE_1"],
    ["x-my.header", "X_MY_HEADER_1"],
    ["0", "VALUE_0_1"],
    ["_a", "VALUE__A_1"],
    ["a".repeat(60), `${"A".repeat(50)}_1`],
  ])("for %s is called %s", (name, expected) => {
    expect(journalVariables().refer("key", name, what)).toBe(`{{env:${expected}}}`)
  })

  it("is counted by its name, and made once for a key", () => {
    const { header, named, refer } = journalVariables()
    expect([refer("a", "code", what), refer("b", "code", what), refer("a", "other", what)]).toEqual([
      "{{env:CODE_1}}",
      "{{env:CODE_2}}",
      "{{env:CODE_1}}",
    ])
    expect([header("a", "of a"), header("a", "of a"), header("b", "of b")]).toEqual([
      "AUTHORIZATION_1",
      "AUTHORIZATION_1",
      "AUTHORIZATION_2",
    ])
    expect([...named.values()].at(-1)).toEqual({ name: "AUTHORIZATION_2", reason: "CREDENTIALS", description: "of b" })
  })
})

describe("a program", () => {
  const run = (entries: RequestHistory, ...form: ReadonlyArray<"CURL" | "SCRIPT" | "TEST">) =>
    Effect.runSync(Effect.result(programOf(entries, ...form)))

  it("has the form that is asked for, and is a test otherwise, named for its request", () => {
    const entries = history(created, { path: `/customers/${customer}?a=1` })
    const programs = [run(entries), run(entries, "TEST"), run(entries, "SCRIPT"), run(entries, "CURL")].map((result) =>
      result._tag === "Success" ? [result.success.form, result.success.program] : [],
    )
    expect(programs.map(([form]) => form)).toEqual(["TEST", "TEST", "SCRIPT", "CURL"])
    expect(programs[0]).toEqual(programs[1])
    expect(programs[0]?.[1]).toContain("GET /customers/Customer:…?a=1 answers 200")
    expect(programs[3]?.[1]).toContain("curl")
    expect(new Set(programs.map(([, program]) => program)).size).toBe(3)
  })

  it("has its tape as JSON, and what the tape needs", () => {
    const result = run(history(created, { path: `/customers/${customer}` }))
    expect(result).toMatchObject({
      success: {
        requestId: "Request:2",
        requests: ["Request:1", "Request:2"],
        variables: [],
        gaps: [],
        forgotten: 0,
        tape: { format: "countersign tape 1" },
      },
    })
  })

  it.each<readonly [string, RequestHistory, string]>([
    [
      "a gap",
      history({ operation: "createIt", notSendable: { reason: "STREAM", message: "", members: [] } }),
      "createIt opened a stream",
    ],
    ["a request that is not kept", history(), "it is not kept"],
  ])("is refused for %s", (_, entries, reason) => {
    expect(run(entries)).toMatchObject({
      failure: {
        code: "CONFLICT",
        message: `No program can repeat this request: ${reason}.`,
        details: { reason: "NOT_REPEATABLE" },
      },
    })
  })

  it("is refused where it would repeat more than 300 requests", () => {
    const chain = (count: number) =>
      history(...Array.from({ length: count }, (): Sample => ({ method: "PATCH", path: "/config" })))
    expect(run(chain(300))._tag).toBe("Success")
    expect(run(chain(301))).toMatchObject({
      failure: {
        code: "CONFLICT",
        message: "The program would repeat 301 requests; at most 300 are possible.",
        details: { reason: "TOO_MANY_REQUESTS", requests: 301, max: 300 },
      },
    })
  })
})
