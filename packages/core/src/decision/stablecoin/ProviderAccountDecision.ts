/**
 * Decides the link of a platform's account at a provider of stablecoins, and what later checks change.
 * Source: wire contract areas 1.6.2; D-391.
 */
import type { SealedText } from "../../foundation/crypto/Sealed.ts"
import { ProviderAccountMachine } from "../../model/stablecoin/ProviderAccountMachine.ts"
import {
  type StablecoinProviderAccountLinkRequest,
  type StablecoinProviderAccountResource,
  toProviderAccount,
} from "../../model/stablecoin/ProviderAccountResource.ts"
import { ProviderLinkRules } from "../../model/stablecoin/ProviderLinkRules.ts"
import type {
  ProviderEnvironment,
  StablecoinProviderAccount,
} from "../../model/stablecoin/StablecoinProviderAccount.ts"
import type { CredentialAnswer, ProviderTrouble } from "../../ports/StablecoinProvider.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse, takenClaim } from "../Decision.ts"

type ProviderAccount = Stored<"StablecoinProviderAccount">

/** What the provider and the store say of the credentials of a link. */
export interface LinkAsked {
  readonly answer: CredentialAnswer
  /** The account that is linked, if the answer selects one, and the secret sealed for it. */
  readonly selected?: { readonly providerAccountId: string; readonly sealedSecret: SealedText }
  /** The present link of the account, unless it is revoked. */
  readonly existing: ProviderAccount | undefined
  readonly environment: ProviderEnvironment
}

/** Milliseconds before credentials are checked again at the earliest. */
const checkAgainMillisMin = 1000

/** The check of a link at the time that the provider names. */
const checkJob = (
  { ids, now }: Pick<DecisionContext, "ids" | "now">,
  id: string,
  linkedAt: number,
  checkAgainAt: number | undefined,
): Changes.Changes =>
  checkAgainAt === undefined
    ? {}
    : {
        jobs: [
          job(ids, "stablecoin.check", {
            customerId: null,
            dueAt: Math.max(checkAgainAt, now + checkAgainMillisMin),
            payload: { stablecoinProviderAccountId: id, linkedAt },
          }),
        ],
      }

/** Links an account, or gives an account whose credentials had become invalid new ones. */
export const decideLink =
  ({ apiClientId, provider, providerAccountId: named }: StablecoinProviderAccountLinkRequest) =>
  (facts: LinkAsked, context: DecisionContext): Decision<StablecoinProviderAccountResource> => {
    const { answer: answered, environment, existing, selected } = facts
    const refused = ProviderLinkRules.first({
      isAccepted: answered._tag === "Unavailable" ? undefined : answered._tag === "Accepted",
      reachable: answered._tag === "Accepted" ? answered.providerAccountIds : [],
      named,
      isLinked: existing?.data.status === "ACTIVE" || takenClaim(context.rejections) !== undefined,
    })
    if (refused !== undefined) return refuse(refused.refusal)
    if (selected === undefined || answered._tag !== "Accepted") throw new Error("The link rules accepted no account.")
    const { now } = context
    const data: StablecoinProviderAccount = {
      provider,
      ...selected,
      providerEnvironment: environment,
      status: ProviderAccountMachine.follow(existing?.data.status ?? null, "Link").state,
      apiClientId,
      linkedAt: now,
      lastVerifiedAt: now,
    }
    const owner = { platformId: context.caller.platformId, customerId: null }
    const linked =
      existing === undefined
        ? Changes.insertedRecord(
            "StablecoinProviderAccount",
            context.ids("StablecoinProviderAccount", null),
            owner,
            data,
            now,
          )
        : Changes.after(existing, data, now)
    return answer(
      201,
      toProviderAccount(linked),
      Changes.combine(
        // The earlier credentials are erased with the earlier versions.
        existing === undefined
          ? Changes.insert("StablecoinProviderAccount", linked.id, owner, data)
          : Changes.erase(existing, data),
        checkJob(context, linked.id, now, answered.checkAgainAt),
        auditRecord(context, "STABLECOIN_PROVIDER_LINK", linked, {
          details: { provider, providerAccountId: data.providerAccountId },
        }),
      ),
    )
  }

/** Returns the changes that a provider's refusal makes in the provider account; none, if its state allows none. */
export const troubleChanges = (
  account: ProviderAccount,
  trouble: ProviderTrouble,
  context: DecisionContext,
): Changes.Changes => {
  if (trouble._tag === "Unavailable") return {}
  const trigger = trouble._tag === "Withdrawn" ? "Withdraw" : "Refuse"
  const taken = ProviderAccountMachine.take(account.data.status, trigger)
  if (taken._tag === "Refused") return {}
  return Changes.combine(
    Changes.update(account, { ...account.data, status: taken.state }),
    auditRecord(context, "STABLECOIN_PROVIDER_STATUS", account, { details: { status: taken.state } }),
  )
}

/** Stores the answer to a check. `linkedAt` names the credentials that were checked: an account that has others stays as it is. */
export const decideCheck =
  (
    checked: Exclude<CredentialAnswer, { readonly _tag: "Unavailable" }>,
    linkedAt: number,
    fence: Changes.Changes = {},
  ) =>
  ({ account }: { readonly account: ProviderAccount }, context: DecisionContext): Decision<null> => {
    const { data } = account
    if (data.linkedAt !== linkedAt || data.status !== "ACTIVE") return answer(200, null, fence)
    const isReached = checked._tag === "Accepted" && checked.providerAccountIds.includes(data.providerAccountId)
    if (checked._tag !== "Accepted" || !isReached) {
      const trouble: ProviderTrouble = checked._tag === "Accepted" ? { _tag: "CredentialsRefused" } : checked
      return answer(200, null, Changes.combine(troubleChanges(account, trouble, context), fence))
    }
    return answer(
      200,
      null,
      Changes.combine(
        Changes.update(account, { ...data, lastVerifiedAt: context.now }),
        checkJob(context, account.id, linkedAt, checked.checkAgainAt),
        fence,
      ),
    )
  }

/** Stores that a call with these credentials was refused. */
export const decideTrouble =
  (trouble: ProviderTrouble, linkedAt: number) =>
  ({ account }: { readonly account: ProviderAccount }, context: DecisionContext): Decision<null> =>
    answer(200, null, account.data.linkedAt === linkedAt ? troubleChanges(account, trouble, context) : {})
