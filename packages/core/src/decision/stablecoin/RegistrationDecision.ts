/**
 * Decides the registration of a stablecoin, and what the provider's later answers about its issuance change.
 * Source: wire contract areas 1.6.3 and 1.6.7.
 */
import { IssuanceMachine } from "../../model/stablecoin/IssuanceMachine.ts"
import { RegistrationRules } from "../../model/stablecoin/ProviderLinkRules.ts"
import { awaitsIssuance, type Stablecoin } from "../../model/stablecoin/Stablecoin.ts"
import {
  type StablecoinRegisterRequest,
  type StablecoinResource,
  toStablecoin,
} from "../../model/stablecoin/StablecoinResource.ts"
import type { TokenAnswer } from "../../ports/StablecoinProvider.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse, takenClaim } from "../Decision.ts"
import { troubleChanges } from "./ProviderAccountDecision.ts"

type Described = Extract<TokenAnswer, { readonly _tag: "Described" }>

export interface RegistrationLoaded {
  /** The provider account to register with, if one was found. */
  readonly account: Stored<"StablecoinProviderAccount"> | undefined
  readonly areSeveralActive: boolean
}

export interface RegistrationAsked {
  /** Absent: the provider was not asked. */
  readonly described: TokenAnswer | undefined
}

const answerFacts = {
  Described: "DESCRIBED",
  NotFound: "NOT_FOUND",
  CredentialsRefused: "REFUSED",
  Withdrawn: "WITHDRAWN",
  Unavailable: "UNAVAILABLE",
} as const

/** Wait (ms) before a provider that names no time is asked again about an issuance. */
const issuanceWaitMillis = 15 * 60 * 1000
const issuanceWaitMillisMin = 1000

/** The question about an issuance that has not ended. */
const describeJob = (
  { ids, now }: Pick<DecisionContext, "ids" | "now">,
  id: string,
  data: Stablecoin,
  askAgainAt: number = now + issuanceWaitMillis,
): Changes.Changes =>
  awaitsIssuance(data)
    ? {
        jobs: [
          job(ids, "stablecoin.describe", {
            customerId: null,
            dueAt: Math.max(askAgainAt, now + issuanceWaitMillisMin),
            lane: `stablecoin.describe:${id}`,
            payload: { stablecoinId: id },
          }),
        ],
      }
    : {}

/** The state that a chain of arrows leads to; the state itself, if no chain leads to the reported one. */
const issuanceAfter = (from: Stablecoin["issuanceStatus"] | null, { issuanceStatus: to }: Described) => {
  const path = IssuanceMachine.pathBetween(from, to)
  return path === undefined || path.length === 0 ? from : IssuanceMachine.follow(from, ...path).state
}

export const decideRegistration =
  ({
    network,
    networkTokenIdentifier,
    providerTokenIdentifier,
    stablecoinProviderAccountId,
  }: StablecoinRegisterRequest) =>
  (
    { account, areSeveralActive, described }: RegistrationLoaded & RegistrationAsked,
    context: DecisionContext,
  ): Decision<StablecoinResource> => {
    const refused = RegistrationRules.first({
      isNamed: stablecoinProviderAccountId !== undefined,
      account: account?.data,
      areSeveralActive,
      answer: described && answerFacts[described._tag],
      isTaken: takenClaim(context.rejections) !== undefined,
    })
    if (refused !== undefined) {
      const trouble =
        described?._tag === "CredentialsRefused" || described?._tag === "Withdrawn" ? described : undefined
      return refuse(refused.refusal, account && trouble && troubleChanges(account, trouble, context))
    }
    if (account === undefined || described?._tag !== "Described") throw new Error("The rules accepted no token.")
    const { baseCurrency, decimals, name, symbol } = described
    const data: Stablecoin = {
      name,
      symbol,
      baseCurrency,
      decimals,
      network,
      issuanceStatus: issuanceAfter(null, described) ?? "PENDING_REVIEW",
      serviceOperationsStatus: "NOT_ENABLED",
      networkTokenIdentifier,
      provider: account.data.provider,
      stablecoinProviderAccountId: account.id,
      providerEnvironment: account.data.providerEnvironment,
      providerTokenIdentifier,
      registeredAt: context.now,
    }
    const owner = { platformId: context.caller.platformId, customerId: null }
    const registered = Changes.insertedRecord("Stablecoin", context.ids("Stablecoin", null), owner, data, context.now)
    return answer(
      201,
      toStablecoin(registered),
      Changes.combine(
        Changes.insert("Stablecoin", registered.id, owner, data),
        Changes.guard(account),
        describeJob(context, registered.id, data, described.askAgainAt),
        auditRecord(context, "STABLECOIN_REGISTER", registered, {
          details: { stablecoinProviderAccountId: account.id, issuanceStatus: data.issuanceStatus },
        }),
      ),
    )
  }

/** Stores the provider's answer about an issuance. A late or repeated one changes nothing. */
export const decideIssuance =
  (described: Described, fence: Changes.Changes = {}) =>
  ({ stablecoin }: { readonly stablecoin: Stored<"Stablecoin"> }, context: DecisionContext): Decision<null> => {
    const before = stablecoin.data.issuanceStatus
    const issuanceStatus = issuanceAfter(before, described) ?? before
    const data = { ...stablecoin.data, issuanceStatus }
    return answer(
      200,
      null,
      Changes.combine(
        issuanceStatus === before
          ? undefined
          : Changes.combine(
              Changes.update(stablecoin, data),
              auditRecord(context, "STABLECOIN_ISSUANCE_STATUS", stablecoin, { details: { issuanceStatus } }),
            ),
        describeJob(context, stablecoin.id, data, described.askAgainAt),
        fence,
      ),
    )
  }
