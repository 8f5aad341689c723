/** What each option of `serve` takes: the last value that is right, and the first that is wrong. */

import { DailyVolume, UseLimitSettings } from "@countersign/core/ports"
import { ConfigProvider, Effect, Layer, Option, Redacted } from "effect"
import type { Flag } from "effect/cli"
import { describe, expect, it } from "vitest"
import type { Checked } from "../../../packages/cli/src/CheckedFlags.ts"
import { limitSettings } from "../../../packages/cli/src/LimitFlags.ts"
import { platform } from "../../../packages/cli/src/Platform.ts"
import {
  hasConsole,
  parsePlatform,
  type ServeOptions,
  serveFlags,
  serviceNameOf,
} from "../../../packages/cli/src/ServeFlags.ts"
import { operateFlags } from "../../../packages/cli/src/StoreFlags.ts"
import { optionsWith, some } from "./ServeOptionsOf.ts"

const flags: Readonly<Record<string, Flag.Flag<Checked<unknown>>>> = { ...serveFlags, operator: operateFlags.operator }

/** Reads an option from the words of a command line; its value as it is shown. */
const read = async (name: string, ...words: ReadonlyArray<string>) => {
  const flag = flags[name]
  if (flag === undefined) throw new Error(`there is no ${name}`)
  const word = name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)
  const names: Readonly<Record<string, string>> = {
    limits: "limit",
    platforms: "platform",
    scenario: "world",
    "sandbox-uma-domains": "sandbox-uma-domain",
    "trusted-proxies": "trusted-proxy",
  }
  const [, { problem, value }] = await flag
    .parse({ flags: { [names[word] ?? word]: words }, arguments: [] })
    .pipe(Effect.provide([platform, ConfigProvider.layer(ConfigProvider.fromEnv({ env: {} }))]), Effect.runPromise)
  const plain = Option.isOption(value) ? Option.getOrUndefined(value) : value
  return { value: Redacted.isRedacted(plain) ? Redacted.value(plain) : plain, problem }
}

const secret = "s".repeat(32)

describe("an option of serve", () => {
  it.each<readonly [name: string, words: ReadonlyArray<string>, value: unknown]>([
    ["host", ["::1"], "::1"],
    ["port", ["0"], 0],
    ["port", ["65535"], 65_535],
    ["publicUrl", ["http://a.example:80/b"], "http://a.example:80/b"],
    ["cells", ["1"], 1],
    ["cells", ["256"], 256],
    ["leaseSeconds", ["1"], 1],
    ["leaseSeconds", ["86400"], 86_400],
    ["clientId", ["a"], "a"],
    ["agentTokenDays", ["0"], 0],
    ["agentTokenDays", ["3650"], 3650],
    ["basePath", ["/"], ""],
    ["basePath", [""], ""],
    ["basePath", ["v1"], "/v1"],
    ["basePath", ["//a/b//"], "/a/b"],
    ["serviceName", [`A${"1".repeat(31)}`], `A${"1".repeat(31)}`],
    ["walletSecret", [secret], secret],
    ["previousWalletSecret", [secret], secret],
    ["limitProcesses", ["1"], 1],
    ["limitProcesses", ["1000"], 1000],
    ["readsPerMinute", ["1"], 1],
    ["writesPerMinute", ["1000000000"], 1_000_000_000],
    ["dailyVolume", ["USD:0"], { USD: 0 }],
    ["dailyVolume", ["USD:1", "EUR:2", "USD:3"], { USD: 3, EUR: 2 }],
    ["platformDailyVolume", ["USD:9007199254740991"], { USD: 9_007_199_254_740_991 }],
    ["scaRegions", ["EU, UK", "CH"], ["EU", "UK", "CH"]],
    ["umaDomain", ["a-1.b.example"], "a-1.b.example"],
    ["sandboxUmaDomains", ["a.example", "b.example"], ["a.example", "b.example"]],
    ["s3AccessKeyId", ["AZ_az-09"], "AZ_az-09"],
    ["s3Encryption", ["kms:a/b:c.d-e_f"], "kms:a/b:c.d-e_f"],
    ["s3Encryption", ["AES256"], "AES256"],
    ["invitationBaseUrl", ["https://invite.example"], "https://invite.example"],
    ["operator", ["n".repeat(140)], "n".repeat(140)],
  ])("%s takes %j", async (name, words, value) => {
    expect(await read(name, ...words)).toEqual({ value, problem: undefined })
  })

  const address = "an http or https address without credentials, query and fragment"
  const perMinute = "a number from 1 to 1000000000"
  const volume = "CURRENCY:AMOUNT with the amount in the smallest unit, such as USD:1000000"
  const service = "a letter, then at most 31 letters and digits, and not Platform"
  it.each<readonly [name: string, word: string, expected: string]>([
    ["port", "65536", "a port from 0 to 65535"],
    ["publicUrl", "https://a@a.example", address],
    ["publicUrl", "ftp://a.example", address],
    ["cells", "0", "cells from 1 to 256"],
    ["cells", "257", "cells from 1 to 256"],
    ["leaseSeconds", "0", "seconds from 1 to 86400"],
    ["leaseSeconds", "86401", "seconds from 1 to 86400"],
    ["clientId", "", "at least one character, and no colon"],
    ["clientId", "a:b", "at least one character, and no colon"],
    ["agentTokenDays", "3651", "days from 0 to 3650"],
    ["serviceName", `A${"1".repeat(32)}`, service],
    ["headerPrefix", "platform", service],
    ["walletSecret", "s".repeat(31), "a secret of 32 characters or more"],
    ["previousWalletSecret", "s".repeat(31), "a secret of 32 characters or more"],
    ["limitProcesses", "1001", "processes from 1 to 1000"],
    ["readsPerMinute", "0", perMinute],
    ["platformWritesPerMinute", "1000000001", perMinute],
    ["dailyVolume", "USD", volume],
    ["dailyVolume", "USD:1.5", volume],
    ["dailyVolume", "ABC:1", volume],
    ["dailyVolume", "usd:1", volume],
    ["platformDailyVolume", "USD:9007199254740992", volume],
    ["umaDomain", "a", "a domain in lower case"],
    ["umaDomain", "-a.example", "a domain in lower case"],
    ["sandboxUmaDomains", "A.example", "domains in lower case"],
    ["s3AccessKeyId", "a b", "letters, digits, hyphens and underscores"],
    ["s3Encryption", "AES128", "AES256 or kms:KEY"],
    ["s3Encryption", "kms:", "AES256 or kms:KEY"],
    ["s3Region", "a.b", "letters, digits and hyphens"],
    ["s3Prefix", "/a", "letters, digits, dots, hyphens, underscores, and slashes between them"],
    ["invitationBaseUrl", "invite.example", address],
    ["operator", " ", "a name of 1 to 140 characters"],
    ["operator", "n".repeat(141), "a name of 1 to 140 characters"],
  ])("%s refuses %s", async (name, word, expected) => {
    expect((await read(name, word)).problem?.split("Expected: ")[1]).toBe(expected)
  })
})

describe("the options of serve", () => {
  it("have these values when they are absent", () => {
    const { options } = optionsWith({})
    const given = Object.entries(options).filter(
      ([, value]) => !(Option.isOption(value) && Option.isNone(value)) && !(Array.isArray(value) && value.length === 0),
    )
    expect(Object.fromEntries(given)).toEqual({
      host: "127.0.0.1",
      port: 8787,
      store: "pglite:./.countersign",
      role: "all",
      migrate: "run",
      leaseSeconds: 120,
      agentTokenDays: 0,
      basePath: "/2025-10-13",
      mode: "sandbox",
      limitProcesses: 1,
      dailyVolume: {},
      platformDailyVolume: {},
      quotePull: "declared",
      strictChecks: false,
      scenario: "empty",
      sharedClock: false,
      consolePasskeys: "off",
      log: "pretty",
      metrics: false,
    })
  })

  it.each<readonly [option: string, found: readonly [string, string] | undefined]>([
    ["a:b", ["a", "b"]],
    ["a:b:c", ["a", "b:c"]],
    [":b", undefined],
    ["a:", undefined],
    ["a", undefined],
    ["", undefined],
  ])("name the platform %j", (option, found) => {
    const parsed = parsePlatform(option)
    expect(parsed && [parsed.clientId, Redacted.value(parsed.clientSecret)]).toEqual(found)
  })

  it.each<readonly [shown: boolean, changes: Pick<ServeOptions, "console" | "mode">]>([
    [true, { mode: "sandbox", console: Option.none() }],
    [false, { mode: "live", console: Option.none() }],
    [false, { mode: "sandbox", console: some("off") }],
    [true, { mode: "live", console: some("on") }],
  ])("serve the page of approvals: %s", (shown, changes) => {
    expect(hasConsole(changes)).toBe(shown)
  })

  it("name the service under either name, and as Service otherwise", () => {
    const none = Option.none()
    expect(serviceNameOf({ serviceName: some("A"), headerPrefix: some("B") })).toBe("A")
    expect(serviceNameOf({ serviceName: none, headerPrefix: some("B") })).toBe("B")
    expect(serviceNameOf({ serviceName: none, headerPrefix: none })).toBe("Service")
  })

  it("make the settings of limits, each of its own option", async () => {
    const settingsOf = (options: Partial<ServeOptions>) =>
      Effect.all([UseLimitSettings, DailyVolume]).pipe(
        Effect.provide(Layer.fresh(limitSettings(optionsWith(options).options))),
        Effect.runPromise,
      )
    const [none, noVolume] = await settingsOf({})
    expect([none.counts, none.processes, noVolume]).toEqual([{}, 1, { perCustomer: {}, perPlatform: {} }])
    const [limits, volume] = await settingsOf({
      readsPerMinute: some(1),
      writesPerMinute: some(2),
      platformReadsPerMinute: some(3),
      platformWritesPerMinute: some(4),
      limitProcesses: 5,
      dailyVolume: { USD: 6 },
      platformDailyVolume: { USD: 7 },
    })
    expect(limits.counts).toEqual({ READS: 1, WRITES: 2, READS_OF_PLATFORM: 3, WRITES_OF_PLATFORM: 4 })
    expect([limits.processes, volume]).toEqual([5, { perCustomer: { USD: 6 }, perPlatform: { USD: 7 } }])
  })
})
