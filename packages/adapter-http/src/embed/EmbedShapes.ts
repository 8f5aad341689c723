/**
 * The type of each option of `embed`, checked at run time for callers in JavaScript and for values that come from a file.
 * Source: D-275, D-446.
 */
import { Layer } from "effect"
import type { ListenerLimitOptions } from "../middleware/ServerLimits.ts"
import type { Page } from "../server/Page.ts"
import type { WalletCheckOptions } from "../wallet/WalletChecks.ts"
import type { EmbeddedPlatform, EmbedOptions } from "./EmbedOptions.ts"

type Shape =
  | "a layer"
  | "a string"
  | "a boolean"
  | "a function"
  | "an array"
  | "an array of strings"
  | "an object"
  | "a positive integer"

/** The compiler checks that no member of the type is missing. */
type Shapes<T> = Readonly<Record<keyof T, Shape>>

const shapes: Shapes<EmbedOptions> = {
  store: "a layer",
  ports: "a layer",
  platforms: "an array",
  sandbox: "a boolean",
  publicUrl: "a string",
  webhookAllow: "an array of strings",
  basePath: "a string",
  serviceName: "a string",
  headerPrefix: "a string",
  webhookKey: "a string",
  walletSecret: "a string",
  previousWalletSecret: "a string",
  walletChecks: "an object",
  webhookTransport: "a layer",
  documents: "a layer",
  documentEncryption: "a string",
  workers: "a boolean",
  metrics: "a boolean",
  console: "an object",
  settings: "a layer",
  trustedProxies: "an array of strings",
  limits: "an object",
}

const platformShapes: Shapes<EmbeddedPlatform> = {
  clientId: "a string",
  clientSecret: "a string",
  nextClientSecret: "a string",
  name: "a string",
  currencies: "an array of strings",
  webhookEndpoint: "a string",
}

const walletCheckShapes: Shapes<WalletCheckOptions> = {
  issuers: "an array of strings",
  origins: "an array of strings",
  relyingPartyIds: "an array of strings",
  fetch: "a function",
  timeoutMillis: "a positive integer",
  keepMillis: "a positive integer",
  cooldownMillis: "a positive integer",
  retryMillis: "a positive integer",
}

const limitShapes: Shapes<ListenerLimitOptions> = {
  bodyBytesMax: "a positive integer",
  requestsInFlightMax: "a positive integer",
  requestsInFlightPerTenantMax: "a positive integer",
  changeStreamsMax: "a positive integer",
  changeStreamsPerTenantMax: "a positive integer",
}

const pageShapes: Shapes<Page> = { route: "an object", layer: "a function", sessions: "an object" }

export const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const tests: Readonly<Record<Shape, (value: unknown) => boolean>> = {
  "a layer": Layer.isLayer,
  "a string": (value) => typeof value === "string",
  "a boolean": (value) => typeof value === "boolean",
  "a function": (value) => typeof value === "function",
  "an array": Array.isArray,
  "an array of strings": (value) => Array.isArray(value) && value.every((entry) => typeof entry === "string"),
  "an object": isObject,
  // The longest timer is 2^31 - 1 milliseconds; a larger limit is no limit.
  "a positive integer": (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 2_147_483_647,
}

/** The entries of an array; none if the value is no array. */
export const entriesOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const problemsOfMembers = (
  value: unknown,
  expected: Readonly<Record<string, Shape>>,
  { at = "", required = [] }: { readonly at?: string; readonly required?: ReadonlyArray<string> },
): ReadonlyArray<string> =>
  isObject(value)
    ? [
        ...Object.keys(value)
          .filter((name) => !Object.hasOwn(expected, name))
          .map((name) => `there is no option ${at}${name}: ${Object.keys(expected).join(", ")}`),
        ...Object.entries(expected).flatMap(([name, shape]) => {
          const member = value[name]
          if (member === undefined)
            return required.includes(name) ? [`${at}${name} is missing: it must be ${shape}`] : []
          return tests[shape](member) ? [] : [`${at}${name} must be ${shape}`]
        }),
      ]
    : []

/** Returns the problem of each option, and of each member of one, that has another type. */
export const problemsOfShapes = (options: EmbedOptions): ReadonlyArray<string> => [
  ...problemsOfMembers(options, shapes, { required: ["store", "ports"] }),
  ...entriesOf(options.platforms).flatMap((platform, index) =>
    isObject(platform)
      ? problemsOfMembers(platform, platformShapes, {
          at: `platforms[${index}].`,
          required: ["clientId", "clientSecret"],
        })
      : [`platforms[${index}] must be an object`],
  ),
  ...problemsOfMembers(options.limits, limitShapes, { at: "limits." }),
  ...problemsOfMembers(options.walletChecks, walletCheckShapes, { at: "walletChecks." }),
  ...problemsOfMembers(options.console, pageShapes, { at: "console.", required: ["route", "layer"] }),
]
