/** `countersign jobs` and `countersign faults`: what each command asks for, and what it prints of the answer. Source: D-458, D-480. */
import { describe, expect, it } from "vitest"
import { commandAt } from "./CommandsAt.ts"

const jobOf = (id: string, more: object = {}) => ({
  id,
  kind: "PAYOUT",
  subject: "Transaction:1",
  error: "the bank is away",
  attempts: 12,
  ...more,
})

const requestsOf = (sent: ReadonlyArray<{ readonly method: string; readonly path: string }>) =>
  sent.map(({ method, path }) => `${method} ${path}`)

describe("jobs list", () => {
  const pages = [
    { data: [jobOf("Job:1")], nextCursor: "two" },
    { data: [jobOf("Job:2", { attempts: 3, subject: undefined, error: undefined, kind: "A" })], nextCursor: "three" },
    { data: [] },
  ]
  const listed = (...words: ReadonlyArray<string>) =>
    commandAt(["jobs", "list", ...words], (_, index) => pages[index] ?? 401)

  it("reads every page, and aligns the attempts to the right", async () => {
    const { code, sent, stdout } = await listed()
    expect(code).toBe(0)
    expect(stdout).toBe(
      [
        "job    kind    subject        error             attempts",
        "Job:1  PAYOUT  Transaction:1  the bank is away        12",
        "Job:2  A                                               3",
      ].join("\n"),
    )
    const queries = sent.map(({ path }) => path.split("?")[1])
    expect(queries).toEqual(["limit=100", "limit=100&cursor=two", "limit=100&cursor=three"])
  })

  it("with --json is one list of all pages", async () => {
    const { stdout } = await listed("--json")
    expect(JSON.parse(stdout)).toMatchObject([{ id: "Job:1" }, { id: "Job:2" }])
  })

  it("says that no job is parked", async () => {
    expect((await commandAt(["jobs", "list"], () => ({ data: [] }))).stdout).toBe("no job is parked")
  })
})

describe("a parked job", () => {
  it.each([
    ["resume", "resumed Job:1 (PAYOUT)", "POST /jobs/Job%3A1/resume"],
    ["drop", "dropped Job:1 (PAYOUT)", "POST /jobs/Job%3A1/drop"],
  ])("is the argument of %s", async (command, line, request) => {
    const ended = await commandAt(["jobs", command, "Job:1"], () => jobOf("Job:1"))
    expect([ended.code, ended.stdout]).toEqual([0, line])
    expect(requestsOf(ended.sent)).toEqual([request])
    const { stdout } = await commandAt(["jobs", command, "Job:1", "--json"], () => jobOf("Job:1"))
    expect(JSON.parse(stdout)).toEqual(jobOf("Job:1"))
  })
})

describe("faults", () => {
  const rail = { kind: "REJECT", percent: 50 }
  const webhooks = { kind: "STATUS", status: 503 }
  const shown = { seed: 1, on: ["rail", "webhooks"], met: { rail: 2, webhooks: 0 }, rail, webhooks }
  const lines = [
    'rail      {"kind":"REJECT","percent":50}, met 2',
    'webhooks  {"kind":"STATUS","status":503}, met 0',
  ].join("\n")

  it("that are on are shown with the calls that met them", async () => {
    const ended = await commandAt(["faults", "show"], () => shown)
    expect([ended.code, ended.stdout]).toEqual([0, lines])
    expect(requestsOf(ended.sent)).toEqual(["GET /sandbox/faults"])
    const { stdout } = await commandAt(["faults", "show", "--json"], () => shown)
    expect(JSON.parse(stdout)).toEqual(shown)
  })

  it("that are on may be one", async () => {
    const one = { seed: 1, on: ["rail"], met: { rail: 1 }, rail }
    expect((await commandAt(["faults", "show"], () => one)).stdout).toBe(
      'rail      {"kind":"REJECT","percent":50}, met 1',
    )
  })

  it("may be off", async () => {
    const off = { seed: 1, on: [], met: {} }
    expect((await commandAt(["faults", "show"], () => off)).stdout).toBe("no fault is on")
  })

  it("are set as the JSON of the argument", async () => {
    const ended = await commandAt(["faults", "set", JSON.stringify({ rail, webhooks })], () => shown)
    expect([ended.code, ended.stdout]).toEqual([0, lines])
    expect(ended.sent).toMatchObject([{ method: "PUT", path: "/sandbox/faults", body: { rail, webhooks } }])
  })

  it.each(["{", '{"rail":{"kind":"REJECT","percent":101}}', '{"rail":1}'])("are not set as %s", async (text) => {
    const { code, sent, stderr } = await commandAt(["faults", "set", text], () => shown)
    expect([code, sent]).toEqual([2, []])
    expect(stderr).toMatch(/the faults are not valid: \S/u)
  })

  it("are switched off", async () => {
    const ended = await commandAt(["faults", "clear"], () => ({}))
    expect([ended.code, ended.stdout]).toEqual([0, "no fault is on"])
    expect(requestsOf(ended.sent)).toEqual(["DELETE /sandbox/faults"])
    const { stdout } = await commandAt(["faults", "clear", "--json"], () => ({}))
    expect(JSON.parse(stdout)).toEqual({ on: [] })
  })
})
