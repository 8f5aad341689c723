/**
 * Decides a request for a mint or burn. What the rules accept is stored before the provider is asked. If the process ends
 * between the two, the outcome is unknown, and the provider is never asked twice to move the money.
 * Source: wire contract areas 1.6.4 and 1.6.6; D-390.
 */
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import * as CanonicalJson from "../../foundation/kit/CanonicalJson.ts"
import type { PayoutRail } from "../../model/stablecoin/PayoutRails.ts"
import { canonicalAmount, centsOf } from "../../model/stablecoin/StablecoinAmount.ts"
import type {
  OperationAccount,
  StablecoinOperation,
  StablecoinOperationType,
  StablecoinSourceType,
} from "../../model/stablecoin/StablecoinOperation.ts"
import { StablecoinOperationMachine } from "../../model/stablecoin/StablecoinOperationMachine.ts"
import {
  type StablecoinOperationResource,
  toStablecoinOperation,
} from "../../model/stablecoin/StablecoinOperationResource.ts"
import { StablecoinOperationRules } from "../../model/stablecoin/StablecoinOperationRules.ts"
import { asOf } from "../../store/AsOf.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, interim, refuse } from "../Decision.ts"

type StoredOperation = Stored<"StablecoinOperation">

/** What a request asks for, the same for mints and burns. */
export interface StablecoinOrder {
  readonly operationType: StablecoinOperationType
  readonly amount: string
  readonly sourceType: StablecoinSourceType
  /** The account that the provider debits. */
  readonly sourceAccountId?: string
  readonly destinationAccountId: string
  readonly isDestinationInternal: boolean
  readonly rail?: PayoutRail
  readonly description?: string
}

export interface OrderLoaded {
  readonly stablecoin: Stored<"Stablecoin">
  readonly providerAccount: Stored<"StablecoinProviderAccount"> | undefined
  readonly source: Stored<"ExternalAccount"> | undefined
  readonly destination: Stored<"ExternalAccount"> | undefined
  /** The operation that an earlier request with the same key and body has begun, and that has not answered it. */
  readonly earlier: StoredOperation | undefined
}

/** An operation whose provider must be asked now. */
export interface Attempt {
  readonly _tag: "Attempt"
  readonly operation: StoredOperation
  /** No earlier attempt can have instructed the provider. */
  readonly isFirst: boolean
}

/** Milliseconds after which a job ends an attempt that has not ended itself: its process may have ended. */
export const attemptMillisMax = 60_000

export const attemptJob = ({ ids }: Pick<DecisionContext, "ids">, id: string, dueAt: number): Changes.Changes => ({
  jobs: [
    job(ids, "stablecoin.attempt", {
      customerId: null,
      dueAt,
      lane: `stablecoin.attempt:${id}`,
      payload: { stablecoinOperationId: id },
    }),
  ],
})

const copyOf = ({ customerId, data, id }: Stored<"ExternalAccount">): OperationAccount => ({
  accountId: id,
  ...(customerId === null ? {} : { customerId }),
  currency: data.currency,
  accountInfo: data.accountInfo,
})

/** Continues an operation that an earlier request began: the provider is asked what it knows of it. */
const continueEarlier = (
  operation: StoredOperation,
  { now }: DecisionContext,
): Decision<Attempt | StablecoinOperationResource> => {
  if (operation.data.status !== "CREATED") {
    const { request: _request, ...data } = operation.data
    return answer(201, toStablecoinOperation(asOf(operation, now)), Changes.update(operation, data))
  }
  const data = { ...operation.data, attemptedAt: now }
  return interim(
    { _tag: "Attempt", operation: Changes.after(operation, data, now), isFirst: false },
    Changes.update(operation, data),
  )
}

/** `request`: the hashes of the idempotency key and the body. */
export const decideOrder =
  (order: StablecoinOrder, request: NonNullable<StablecoinOperation["request"]>) =>
  (loaded: OrderLoaded, context: DecisionContext): Decision<Attempt | StablecoinOperationResource> => {
    const { destination, earlier, providerAccount, source, stablecoin } = loaded
    if (earlier !== undefined) return continueEarlier(earlier, context)
    const { amount, description, operationType, rail, sourceType } = order
    const cents = centsOf(amount, stablecoin.data.decimals)
    const refused = StablecoinOperationRules.first({
      operationType,
      sourceType,
      isDestinationInternal: order.isDestinationInternal,
      cents,
      source: source?.data,
      destination: destination?.data,
      rail,
      stablecoin: stablecoin.data,
      providerAccount: providerAccount?.data,
    })
    if (refused !== undefined) return refuse(refused.refusal)
    if (cents === undefined || destination === undefined || providerAccount === undefined) {
      throw new Error("The rules accepted an operation without an amount, an account or a provider.")
    }
    const { caller, now } = context
    const id = context.ids("StablecoinOperation", null)
    const data: StablecoinOperation = {
      stablecoinId: stablecoin.id,
      stablecoinProviderAccountId: providerAccount.id,
      provider: stablecoin.data.provider,
      providerEnvironment: stablecoin.data.providerEnvironment,
      operationType,
      status: StablecoinOperationMachine.follow(null, "Accept").state,
      amount: canonicalAmount(amount),
      cents,
      sourceType,
      ...(source === undefined ? {} : { source: copyOf(source) }),
      destination: copyOf(destination),
      ...(rail === undefined ? {} : { rail }),
      ...(description === undefined ? {} : { description }),
      submittedAt: now,
      providerKey: Secrets.hash(CanonicalJson.stringify([request.key, id])),
      request,
      attemptedAt: now,
    }
    const owner = { platformId: caller.platformId, customerId: null }
    const operation = Changes.insertedRecord("StablecoinOperation", id, owner, data, now)
    const accounts = source === undefined ? [destination] : [source, destination]
    return interim(
      { _tag: "Attempt", operation, isFirst: true },
      Changes.combine(
        Changes.insert("StablecoinOperation", id, owner, data),
        Changes.guard(stablecoin, providerAccount, ...accounts),
        attemptJob(context, id, now + attemptMillisMax),
        auditRecord(context, operationType === "MINT" ? "STABLECOIN_MINT" : "STABLECOIN_BURN", operation, {
          details: {
            stablecoinId: stablecoin.id,
            amount: data.amount,
            sourceType,
            destinationAccountId: destination.id,
            ...(source === undefined ? {} : { sourceAccountId: source.id }),
          },
        }),
      ),
    )
  }
