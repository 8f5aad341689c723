/** The rules of ports over HTTP: each with what breaks it and what just keeps it. Source: D-527. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { checkOptions } from "../../../packages/cli/src/OptionCheck.ts"
import type { ServeOptions } from "../../../packages/cli/src/ServeFlags.ts"
import { optionsWith, secret, some } from "./ServeOptionsOf.ts"

type Given = Partial<ServeOptions>
type Names = ReadonlyArray<keyof ServeOptions>

const required = ["rails", "exchange-rates", "verifier", "security-codes", "sca-provider", "otp-sender"]
const further = ["issuer", "funding-instructions", "bank-directory"]
const portsSecret = { portsSecret: "COUNTERSIGN_PORTS_SECRET" }

const problemsOf = async (given: Given, sources: Readonly<Record<string, string>> = portsSecret) =>
  (await Effect.runPromise(checkOptions(optionsWith(given, sources)))).problems

const live: Given = {
  mode: "live",
  store: "postgres://pay@db.example/pay",
  walletSecret: secret("abcdefghijklmnopqrstuvwxyz0123456789"),
}
const remote: Given = { portsUrl: some("https://bank.example.com/ports"), portsSecret: secret("a") }
const module: Given = { ports: some("ports.ts") }

describe("the ports", () => {
  it.each<readonly [what: string, given: Given]>([
    ["the sandbox's", {}],
    ["a module's", { ...live, ...module }],
    ["a server's", { ...live, ...remote }],
    [
      "a server's, with a file of its secret",
      { portsUrl: remote.portsUrl, portsSecretFile: some("secret.txt") } as Given,
    ],
    ["a server's in the sandbox", remote],
    ["some of a server and the others of a module", { ...live, ...remote, ...module, portsOf: ["issuer"] }],
    ["all that a server can answer", { ...live, ...remote, portsOf: [...required, ...further] }],
    ["some of a server in the sandbox", { ...remote, portsOf: ["rails"] }],
    ["of a server on this machine", { ...live, ...remote, portsUrl: some("http://127.0.0.1:9000") }],
    ["of a server over http in the sandbox", { ...remote, portsUrl: some("http://bank.example.com") }],
  ])("may be %s", async (_what, given) => {
    expect(await problemsOf(given)).toEqual([])
  })

  const ofSecret: Names = ["portsUrl", "portsSecret", "portsSecretFile"]
  const needed: Names = ["mode", "ports", "portsOf", "portsUrl"]
  const unneeded = "the secret of the ports needs --ports-url"

  it.each<readonly [message: string, concerns: Names, given: Given]>([
    [
      "live mode needs Rails, ExchangeRates, Verifier, SecurityCodes, ScaProvider, OtpSender and Issuer of your own: name a module that exports them with --ports FILE, or a server that answers them with --ports-url",
      ["mode", "ports", "portsUrl"],
      live,
    ],
    [
      "--ports and --ports-url together need --ports-of: the ports that the server answers, while the module has the others",
      ["ports", "portsOf", "portsUrl"],
      { ...live, ...module, ...remote },
    ],
    [
      "COUNTERSIGN_PORTS_SECRET and --ports-secret-file cannot be given together",
      ofSecret,
      { ...remote, portsSecretFile: some("secret.txt") },
    ],
    [
      "COUNTERSIGN_PORTS_SECRET and --ports-secret-file cannot be given together",
      ofSecret,
      { portsSecret: secret("a"), portsSecretFile: some("secret.txt") },
    ],
    [
      "--ports-url needs COUNTERSIGN_PORTS_SECRET, or --ports-secret-file",
      ofSecret,
      { portsUrl: some("https://bank.example.com") },
    ],
    [unneeded, ofSecret, { portsSecret: secret("a") }],
    [unneeded, ofSecret, { portsSecretFile: some("secret.txt") }],
    [
      `--ports-of takes ${[...required, ...further].join(", ")}, not bank`,
      ["portsOf"],
      { ...remote, portsOf: ["rails", "bank"] },
    ],
    ["--ports-of needs --ports-url", ["portsOf", "portsUrl"], { portsOf: ["rails"] }],
    [
      `live mode needs ${required.slice(1).join(", ")} in --ports-of`,
      needed,
      { ...live, ...remote, portsOf: ["rails", "issuer"] },
    ],
    ["live mode needs otp-sender in --ports-of", needed, { ...live, ...remote, portsOf: required.slice(0, -1) }],
  ])("are refused with: %s", async (message, concerns, given) => {
    expect(await problemsOf(given)).toEqual([{ reason: "usage", concerns, message }])
  })

  it("are refused for each name that is not in their list", async () => {
    const found = await problemsOf({ ...remote, portsOf: ["Rails", "rails", "bank"] })
    expect(found.map(({ message }) => message.split(", not ")[1])).toEqual(["Rails", "bank"])
  })

  it("do not take their secret from the command line, which other processes see", async () => {
    expect(await problemsOf(remote, { portsSecret: "--ports-secret" })).toEqual([
      {
        reason: "usage",
        concerns: ["portsSecret"],
        message:
          "--ports-secret: other processes see a command line; give the secret as COUNTERSIGN_PORTS_SECRET, or in a file with --ports-secret-file",
      },
    ])
    expect(await problemsOf({}, { portsSecret: "--ports-secret" })).toEqual([])
  })

  it("in live mode do not cross the network in the clear", async () => {
    expect(await problemsOf({ ...live, ...remote, portsUrl: some("http://bank.example.com") })).toEqual([
      {
        reason: "unsafe",
        concerns: ["mode", "portsUrl"],
        message: "live mode needs an https address in --ports-url: signatures do not hide what a request says",
      },
    ])
  })
})
