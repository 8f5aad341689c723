/** The type of each option of `embed`: a value of its type has no problem, one of any other type has one that names both. Source: D-275. */
import { Layer } from "effect"
import { describe, expect, it } from "vitest"
import { problemsOfShapes } from "../../../packages/adapter-http/src/embed/EmbedShapes.ts"

const least = { store: Layer.empty, ports: Layer.empty }

/** Values of each type. An array of strings is an array too. */
const values: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  "a layer": [Layer.empty],
  "a string": ["", "x"],
  "a boolean": [true, false],
  "a function": [() => undefined],
  "an array": [[{}], [7]],
  "an array of strings": [["a", "b"], []],
  "an object": [{}],
  "a positive integer": [1, 2 ** 31 - 1],
  "no type of an option": [0, -1, 1.5, 2 ** 31, Number.NaN, null],
}

const isAlso = (expected: string, type: string): boolean =>
  expected === type ||
  (expected === "an array" && type === "an array of strings") ||
  (expected === "an object" && type === "a layer")

/** Holds a member of these options against all values. */
const holdType = (at: string, expected: string, problemsWith: (value: unknown) => ReadonlyArray<string>) => {
  for (const [type, each] of Object.entries(values))
    for (const value of each) {
      const found = problemsWith(value).filter((problem) => problem.startsWith(`${at} must be`))
      const problems = isAlso(expected, type) ? [] : [`${at} must be ${expected}`]
      expect([at, value, found]).toEqual([at, value, problems])
    }
  expect([at, problemsWith(undefined).filter((problem) => problem.startsWith(`${at} must be`))]).toEqual([at, []])
}

const problemsOf = (options: object): ReadonlyArray<string> => problemsOfShapes(options as never)

describe("the type of an option", () => {
  it.each([
    ["a layer", ["webhookTransport", "documents", "settings"]],
    [
      "a string",
      [
        "publicUrl",
        "basePath",
        "serviceName",
        "headerPrefix",
        "webhookKey",
        "walletSecret",
        "previousWalletSecret",
        "documentEncryption",
      ],
    ],
    ["a boolean", ["sandbox", "workers", "metrics"]],
    ["an array", ["platforms"]],
    ["an array of strings", ["webhookAllow", "trustedProxies"]],
    ["an object", ["walletChecks", "console", "limits"]],
  ])("is %s for these, and no other", (expected, names) => {
    for (const name of names) holdType(name, expected, (value) => problemsOf({ ...least, [name]: value }))
  })

  it.each([
    ["a string", ["clientId", "clientSecret", "nextClientSecret", "name", "webhookEndpoint"]],
    ["an array of strings", ["currencies"]],
  ])("is %s for these of a platform", (expected, names) => {
    const platform = { clientId: "a", clientSecret: "b" }
    for (const name of names)
      holdType(`platforms[1].${name}`, expected, (value) =>
        problemsOf({ ...least, platforms: [platform, { ...platform, [name]: value }] }),
      )
  })

  it.each([
    ["limits", "a positive integer", ["bodyBytesMax", "requestsInFlightMax", "requestsInFlightPerTenantMax"]],
    ["limits", "a positive integer", ["changeStreamsMax", "changeStreamsPerTenantMax"]],
    ["walletChecks", "an array of strings", ["issuers", "origins", "relyingPartyIds"]],
    ["walletChecks", "a function", ["fetch"]],
    ["walletChecks", "a positive integer", ["timeoutMillis", "keepMillis", "cooldownMillis", "retryMillis"]],
    ["console", "an object", ["route", "sessions"]],
    ["console", "a function", ["layer"]],
  ])("of a member of %s is %s for these", (option, expected, names) => {
    for (const name of names)
      holdType(`${option}.${name}`, expected, (value) => problemsOf({ ...least, [option]: { [name]: value } }))
  })
})

describe("an option", () => {
  it("is missing where it is required", () => {
    expect(problemsOf({})).toEqual(["store is missing: it must be a layer", "ports is missing: it must be a layer"])
    expect(problemsOf(least)).toEqual([])
    expect(problemsOf({ ...least, platforms: [{}], console: {}, limits: {}, walletChecks: {} })).toEqual([
      "platforms[0].clientId is missing: it must be a string",
      "platforms[0].clientSecret is missing: it must be a string",
      "console.route is missing: it must be an object",
      "console.layer is missing: it must be a function",
    ])
  })

  it("does not exist if its name is unknown, and the problem lists those that exist", () => {
    const [problem, ...more] = problemsOf({ ...least, console: { route: {}, layer: () => undefined, titel: "x" } })
    expect([problem, more]).toEqual(["there is no option console.titel: route, layer, sessions", []])
    expect(problemsOf({ ...least, toString: 1 })).toHaveLength(1)
  })

  it.each([null, "a", 7, ["a"]])("of a platform has one problem where the platform is %j", (platform) => {
    expect(problemsOf({ ...least, platforms: [platform] })).toEqual(["platforms[0] must be an object"])
  })
})
