/**
 * A card issuer that answers by magic suffix. It is stateless: the request and the clock determine the answer, so that a repeated
 * request returns the same one.
 * Source: wire contract 3.4, 7.5 and 11 (45, 48).
 */
import { Clock, Context, DateTime, Effect, Layer, Redacted } from "effect"
import * as Suffix from "../foundation/kit/Suffix.ts"
import { type CollectOutcome, Issuer, type ProvisionOutcome, type ProvisionRequest } from "../ports/Issuer.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import { frameMillis, frameUrl } from "./CardFrame.ts"
import {
  type CardBehaviour,
  CardSuffixes,
  FundingSourceSuffixes,
  MerchantDeclines,
  MerchantPulls,
} from "./CardSuffixes.ts"
import { testCard } from "./TestCard.ts"

/** Whether suffixes of account ids decide about funding sources. Off by default, because ids are random. */
export const FundingSourceSuffixesOn = Context.Reference<boolean>("@countersign/core/FundingSourceSuffixesOn", {
  defaultValue: () => false,
})

const lifetimeYears = 3

/** The outcome of a behaviour that was first requested at `since`. */
const outcomeOf = Effect.fnUntraced(function* (behaviour: CardBehaviour | undefined, since: number) {
  if (behaviour === undefined) return { _tag: "Done" } as const
  if (behaviour._tag === "Refused") return { _tag: "Refused" } as const
  const now = yield* Clock.currentTimeMillis
  if (behaviour._tag === "Waiting") return { _tag: "Later", at: now + behaviour.millis } as const
  const at = since + behaviour.millis
  return now < at ? ({ _tag: "Later", at } as const) : ({ _tag: "Done" } as const)
})

/** A `platformCardId` that the service generated is the card's id and is not magic. */
const suffixOf = ({ card, cardholderId, reference }: ProvisionRequest): string =>
  Suffix.of(card.platformCardId === reference ? cardholderId : card.platformCardId)

const provision = Effect.fnUntraced(function* (request: ProvisionRequest) {
  const outcome = yield* outcomeOf(CardSuffixes.find(suffixOf(request)), request.issuedAt)
  if (outcome._tag !== "Done") return outcome
  const { month, year } = DateTime.toPartsUtc(DateTime.makeUnsafe(request.issuedAt))
  const name = request.reference.slice(-8)
  const provisioned: ProvisionOutcome = {
    _tag: "Done",
    brand: "VISA",
    last4: testCard(request.reference).last4,
    expMonth: month,
    expYear: year + lifetimeYears,
    processorRef: `card_${name}`,
    issuerRef: `issuer_${name}`,
  }
  return provisioned
})

/** Provides an `Issuer` that offers cards, without delegated keys and without a 3-D Secure factor. */
export const layer: Layer.Layer<Issuer> = Layer.effect(
  Issuer,
  Effect.map(FundingSourceSuffixesOn, (isOn) =>
    Issuer.of({
      isOffered: true,
      needsDelegatedKeys: false,
      takesThreeDSecurePassword: false,
      admits: (accountId) => Effect.succeed(!isOn || FundingSourceSuffixes.find(Suffix.of(accountId)) === undefined),
      provision,
      changeState: () => Effect.succeed({ _tag: "Done" }),
      reveal: Effect.fnUntraced(function* ({ card, origin, reference, sign }) {
        const expiresAt = (yield* Clock.currentTimeMillis) + frameMillis
        const { expMonth = 0, expYear = 0 } = card
        const url = yield* frameUrl(origin, { cardId: reference, expMonth, expYear, expiresAt }, sign)
        return { _tag: "Done", panEmbedUrl: Redacted.make(url), expiresAt }
      }),
      screen: ({ merchant }) => Effect.succeed(MerchantDeclines.find(Suffix.of(merchant.descriptor))),
      collect: ({ merchant, requestedAt }): Effect.Effect<CollectOutcome> =>
        outcomeOf(MerchantPulls.find(Suffix.of(merchant.descriptor)), requestedAt),
    }),
  ),
).pipe(sandboxOnly("SandboxIssuer"))
