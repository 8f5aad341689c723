/**
 * Checks every option that can be checked before the store opens, so that a mistyped option creates no folder and waits for no server.
 * All problems are reported at once.
 * Source: D-029, D-030, D-036, D-341, D-342.
 */

import {
  inboxAddress,
  invalidProxies,
  isLoopback,
  NodeWebhookSigner,
  NodeWebhookTransport,
  normalizedUrl,
  parseLimit,
  type ServerLimitOptions,
  serverLimits,
} from "@countersign/adapter-http"
import { clientSecretMin, vaultSecretMin, WebhookTransport, weaknessOf } from "@countersign/core/ports"
import { Effect, Layer, Option, Redacted, Result } from "effect"
import type { Collected } from "./CheckedFlags.ts"
import { usageError } from "./CommandError.ts"
import { parseDocumentsLocation } from "./DocumentsLocation.ts"
import { documentsRules } from "./DocumentsRules.ts"
import type { OptionFacts, OptionRule } from "./OptionRule.ts"
import { portsRules } from "./PortsRules.ts"
import type { Problem } from "./Problems.ts"
import { parsePlatform, type ServeOptions } from "./ServeFlags.ts"
import { parseStoreLocation } from "./StoreLocation.ts"
import { cellsNeed, lacksCells, parseStore, storeDirectForms, storeForms } from "./StoreOption.ts"

export const duplicateClientId = (clientId: string) => usageError(`two platforms have the client id ${clientId}`)

type Options = Collected<ServeOptions>
type OptionProblem = Problem<keyof ServeOptions>

/** Only a sandbox that no other machine reaches may send to any address: a caller elsewhere must not use it as a proxy into its network. */
const isLocal = ({ host, publicUrl }: ServeOptions): boolean =>
  isLoopback(host) && (Option.isNone(publicUrl) || isLoopback(new URL(publicUrl.value).hostname))

/** Strangers may reach the service: live mode, or a sandbox that other machines can call. */
const isExposed = ({ options }: OptionFacts): boolean => options.mode === "live" || !isLocal(options)

const exposure = "live mode and addresses that are not loopback need a secret of your own"

const weaknesses = (secrets: ReadonlyArray<readonly [source: string, secret: string]>, lengthMin: number) =>
  secrets.flatMap(([source, secret]) => {
    const weakness = weaknessOf(secret, lengthMin)
    return weakness === undefined ? [] : [`${source} ${weakness}: ${exposure}`]
  })

const given = (option: Option.Option<Redacted.Redacted>): ReadonlyArray<string> =>
  Option.toArray(Option.map(option, Redacted.value))

const repeated = (values: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(values.filter((value, at) => values.indexOf(value) < at)),
]

const limitNames = Object.keys(serverLimits).join(", ")

/** The limits of `--limit`; of a repeated one the last. */
export const limitsOf = ({ limits }: ServeOptions): ServerLimitOptions => Object.assign({}, ...limits.map(parseLimit))

const rules: ReadonlyArray<OptionRule> = [
  ...documentsRules,
  ...portsRules,
  [
    "usage",
    ["store"],
    ({ location, sources }) =>
      // The message does not repeat the value, which may contain a password.
      location === undefined ? `${sources.store} ${storeForms}` : undefined,
  ],
  [
    "usage",
    ["storeDirect", "store"],
    ({ location, options, sources }) =>
      location !== undefined && parseStore(options) === undefined
        ? `${sources.storeDirect} ${storeDirectForms}`
        : undefined,
  ],
  [
    "usage",
    ["cells", "store"],
    ({ location, options, sources }) =>
      location !== undefined && lacksCells(options) ? `${sources.cells} ${cellsNeed}` : undefined,
  ],
  [
    "usage",
    ["role", "store"],
    ({ location, options: { role } }) =>
      role !== "all" && location !== undefined && location._tag !== "Server"
        ? `--role ${role} needs a store that processes can share: --store postgres://...`
        : undefined,
  ],
  [
    "usage",
    ["platforms"],
    ({ options: { platforms }, sources }) =>
      platforms.every((option) => parsePlatform(option) !== undefined)
        ? undefined
        : `${sources.platforms} takes ID:SECRET`,
  ],
  [
    "usage",
    ["clientId", "platforms"],
    ({ options: { clientId }, others }) =>
      repeated([...Option.toArray(clientId), ...others.map((other) => other.clientId)]).map(
        (id) => duplicateClientId(id).message,
      ),
  ],
  [
    "usage",
    ["scenario", "mode", "role"],
    ({ options: { mode, role, scenario } }) =>
      scenario !== "empty" && (mode === "live" || role === "worker")
        ? "--world sets up a sandbox: it needs --mode sandbox and a role that answers requests"
        : undefined,
  ],
  [
    "usage",
    ["mode", "quotePull"],
    ({ options: { mode, quotePull } }) =>
      mode === "live" && quotePull !== "declared"
        ? "--quote-pull is for the sandbox: in live mode the Rails of --ports decide when a quote pulls"
        : undefined,
  ],
  [
    "usage",
    ["mode", "sandboxUmaDomains"],
    ({ options: { mode, sandboxUmaDomains } }) =>
      mode === "live" && sandboxUmaDomains.length > 0
        ? "--sandbox-uma-domain is for the sandbox: in live mode the UmaNetwork of --ports finds addresses"
        : undefined,
  ],
  [
    "usage",
    ["serviceName", "headerPrefix"],
    ({ options: { headerPrefix, serviceName }, sources }) =>
      Option.isSome(serviceName) && Option.isSome(headerPrefix) && serviceName.value !== headerPrefix.value
        ? `${sources.serviceName} and ${sources.headerPrefix} differ: they are two names of one option, so give only the first`
        : undefined,
  ],
  [
    "usage",
    ["trustedProxies"],
    ({ options: { trustedProxies }, sources }) =>
      invalidProxies(trustedProxies).map(
        (proxy) => `${sources.trustedProxies} takes an address or a CIDR range, not ${proxy}`,
      ),
  ],
  [
    "usage",
    ["limits"],
    ({ options: { limits }, sources }) =>
      limits
        .filter((limit) => parseLimit(limit) === undefined)
        .map((limit) => `${sources.limits} takes NAME=NUMBER, not ${limit}; the names are ${limitNames}`),
  ],
  [
    "unsafe",
    ["mode", "store"],
    ({ location, options: { mode } }) =>
      mode === "live" && location?._tag === "Memory"
        ? "live mode needs a store that keeps its data: --store memory loses all money at the end of the process"
        : undefined,
  ],
  [
    "unsafe",
    ["mode", "store", "walletSecret"],
    ({ location, options: { mode, walletSecret } }) =>
      mode === "live" && location?._tag === "Server" && Option.isNone(walletSecret)
        ? "live mode on a server needs --wallet-secret, from which wallet mnemonics are derived"
        : undefined,
  ],
  [
    "unsafe",
    ["mode", "host", "publicUrl", "clientSecret"],
    (facts) =>
      isExposed(facts)
        ? weaknesses(
            given(facts.options.clientSecret).map((secret) => [facts.sources.clientSecret, secret]),
            clientSecretMin,
          )
        : undefined,
  ],
  [
    "unsafe",
    ["mode", "host", "publicUrl", "nextClientSecret"],
    (facts) =>
      isExposed(facts)
        ? weaknesses(
            given(facts.options.nextClientSecret).map((secret) => [facts.sources.nextClientSecret, secret]),
            clientSecretMin,
          )
        : undefined,
  ],
  [
    "usage",
    ["clientSecret", "nextClientSecret"],
    ({ options: { clientSecret, nextClientSecret }, sources }) =>
      Option.isSome(nextClientSecret) && Option.isNone(clientSecret)
        ? `${sources.nextClientSecret} needs --client-secret: it is the second of two`
        : undefined,
  ],
  [
    "unsafe",
    ["mode", "host", "publicUrl", "platforms"],
    (facts) =>
      isExposed(facts)
        ? weaknesses(
            facts.others.map(({ clientId, clientSecret }) => [
              `the secret of ${clientId} in ${facts.sources.platforms}`,
              Redacted.value(clientSecret),
            ]),
            clientSecretMin,
          )
        : undefined,
  ],
  [
    "unsafe",
    ["mode", "host", "publicUrl", "walletSecret"],
    (facts) =>
      isExposed(facts)
        ? weaknesses(
            given(facts.options.walletSecret).map((secret) => [facts.sources.walletSecret, secret]),
            vaultSecretMin,
          )
        : undefined,
  ],
  [
    "unsafe",
    ["mode", "host", "publicUrl", "previousWalletSecret"],
    (facts) =>
      isExposed(facts)
        ? weaknesses(
            given(facts.options.previousWalletSecret).map((secret) => [facts.sources.previousWalletSecret, secret]),
            vaultSecretMin,
          )
        : undefined,
  ],
  [
    "usage",
    ["walletSecret", "previousWalletSecret"],
    ({ options: { previousWalletSecret, walletSecret }, sources }) =>
      Option.isSome(previousWalletSecret) && Option.isNone(walletSecret)
        ? `${sources.previousWalletSecret} needs --wallet-secret: it is the secret before that one`
        : undefined,
  ],
  [
    "unsafe",
    ["mode", "host", "publicUrl", "clientSecret", "nextClientSecret", "platforms", "walletSecret"],
    (facts) => {
      const { clientSecret, nextClientSecret, walletSecret } = facts.options
      const secrets = [
        ...facts.others.map((other) => Redacted.value(other.clientSecret)),
        ...given(clientSecret),
        ...given(nextClientSecret),
      ]
      return isExposed(facts) && repeated([...secrets, ...given(walletSecret)]).length > 0
        ? "two of the secrets are the same: each platform and the wallets need their own"
        : undefined
    },
  ],
]

export const transportOf = (options: ServeOptions) =>
  NodeWebhookTransport.layer({
    addresses: options.mode === "sandbox" && isLocal(options) ? "any" : "public",
    allow: options.webhookAllow,
    inboxes:
      options.mode === "sandbox" && Option.isSome(options.publicUrl)
        ? inboxAddress(normalizedUrl(options.publicUrl.value), "")
        : undefined,
  })

const webhookUrlProblems = Effect.fnUntraced(function* ({ options: { webhookUrl }, sources }: Options) {
  if (Option.isNone(webhookUrl)) return []
  const { check } = yield* WebhookTransport
  const refusal = yield* check(webhookUrl.value)
  return refusal === undefined ? [] : [`${sources.webhookUrl}: ${refusal.reason}`]
})

const webhookKeyProblems = Effect.fnUntraced(function* ({ options: { webhookKey }, sources }: Options) {
  if (Option.isNone(webhookKey)) return []
  const layer = NodeWebhookSigner.layer({ privateKeyPem: webhookKey.value })
  const built = yield* Effect.result(Effect.scoped(Layer.build(layer)))
  return Result.isFailure(built) ? [`${sources.webhookKey}: ${built.failure.message}`] : []
})

/** Returns all problems of the options, and the platforms of `--platform`. */
export const checkOptions = Effect.fnUntraced(function* (collected: Options) {
  const { options } = collected
  const others = options.platforms.flatMap((option) => parsePlatform(option) ?? [])
  const facts: OptionFacts = {
    ...collected,
    others,
    location: parseStoreLocation(options.store),
    documents: parseDocumentsLocation(options.documents, options.store),
  }
  const asUsage = (concerns: keyof ServeOptions) => (message: string) =>
    ({ reason: "usage", message, concerns: [concerns] }) as const
  const urls = yield* Effect.provide(webhookUrlProblems(collected), transportOf(options))
  const keys = yield* webhookKeyProblems(collected)
  const found: ReadonlyArray<OptionProblem> = [
    ...rules.flatMap(([reason, concerns, messages]) =>
      [messages(facts) ?? []].flat().map((message) => ({ reason, concerns, message })),
    ),
    ...urls.map(asUsage("webhookUrl")),
    ...keys.map(asUsage("webhookKey")),
  ]
  // An option without a valid value has only that problem.
  const invalid = new Set(collected.problems.flatMap(({ concerns }) => concerns))
  const problems = [
    ...collected.problems,
    ...found.filter(({ concerns }) => !concerns.some((name) => invalid.has(name))),
  ]
  return { others, problems }
})
