/**
 * Cleans the answers of every port that a deployment provides, so that nothing which a store cannot keep enters the service. Ports that
 * consume what they check, or start something outside, are asked once per operation.
 * Source: D-322, D-359, D-396.
 */
import { type Context, Effect, Layer } from "effect"
import * as Outside from "../foundation/kit/Outside.ts"
import { isPaymentInstructions, type PaymentInstructions } from "../model/account/PaymentInstruction.ts"
import { BankDirectory } from "../ports/BankDirectory.ts"
import { CsvReader } from "../ports/CsvReader.ts"
import { DepositScreening } from "../ports/DepositScreening.ts"
import { DocumentChecks } from "../ports/DocumentChecks.ts"
import { DocumentVault } from "../ports/DocumentVault.ts"
import { DomainOwnership } from "../ports/DomainOwnership.ts"
import { ExchangeRates } from "../ports/ExchangeRates.ts"
import { type AccountFundingRequest, FundingInstructions, type FundingRequest } from "../ports/FundingInstructions.ts"
import { InviteeResponses } from "../ports/InviteeResponses.ts"
import { Issuer } from "../ports/Issuer.ts"
import { NetworkFees } from "../ports/NetworkFees.ts"
import { OidcChecks, OidcRefused } from "../ports/OidcChecks.ts"
import { OtpSender } from "../ports/OtpSender.ts"
import { OwnershipChecks } from "../ports/Ownership.ts"
import { PasskeyChecks, PasskeyRefused } from "../ports/PasskeyChecks.ts"
import { Rails } from "../ports/Rails.ts"
import { ScaProvider } from "../ports/ScaProvider.ts"
import { SecurityCodes } from "../ports/SecurityCodes.ts"
import { StablecoinProvider } from "../ports/StablecoinProvider.ts"
import { UmaNetwork } from "../ports/UmaNetwork.ts"
import { VaspDirectory } from "../ports/VaspDirectory.ts"
import { Verifier } from "../ports/Verifier.ts"
import { WebhookTransport } from "../ports/WebhookTransport.ts"
import { askOnce } from "./AskedAnswers.ts"

/** The reason of a refusal goes into answers and audit records. */
const cleanFailure = (failure: unknown): unknown => {
  if (failure instanceof PasskeyRefused) return new PasskeyRefused({ reason: Outside.clean(failure.reason) })
  if (!(failure instanceof OidcRefused)) return failure
  return new OidcRefused({ reason: Outside.clean(failure.reason), malformed: failure.malformed })
}

const cleanAnswer = (answer: unknown): unknown =>
  Effect.isEffect(answer)
    ? answer.pipe(
        Effect.map((value) => Outside.clean(value)),
        Effect.mapError(cleanFailure),
      )
    : answer

/** Returns the port with clean answers. Members are looked up at each use, so that a port may be an object of a class. */
const cleaned = <S extends object>(port: S): S =>
  new Proxy({} as S, {
    has: (_, name) => Reflect.has(port, name),
    get: (_, name) => {
      const member: unknown = Reflect.get(port, name)
      return typeof member === "function"
        ? (...parameters: ReadonlyArray<unknown>) => cleanAnswer(Reflect.apply(member, port, parameters))
        : cleanAnswer(member)
    },
  })

const layerOf = <I, S extends object>(port: Context.Key<I, S>): Layer.Layer<I, never, I> =>
  Layer.effect(port, Effect.map(port, cleaned))

/** Returns the port whose members an operation asks once. The parameters are the question: a secret in them is one of the operation's. */
const askedOnce = <S extends object>(name: string, port: S): S =>
  new Proxy(port, {
    get: (_, member) => {
      const ask: unknown = Reflect.get(port, member)
      if (typeof ask !== "function") return ask
      return (...parameters: ReadonlyArray<unknown>) =>
        askOnce(
          JSON.stringify([name, String(member), parameters]),
          Effect.suspend(() => Reflect.apply(ask, port, parameters) as Effect.Effect<unknown>),
        )
    },
  })

const onceLayerOf = <I, S extends object>(port: Context.Key<I, S>): Layer.Layer<I, never, I> =>
  Layer.effect(
    port,
    Effect.map(port, (service) => askedOnce(port.key, cleaned(service))),
  )

/** A cleaned identity could be that of another person: a token with a claim that no store keeps is malformed. */
const oidc = Layer.effect(
  OidcChecks,
  Effect.map(OidcChecks, (checks) =>
    OidcChecks.of({
      check: (token, nowMillis, expected) =>
        checks.check(token, nowMillis, expected).pipe(
          Effect.mapError((failure) => cleanFailure(failure) as typeof failure),
          Effect.filterOrFail(
            Outside.isStorable,
            () => new OidcRefused({ reason: "Malformed token", malformed: true }),
          ),
        ),
    }),
  ),
)

/** An instruction that is no variant of the union cannot be shown to a payer: it is left out. */
const isShown = (instruction: PaymentInstructions) => {
  const isValid = isPaymentInstructions(instruction)
  return isValid
    ? Effect.succeed(true)
    : Effect.as(Effect.logError("a funding instruction of the port is not valid and is left out"), false)
}

const fundingInstructions = Layer.effect(
  FundingInstructions,
  Effect.map(FundingInstructions, (port) => {
    const clean = cleaned(port)
    const valid = (answered: ReadonlyArray<PaymentInstructions>) => Effect.filter(answered, isShown)
    const checked: { readonly [member: string | symbol]: unknown } = {
      forPayment: (request: FundingRequest) => Effect.flatMap(clean.forPayment(request), valid),
      forAccount: (request: AccountFundingRequest) => Effect.flatMap(clean.forAccount(request), valid),
    }
    return new Proxy(clean, { get: (target, name) => checked[name] ?? Reflect.get(target, name) })
  }),
)

const documents = Layer.effect(
  DocumentChecks,
  Effect.map(DocumentChecks, (checks) => ({
    check: (document) => askedOnce(DocumentChecks.key, cleaned(checks)).check(document),
    missing: (submission) => Outside.clean(checks.missing(submission)),
  })),
)

/** The ports of a deployment with clean answers. */
export const layer = Layer.mergeAll(
  layerOf(BankDirectory),
  layerOf(CsvReader),
  documents,
  layerOf(DocumentVault),
  layerOf(DepositScreening),
  layerOf(DomainOwnership),
  layerOf(ExchangeRates),
  fundingInstructions,
  layerOf(InviteeResponses),
  layerOf(Issuer),
  layerOf(NetworkFees),
  layerOf(OtpSender),
  onceLayerOf(OwnershipChecks),
  layerOf(PasskeyChecks),
  layerOf(Rails),
  onceLayerOf(ScaProvider),
  onceLayerOf(SecurityCodes),
  layerOf(StablecoinProvider),
  layerOf(UmaNetwork),
  layerOf(VaspDirectory),
  onceLayerOf(Verifier),
  layerOf(WebhookTransport),
  oidc,
)
