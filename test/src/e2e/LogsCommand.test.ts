/**
 * `countersign logs tail` follows the requests of a running sandbox.
 * Source: D-466.
 */
import { expect, it } from "vitest"
import { serverWithCommands } from "./Commands.ts"
import { eventually } from "./Deadline.ts"
import { inProcess } from "./InProcess.ts"

it("prints earlier requests, then each new one once, and ends by a signal", { timeout: 120_000 }, async () => {
  await using running = await serverWithCommands()
  const { platform, started } = running
  await platform("GET", "/tokens?limit=1")
  await platform("GET", "/tokens?limit=2")
  await using all = started(["logs", "tail", "-n", "1"])
  await using failures = started([
    "logs",
    "tail",
    "--failed",
    "--json",
    "--status",
    "404",
    "--operation",
    "getCustomerById",
  ])
  await eventually("the earlier request", all.stdout, (text) => text.includes("GET /tokens?limit=2"), 60_000)
  await platform("GET", "/customers/Customer:unknown")
  await platform("POST", "/customers", {
    body: { customerType: "INDIVIDUAL", fullName: "Ada", identifier: "canary-1" },
  })
  await eventually("the new requests", all.stdout, (text) => text.includes("POST /customers"), 60_000)
  await eventually("the failure", failures.stdout, (text) => text.includes("\n"), 60_000)

  for (const each of [all, failures]) each.terminate()
  expect((await all.exited).code).toBe(0)
  expect((await failures.exited).code).toBe(0)
  const lines = all.stdout().trim().split("\n")
  expect(lines).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d {2}200 {2}GET \/tokens\?limit=2 {2}\d+ ms {2}\S/u),
    expect.stringMatching(/404 {2}GET \/customers\/Customer:unknown .* USER_NOT_FOUND/u),
    expect.stringMatching(/201 {2}POST \/customers /u),
  ])
  const [failure, ...others] = failures.stdout().trim().split("\n")
  expect(others).toEqual([])
  expect(JSON.parse(failure ?? "")).toMatchObject({ operation: "getCustomerById", status: 404 })
})

it.each([
  ["-n", "101"],
  ["--status", "99"],
  ["--status", "600"],
  ["--operation", "createPayment"],
])("refuses %s %s, which no request can match", async (option, value) => {
  const server = ["--server", "http://127.0.0.1:1", "--client-id", "a", "--client-secret", "b"]
  const { code, stderr } = await inProcess(["logs", "tail", option, value, ...server])
  expect(code).toBe(2)
  expect(stderr).toContain(`${option} takes`)
})
