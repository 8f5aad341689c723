/**
 * The provider of stablecoins of the sandbox. It is stateless: the request and the clock determine the answer, so that a repeated request
 * returns the same one.
 * Source: wire contract areas 1.6.9.
 */
import { Clock, Effect, Layer } from "effect"
import * as Secrets from "../foundation/crypto/Secrets.ts"
import * as Suffix from "../foundation/kit/Suffix.ts"
import { mainIdentifier } from "../model/account/MainIdentifier.ts"
import {
  fundingMillis,
  needsFunding,
  type StablecoinFundingInstructions,
} from "../model/stablecoin/StablecoinOperation.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import {
  type CredentialAnswer,
  type CredentialCheck,
  type ProviderInquiry,
  type ProviderInstruction,
  type ProviderReport,
  type ProviderTrouble,
  StablecoinProvider,
  type TokenAnswer,
  type TokenQuery,
} from "../ports/StablecoinProvider.ts"
import {
  completes,
  fundingAfterMillis,
  type LinkBehaviour,
  type OperationBehaviour,
  ProviderLinkSuffixes,
  StablecoinOperationSuffixes,
  StablecoinTokenSuffixes,
} from "./StablecoinSuffixes.ts"

const decimals = 6
const baseCurrency = "USD"

const digest = (text: string): string => Secrets.hash(text).slice(0, 27)

/** An address of the network's form: its alphabet has no 1 and no b. */
const sparkAddress = (text: string): string => `spark1p${Secrets.hash(text).replaceAll("1", "q").replaceAll("b", "z")}`

const check = Effect.fnUntraced(function* ({ credentials, linkedAt, providerAccountId }: CredentialCheck) {
  const { apiClientId } = credentials
  const behaviour: LinkBehaviour | undefined = ProviderLinkSuffixes.find(Suffix.of(apiClientId))
  const accountId = providerAccountId ?? digest(apiClientId)
  const accepted: CredentialAnswer = { _tag: "Accepted", providerAccountIds: [accountId] }
  if (behaviour === undefined) return accepted
  const { afterMillis, effect } = behaviour
  if (effect === "reaches several accounts") {
    const several: CredentialAnswer = {
      _tag: "Accepted",
      providerAccountIds: [accountId, digest(`${apiClientId} second`)],
    }
    return several
  }
  const isDue = (yield* Clock.currentTimeMillis) >= linkedAt + afterMillis
  if (!isDue) return { ...accepted, checkAgainAt: linkedAt + afterMillis } satisfies CredentialAnswer
  const trouble: ProviderTrouble = { _tag: effect === "withdraws the access" ? "Withdrawn" : "CredentialsRefused" }
  return trouble
})

/** `ACME` and `Acme Dollar` for the token `ACME001`. */
const namesOf = (providerTokenIdentifier: string) => {
  const symbol = providerTokenIdentifier.replace(/[^A-Za-z]/gu, "") || "TOKEN"
  return { symbol, name: `${symbol.slice(0, 1).toUpperCase()}${symbol.slice(1).toLowerCase()} Dollar` }
}

const describe = Effect.fnUntraced(function* ({ registeredAt, token }: TokenQuery) {
  const { providerTokenIdentifier } = token
  const behaviour = StablecoinTokenSuffixes.find(Suffix.of(providerTokenIdentifier))
  const at = registeredAt + (behaviour?.afterMillis ?? 0)
  const isLast = (yield* Clock.currentTimeMillis) >= at
  const described: TokenAnswer = {
    _tag: "Described",
    ...namesOf(providerTokenIdentifier),
    baseCurrency,
    decimals,
    issuanceStatus: behaviour === undefined ? "PROVISIONED" : isLast ? behaviour.last : behaviour.first,
    ...(isLast ? {} : { askAgainAt: at }),
  }
  return described
})

/** The account that pays, else the one that is paid. */
const behaviourOf = ({ destination, source = destination }: ProviderInstruction): OperationBehaviour =>
  StablecoinOperationSuffixes.find(Suffix.of(mainIdentifier(source.accountInfo) ?? "")) ?? completes

const instructionsOf = ({
  idempotencyKey,
  operationType,
  token,
}: ProviderInstruction): StablecoinFundingInstructions =>
  operationType === "BURN"
    ? {
        rail: token.network,
        network: token.network,
        address: sparkAddress(idempotencyKey),
        valueType: token.providerTokenIdentifier,
      }
    : {
        rail: "WIRE",
        beneficiaryName: "Sandbox Stablecoin Issuer",
        accountNumber: "9876543210",
        routingNumber: "021000021",
        bankName: "Sandbox Bank",
        reference: digest(idempotencyKey).slice(0, 12).toUpperCase(),
      }

/** The state of an operation at a time. */
const reportAt = (instruction: ProviderInstruction, behaviour: OperationBehaviour, now: number): ProviderReport => {
  const { sourceType, submittedAt } = instruction
  const isFundedOutside = needsFunding(sourceType)
  const isNeverFunded = isFundedOutside && behaviour.isNeverFunded === true
  const beginsAt = submittedAt + (isNeverFunded ? fundingMillis : fundingAfterMillis)
  const endsAt = beginsAt + behaviour.processingMillis
  if (isNeverFunded || now < beginsAt) {
    const waiting = { providerStatus: "pending", askAgainAt: beginsAt }
    return isFundedOutside
      ? { _tag: "AwaitsFunding", fundingInstructions: instructionsOf(instruction), ...waiting }
      : { _tag: "Accepted", ...waiting }
  }
  if (now < endsAt) return { _tag: "Processing", providerStatus: "processing", askAgainAt: endsAt }
  const { failure } = behaviour
  return failure === undefined
    ? { _tag: "Completed", providerStatus: "complete" }
    : { _tag: "Failed", reason: failure, providerStatus: "failed" }
}

const report = Effect.fnUntraced(function* (instruction: ProviderInstruction) {
  const behaviour = behaviourOf(instruction)
  if (behaviour.isUnavailable === true) return undefined
  return reportAt(instruction, behaviour, yield* Clock.currentTimeMillis)
})

const unavailable: ProviderTrouble = { _tag: "Unavailable", cause: "the account's number ends in 007" }
const notReceived: ProviderInquiry = { _tag: "NotReceived" }

/** Provides a `StablecoinProvider` by magic suffix. */
export const layer = Layer.succeed(StablecoinProvider, {
  environment: "SANDBOX",
  check,
  describe,
  begin: (instruction) => Effect.map(report(instruction), (found) => found ?? unavailable),
  // Stateless: it has received whatever it is asked about, unless it does not answer.
  inquire: (instruction) => Effect.map(report(instruction), (found) => found ?? notReceived),
}).pipe(sandboxOnly("SandboxStablecoins"))
