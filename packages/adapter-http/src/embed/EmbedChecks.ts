/**
 * Validates the options of `embed` before anything starts. Invalid options are rejected with all errors listed, for callers in JavaScript too.
 * Source: D-191, D-275, D-340, D-341.
 */
import { MemoryStore } from "@countersign/adapter-memory"
import { clientSecretMin, problemsOfNames, sandboxOnlyName, vaultSecretMin, weaknessOf } from "@countersign/core/ports"
import { Layer } from "effect"
import { invalidProxies } from "../middleware/ClientAddress.ts"
import { isLoopback, isPublicUrl } from "../middleware/PublicUrl.ts"
import { invalidLimits } from "../middleware/ServerLimits.ts"
import type { EmbedOptions } from "./EmbedOptions.ts"

type Shape = "a layer" | "a string" | "a boolean" | "an array" | "an object"

/** The required type of each option. The compiler checks that no option is missing here. */
const shapes: Readonly<Record<keyof EmbedOptions, Shape>> = {
  store: "a layer",
  ports: "a layer",
  platforms: "an array",
  sandbox: "a boolean",
  publicUrl: "a string",
  webhookAllow: "an array",
  basePath: "a string",
  serviceName: "a string",
  headerPrefix: "a string",
  webhookKey: "a string",
  walletSecret: "a string",
  previousWalletSecret: "a string",
  walletChecks: "an object",
  webhookTransport: "a layer",
  documents: "a layer",
  workers: "a boolean",
  metrics: "a boolean",
  settings: "a layer",
  trustedProxies: "an array",
  limits: "an object",
}
const isLoopbackUrl = (url: string) => URL.canParse(url) && isLoopback(new URL(url).hostname)
const isText = (value: unknown): value is string => typeof value === "string"
const required = ["store", "ports"]

const isOf = (shape: Shape, value: unknown): boolean => {
  if (shape === "a layer") return Layer.isLayer(value)
  return shape === "an array" ? Array.isArray(value) : shape.endsWith(` ${typeof value}`)
}

const problemsOfShape = (options: Readonly<Record<string, unknown>>): ReadonlyArray<string> => [
  ...Object.keys(options)
    .filter((name) => !Object.hasOwn(shapes, name))
    .map((name) => `there is no option ${name}: ${Object.keys(shapes).join(", ")}`),
  ...Object.entries(shapes).flatMap(([name, shape]) => {
    const value = options[name]
    if (value === undefined) return required.includes(name) ? [`${name} is missing: it must be ${shape}`] : []
    return isOf(shape, value) ? [] : [`${name} must be ${shape}`]
  }),
]

/** Rejects credentials that HTTP Basic cannot carry, because a platform, once created, is never removed. */
const problemsOfPlatforms = ({ platforms = [] }: EmbedOptions): ReadonlyArray<string> => {
  if (!Array.isArray(platforms)) return []
  const ids = platforms.map(({ clientId }) => clientId)
  return [
    ...ids.filter((id, at) => ids.indexOf(id) < at).map((id) => `two platforms have the client id ${id}`),
    ...platforms.flatMap(({ clientId, clientSecret, nextClientSecret = clientSecret }) => [
      ...(typeof clientId === "string" && /^[^:\p{Cc}]+$/u.test(clientId)
        ? []
        : [`the client id ${JSON.stringify(clientId)} must not be empty, or contain a colon or a control character`]),
      ...([clientSecret, nextClientSecret].every((secret) => typeof secret === "string" && /^\P{Cc}+$/u.test(secret))
        ? []
        : [`the client secret of ${clientId} must not be empty, or contain a control character`]),
    ]),
  ]
}

const problemsOfLimits = ({ limits }: EmbedOptions): ReadonlyArray<string> =>
  invalidLimits(limits ?? {}).map((name) => `limits.${name} must be a positive integer`)

const problemsOfProxies = ({ trustedProxies = [] }: EmbedOptions): ReadonlyArray<string> =>
  Array.isArray(trustedProxies)
    ? invalidProxies(trustedProxies.map(String)).map(
        (entry) => `trustedProxies must have addresses or CIDR ranges, not ${JSON.stringify(entry)}`,
      )
    : []

const secrets = ["webhookKey", "walletSecret"] as const
const missingSecrets = (options: EmbedOptions) => secrets.filter((name) => options[name] === undefined)

const problemsOfUrl = ({ publicUrl }: EmbedOptions): ReadonlyArray<string> =>
  typeof publicUrl !== "string" || isPublicUrl(publicUrl)
    ? []
    : ["publicUrl must be an http or https address without credentials, query and fragment"]

const walletSecretsOf = (options: EmbedOptions) =>
  (["walletSecret", "previousWalletSecret"] as const).flatMap((name) => {
    const secret = options[name]
    return isText(secret) ? [[name, secret, vaultSecretMin] as const] : []
  })

/** A sandbox may use a known secret, but no short one: it opens the keys of wallets. */
const problemsOfVault = (options: EmbedOptions): ReadonlyArray<string> =>
  walletSecretsOf(options).flatMap(([name, secret]) =>
    secret.length < vaultSecretMin ? [`${name} has fewer than ${vaultSecretMin} characters`] : [],
  )

const problemsOfRotation = ({ previousWalletSecret, walletSecret }: EmbedOptions): ReadonlyArray<string> =>
  previousWalletSecret !== undefined && walletSecret === undefined ? ["previousWalletSecret needs walletSecret"] : []

/** Layers that only a sandbox may use. */
const simulatedLayers = (options: EmbedOptions): ReadonlyArray<string> =>
  (["store", "ports", "documents", "settings"] as const).flatMap((option) => {
    const name = sandboxOnlyName(options[option])
    return name === undefined ? [] : [`${option}: only a sandbox may use ${name}`]
  })

/** Secrets that protect nothing. No message repeats one. */
const weakSecrets = ({ platforms = [], ...options }: EmbedOptions): ReadonlyArray<string> => {
  const secrets = (Array.isArray(platforms) ? platforms : []).flatMap(({ clientId, clientSecret, nextClientSecret }) =>
    [clientSecret, nextClientSecret].flatMap((secret) =>
      isText(secret) ? [[`the client secret of ${clientId}`, secret, clientSecretMin] as const] : [],
    ),
  )
  const all = [...secrets, ...walletSecretsOf(options)]
  const values = all.map(([, secret]) => secret)
  return [
    ...all.flatMap(([name, secret, lengthMin]) => {
      const weakness = weaknessOf(secret, lengthMin)
      return weakness === undefined ? [] : [`${name} ${weakness}`]
    }),
    ...(new Set(values).size < values.length ? ["two of the secrets are the same"] : []),
  ]
}

/** Throws an error that lists every problem. */
export const checkOptions = (options: EmbedOptions): void => {
  const shape = problemsOfShape({ ...options })
  const isLocal = isText(options.publicUrl) ? isLoopbackUrl(options.publicUrl) : true
  const live =
    options.sandbox === true
      ? isLocal
        ? problemsOfVault(options)
        : weakSecrets(options)
      : [
          ...simulatedLayers(options),
          ...weakSecrets(options),
          ...missingSecrets(options).map((name) => `${name} is required unless sandbox is true`),
        ]
  const problems = [
    ...shape,
    ...problemsOfPlatforms(options),
    ...problemsOfProxies(options),
    ...problemsOfLimits(options),
    ...problemsOfUrl(options),
    ...problemsOfNames(options),
    ...problemsOfRotation(options),
    ...live,
  ]
  if (problems.length > 0) throw new Error(`embed: ${problems.join("; ")}`)
}

/** Returns the secrets that are generated at each start although the store keeps data that depends on them. */
export const unstableSecrets = (options: EmbedOptions): ReadonlyArray<string> =>
  options.store === MemoryStore.layer ? [] : missingSecrets(options)
