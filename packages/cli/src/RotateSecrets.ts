/**
 * `countersign rotate`: new secrets beside the present ones, on a store that servers may use at the same time. A new secret is printed once,
 * on standard output, and the audit names the operator. The store keeps its hash only.
 * Source: D-343, D-344, D-357.
 */
import { Agents, ApiTokens, notFound, ServiceError } from "@countersign/core"
import type { ApiTokenResource, ApiTokenSecretResource } from "@countersign/core/models"
import { AgentTokenLifetime, ExchangeRates } from "@countersign/core/ports"
import { Effect, Layer, Option } from "effect"
import { asOperator, everyPage, platformOf } from "./AsOperator.ts"
import type { OperateOptions } from "./StoreFlags.ts"
import * as TextTable from "./TextTable.ts"

export interface OverlapOptions extends OperateOptions {
  readonly overlapSeconds: Option.Option<number>
}

export const overlapOf = ({ overlapSeconds }: OverlapOptions) =>
  Option.isSome(overlapSeconds) ? { overlapSeconds: overlapSeconds.value } : {}

const until = (time: string | undefined, otherwise: string) => (time === undefined ? otherwise : `until ${time}`)

const allTokens = ApiTokens.use((tokens) => everyPage((after) => tokens.list({ limit: 100, ...after })))

const tokenOf = Effect.fnUntraced(function* ({ clientId }: OperateOptions, tokenId: string | undefined) {
  if (tokenId !== undefined) return yield* ApiTokens.use((tokens) => tokens.get(tokenId))
  const own = yield* platformOf(clientId)
  const found = (yield* allTokens).find((token) => token.clientId === own.clientId)
  return found ?? (yield* new ServiceError(notFound("token")))
})

const secretTable = (tokens: ReadonlyArray<ApiTokenResource>) =>
  TextTable.make(
    ["token", "name", "secret", "created", "last used", "valid"],
    tokens.flatMap(({ id, name, secrets }) =>
      secrets.map(({ createdAt, expiresAt, id: secretId, lastUsedAt = "never" }) => [
        id,
        name,
        secretId,
        createdAt,
        lastUsedAt,
        until(expiresAt, "until retired"),
      ]),
    ),
    6,
  )

const ofTokens = asOperator<ApiTokens, OverlapOptions>(() => ApiTokens.layer)

export const listSecrets = (tokenId: string | undefined, isAll: boolean) =>
  ofTokens((options) => (isAll ? allTokens : Effect.map(tokenOf(options, tokenId), (token) => [token])), {
    lines: secretTable,
  })

export const retireSecret = (tokenId: string | undefined, secretId: string) =>
  ofTokens(
    (options) =>
      Effect.gen(function* () {
        const { id } = yield* tokenOf(options, tokenId)
        yield* ApiTokens.use((tokens) => tokens.retireSecret(id, secretId))
        return { tokenId: id, retired: secretId }
      }),
    { lines: ({ retired }) => `retired ${retired}` },
  )

/** Shows the secret alone, so that it can be piped into the keeper of secrets. */
const shownSecret = ({ clientSecret = "" }: ApiTokenSecretResource) => clientSecret

export const addSecret = (tokenId: string | undefined) =>
  ofTokens(
    (options) =>
      Effect.gen(function* () {
        const { id } = yield* tokenOf(options, tokenId)
        const { body } = yield* ApiTokens.use((tokens) => tokens.addSecret(id, overlapOf(options)))
        return body
      }),
    { lines: shownSecret, note: ({ id }) => `the new secret is ${id}; it is shown this once` },
  )

export interface AgentTokenOptions extends OverlapOptions {
  readonly agentTokenDays: number
}

const dayMillis = 24 * 60 * 60 * 1000

/** A rotation asks for no rate. */
const noRates = Layer.succeed(ExchangeRates, { rate: () => Effect.undefined })

export const agentToken = (agentId: string) =>
  asOperator<Agents, AgentTokenOptions>(({ agentTokenDays }) =>
    Agents.layer.pipe(
      Layer.provide(noRates),
      Layer.merge(Layer.succeed(AgentTokenLifetime, agentTokenDays === 0 ? undefined : agentTokenDays * dayMillis)),
    ),
  )(
    (options) =>
      Agents.use((agents) => Effect.map(agents.rotateToken(agentId, overlapOf(options)), ({ body }) => body)),
    {
      lines: ({ accessToken }) => accessToken,
      note: ({ expiresAt, previousExpiresAt }) =>
        `the new token is valid ${until(expiresAt, "without an end")}, and the previous one ${until(previousExpiresAt, "no longer")}; it is shown this once`,
    },
  )
