/**
 * Validates the options of `embed` before anything starts. Invalid options are rejected with all errors listed, for callers in JavaScript too.
 * Source: D-191, D-275, D-340, D-341, D-446.
 */
import { MemoryStore } from "@countersign/adapter-memory"
import { Currencies } from "@countersign/core/models"
import { clientSecretMin, problemsOfNames, sandboxOnlyName, vaultSecretMin, weaknessOf } from "@countersign/core/ports"
import { Result } from "effect"
import { invalidProxies } from "../middleware/ClientAddress.ts"
import { isLoopback, isPublicUrl } from "../middleware/PublicUrl.ts"
import { documentEncryptions } from "../vault/EncryptedVault.ts"
import { isTrustworthy } from "../wallet/OidcTokens.ts"
import * as AddressPolicy from "../webhook/AddressPolicy.ts"
import * as NodeWebhookSigner from "../webhook/NodeWebhookSigner.ts"
import type { EmbedOptions } from "./EmbedOptions.ts"
import { entriesOf, isObject, problemsOfShapes } from "./EmbedShapes.ts"

const isLoopbackUrl = (url: string) => URL.canParse(url) && isLoopback(new URL(url).hostname)
/** Only a sandbox that no other machine reaches may send to any address: the caller of another machine must not use it as a proxy. */
export const isReachableOnlyHere = ({ publicUrl, sandbox }: EmbedOptions): boolean =>
  sandbox === true && (publicUrl === undefined || isLoopbackUrl(publicUrl))
const isText = (value: unknown): value is string => typeof value === "string"

/** Checks values only: a value of another type has that problem already. */
const textsOf = (value: unknown): ReadonlyArray<string> => entriesOf(value).filter(isText)

/** The entries of `platforms`, each with the members that have the right type. */
const platformsOf = ({ platforms }: EmbedOptions) =>
  entriesOf(platforms)
    .filter(isObject)
    .map(({ clientId, clientSecret, currencies, nextClientSecret, webhookEndpoint }) => ({
      clientId: isText(clientId) ? clientId : undefined,
      secrets: [clientSecret, nextClientSecret].filter(isText),
      currencies: textsOf(currencies),
      webhookEndpoint: isText(webhookEndpoint) ? webhookEndpoint : undefined,
    }))

/** Rejects credentials that HTTP Basic cannot carry, because a platform, once created, is never removed. */
const problemsOfPlatforms = (options: EmbedOptions): ReadonlyArray<string> => {
  const platforms = platformsOf(options)
  const ids = platforms.flatMap(({ clientId }) => clientId ?? [])
  return [
    ...ids.filter((id, at) => ids.indexOf(id) < at).map((id) => `two platforms have the client id ${id}`),
    ...platforms.flatMap(({ clientId = "a platform", currencies, secrets }) => [
      ...(/^[^:\p{Cc}]+$/u.test(clientId)
        ? []
        : [`the client id ${JSON.stringify(clientId)} must not be empty, or contain a colon or a control character`]),
      ...(secrets.every((secret) => /^\P{Cc}+$/u.test(secret))
        ? []
        : [`the client secret of ${clientId} must not be empty, or contain a control character`]),
      ...currencies
        .filter((currency) => !Object.hasOwn(Currencies.rows, currency))
        .map((currency) => `the currency ${JSON.stringify(currency)} of ${clientId} does not exist`),
    ]),
  ]
}

const problemsOfProxies = ({ trustedProxies }: EmbedOptions): ReadonlyArray<string> =>
  invalidProxies(textsOf(trustedProxies)).map(
    (entry) => `trustedProxies must have addresses or CIDR ranges, not ${JSON.stringify(entry)}`,
  )

/** Checks the webhook endpoints that can be checked without the DNS. Another transport has rules of its own. */
const problemsOfWebhooks = (options: EmbedOptions): ReadonlyArray<string> => {
  const allow = textsOf(options.webhookAllow)
  const invalid = AddressPolicy.invalidEntries(allow)
  if (invalid.length > 0) {
    return invalid.map(
      (entry) => `webhookAllow must have hosts, addresses or CIDR ranges, not ${JSON.stringify(entry)}`,
    )
  }
  if (options.webhookTransport !== undefined) return []
  const policy = AddressPolicy.make(isReachableOnlyHere(options) ? "any" : "public", allow)
  return platformsOf(options).flatMap(({ clientId, webhookEndpoint }) => {
    const parsed = webhookEndpoint === undefined ? undefined : AddressPolicy.parseEndpoint(policy, webhookEndpoint)
    return parsed === undefined || Result.isSuccess(parsed)
      ? []
      : [`the webhookEndpoint of ${clientId}: ${parsed.failure}`]
  })
}

const problemsOfKey = ({ webhookKey }: EmbedOptions): ReadonlyArray<string> => {
  const problem = isText(webhookKey) ? NodeWebhookSigner.problemOfKey(webhookKey) : undefined
  return problem === undefined ? [] : [`webhookKey: ${problem}`]
}

const problemsOfIssuers = ({ walletChecks }: EmbedOptions): ReadonlyArray<string> =>
  textsOf(isObject(walletChecks) ? walletChecks["issuers"] : undefined)
    .filter((issuer) => !isTrustworthy(issuer))
    .map((issuer) => `walletChecks.issuers must have https addresses, not ${JSON.stringify(issuer)}`)

const isBasePath = (text: string): boolean => {
  const inside = text.replace(/^\//u, "").replace(/\/$/u, "")
  return inside === "" || inside.split("/").every((segment) => /^(?!\.{1,2}$)[\w.~-]+$/u.test(segment))
}

const problemsOfBasePath = ({ basePath }: EmbedOptions): ReadonlyArray<string> =>
  !isText(basePath) || isBasePath(basePath)
    ? []
    : ["basePath must have segments of letters, digits and `.~_-` between slashes, such as /2025-10-13"]

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

const problemsOfEncryption = ({ documentEncryption, documents, walletSecret }: EmbedOptions): ReadonlyArray<string> => {
  if (!isText(documentEncryption) || documentEncryption === "off") return []
  if (!documentEncryptions.includes(documentEncryption))
    return [`documentEncryption must be ${documentEncryptions.join(" or ")}`]
  return documents !== undefined && walletSecret === undefined
    ? ["documentEncryption needs walletSecret: with one that is generated, the files are lost with the process"]
    : []
}

/** Layers that only a sandbox may use. */
const simulatedLayers = (options: EmbedOptions): ReadonlyArray<string> =>
  (["store", "ports", "documents", "settings"] as const).flatMap((option) => {
    const name = sandboxOnlyName(options[option])
    return name === undefined ? [] : [`${option}: only a sandbox may use ${name}`]
  })

/** Secrets that protect nothing. No message repeats one. */
const weakSecrets = (options: EmbedOptions): ReadonlyArray<string> => {
  const secrets = platformsOf(options).flatMap((platform) =>
    platform.secrets.map((secret) => [`the client secret of ${platform.clientId}`, secret, clientSecretMin] as const),
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

/** The options are not valid. Nothing has been started. */
export class EmbedOptionsError extends Error {
  override readonly name = "EmbedOptionsError"
  /** Every problem, as a sentence that names its option. */
  readonly problems: ReadonlyArray<string>
  constructor(problems: ReadonlyArray<string>) {
    super(`embed: ${problems.join("; ")}`)
    this.problems = problems
  }
}

/** Throws an error that lists every problem. */
export const checkOptions = (options: EmbedOptions): void => {
  if (!isObject(options)) throw new EmbedOptionsError(["the options must be an object"])
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
    ...problemsOfShapes(options),
    ...problemsOfPlatforms(options),
    ...problemsOfProxies(options),
    ...problemsOfWebhooks(options),
    ...problemsOfUrl(options),
    ...problemsOfBasePath(options),
    ...problemsOfKey(options),
    ...problemsOfIssuers(options),
    ...problemsOfNames(options),
    ...problemsOfRotation(options),
    ...problemsOfEncryption(options),
    ...live,
  ]
  if (problems.length > 0) throw new EmbedOptionsError(problems)
}

/** Returns the secrets that are generated at each start although the store keeps data that depends on them. */
export const unstableSecrets = (options: EmbedOptions): ReadonlyArray<string> =>
  options.store === MemoryStore.layer ? [] : missingSecrets(options)
