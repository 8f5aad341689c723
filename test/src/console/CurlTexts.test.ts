/** A kept request as a command of curl: each word for the shell, and no credentials. Source: D-464. */
import { execFileSync } from "node:child_process"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { curlText } from "../../../packages/console/page/CurlText.ts"

type Kept = Parameters<typeof curlText>[0]

beforeEach(() => {
  vi.stubGlobal("location", { origin: "http://pay.example", pathname: "/console" })
  vi.stubGlobal("document", { querySelector: () => ({ content: "/2025-10-13" }) })
})
afterEach(() => vi.unstubAllGlobals())

const request = (more: object): Kept =>
  ({ method: "GET", path: "/agents", requestHeaders: {}, caller: { kind: "NOBODY" }, ...more }) as Kept

/** The words of the command, as a shell gives them to a program. */
const wordsOf = (command: string | undefined): ReadonlyArray<string> => {
  const env = {
    PATH: process.env["PATH"],
    COUNTERSIGN_CLIENT_ID: "id",
    COUNTERSIGN_CLIENT_SECRET: "sec ret",
    COUNTERSIGN_AGENT_TOKEN: "tok en",
  }
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`
  return execFileSync("bash", ["-c", script], { env, encoding: "utf8" }).split("\0").slice(0, -1)
}

const address = "http://pay.example/2025-10-13/agents"

it.each<readonly [string, string, ReadonlyArray<string>]>([
  ["nobody", "NOBODY", []],
  ["a platform", "PLATFORM", ["--user", "id:sec ret"]],
  ["an agent", "AGENT", ["--header", "Authorization: Bearer tok en"]],
])("of %s has the credentials of the shell", (_, kind, credentials) => {
  expect(wordsOf(curlText(request({ caller: { kind } })))).toEqual(["--request", "GET", address, ...credentials])
})

it("sends every text as it was, whatever a shell would make of it", () => {
  const texts = ["it's ''two''", "$HOME `id` $(id) \\ !", 'a "b"\nc', "'"]
  for (const text of texts) {
    const kept = request({
      method: "POST",
      path: `/agents?name=${text}`,
      requestHeaders: { "idempotency-key": text },
      requestBody: { text, isCut: false },
    })
    expect(wordsOf(curlText(kept))).toEqual([
      "--request",
      "POST",
      `${address}?name=${text}`,
      "--header",
      `idempotency-key: ${text}`,
      "--data-raw",
      text,
    ])
  }
})

it("leaves out the headers that curl sets itself", () => {
  const own = ["accept", "accept-language", "content-length", "origin", "user-agent"]
  const requestHeaders = Object.fromEntries([...own, "content-type", "x-accept"].map((name) => [name, "v"]))
  expect(wordsOf(curlText(request({ requestHeaders }))).slice(3)).toEqual([
    "--header",
    "content-type: v",
    "--header",
    "x-accept: v",
  ])
})

it.each([
  ["without a text", { isCut: false }],
  ["that is cut", { text: "{", isCut: true }],
])("does not exist for a body %s", (_, requestBody) => {
  expect(curlText(request({ requestBody }))).toBeUndefined()
})
