/**
 * Every report that a bank, an issuer or a verifier can send.
 * Source: docs/guides/asynchronous-banks.md; D-527.
 */
import {
  AccountVerifications,
  CardProvisionings,
  CardTransactions,
  CollectionAccounts,
  Deposits,
  Outcomes,
  Verifications,
} from "@countersign/core"
import {
  CardMerchant,
  CardTransactionStatus,
  CounterpartyInformation,
  CurrencyCode,
  DeclineReason,
  DepositSource,
  PendingReason,
} from "@countersign/core/models"
import { Effect, Schema } from "effect"
import { ReportedCard, ReportedCollection } from "./IssuerOperations.ts"
import { Amount, optional, outcome, Text } from "./Parts.ts"
import { ReportedOutcome } from "./RailsSchemas.ts"
import { report } from "./ReportOperation.ts"
import { ReportedBeneficiary, Verified } from "./VerifierOperations.ts"

const about = Schema.Struct({ reference: Text.annotate({ description: "That of the request." }) })

/** The reference of a collection is the id of the card transaction, a colon, and the number of the pull. */
const Collection = Schema.Struct({ reference: Text.check(Schema.isPattern(/^.+:\d{1,9}$/u)) })

const Message = Schema.Union([
  outcome("Advice", { amount: Amount }),
  outcome("Clearing", { amount: Amount }),
  outcome("Return", { amount: Amount }),
  outcome("ReturnReversal", {}),
]).annotate({ identifier: "CardMessage" })

const Authorized = Schema.Union([
  outcome("Approved", { cardTransactionId: Text }),
  outcome("Declined", { reason: DeclineReason }),
]).annotate({ identifier: "CardAuthorized" })

export const reportOperations = {
  outcome: report({
    path: "/rails/outcome",
    summary:
      "The outcome of a pull or push that was not known, or has changed. A late or repeated one changes nothing.",
    about,
    content: ReportedOutcome,
    store: ({ reference }, reported) => Outcomes.use((outcomes) => outcomes.report(reference, reported)),
  }),
  deposit: report({
    path: "/rails/deposit",
    summary: "Money that has arrived by the instructions of an internal account. The same `depositId` counts once.",
    about: Schema.Struct({ accountId: Text, depositId: Text }),
    content: Schema.Struct({
      amount: Amount,
      source: DepositSource,
      transactionHash: optional(Text),
      counterpartyInformation: optional(CounterpartyInformation),
      description: optional(Text),
    }),
    answer: Schema.Struct({ transactionId: Schema.NullOr(Text) }),
    store: (subject, deposit) =>
      Effect.map(
        Deposits.use((deposits) => deposits.report({ ...subject, ...deposit })),
        (transaction) => ({ transactionId: transaction?.id ?? null }),
      ),
  }),
  hold: report({
    path: "/rails/hold",
    summary: "A held deposit waits for another reason.",
    about,
    content: Schema.Struct({ reason: PendingReason }),
    store: ({ reference }, { reason }) => Deposits.use((deposits) => deposits.hold(reference, reason)),
  }),
  beneficiary: report({
    path: "/verifier/beneficiary",
    summary: "The result about an account that was not known.",
    about: Schema.Struct({ accountId: Text }),
    content: ReportedBeneficiary,
    store: ({ accountId }, reported) => AccountVerifications.use((checks) => checks.report(accountId, reported)),
  }),
  customer: report({
    path: "/verifier/customer",
    summary: "The result of a customer's verification.",
    about: Schema.Struct({ customerId: Text }),
    content: Verified,
    store: ({ customerId }, reported) => Verifications.use((checks) => checks.report(customerId, reported)),
  }),
  card: report({
    path: "/issuer/card",
    summary: "A card that was produced or refused later.",
    about,
    content: ReportedCard,
    store: ({ reference }, reported) => CardProvisionings.use((cards) => cards.report(reference, reported)),
  }),
  collection: report({
    path: "/issuer/collection",
    summary: "The outcome of a collection that was not known. `Done` for a failed one resolves an exception.",
    about: Collection,
    content: ReportedCollection,
    store: ({ reference }, reported) => {
      const at = reference.lastIndexOf(":")
      const pull = Number(reference.slice(at + 1))
      return CardTransactions.use((cards) => cards.report(reference.slice(0, at), pull, reported))
    },
  }),
  authorization: report({
    path: "/issuer/authorization",
    summary:
      "A purchase that the card network asks about; the receipt approves or declines. A repeated token has the first answer.",
    about: Schema.Struct({ cardId: Text, issuerTransactionToken: Text }),
    content: Schema.Struct({
      direction: Schema.Literals(["CREDIT", "DEBIT"]),
      amount: Amount,
      currency: CurrencyCode,
      merchant: CardMerchant,
      isFinancial: Schema.Boolean,
    }),
    answer: Authorized,
    store: (subject, purchase) =>
      Effect.map(
        CardTransactions.use((cards) => cards.authorize({ ...subject, ...purchase })),
        (answer) =>
          answer._tag === "Approved" ? { _tag: "Approved" as const, cardTransactionId: answer.transaction.id } : answer,
      ),
  }),
  message: report({
    path: "/issuer/message",
    summary: "A message of the card network about an authorized purchase. The same `messageId` counts once.",
    about: Schema.Struct({ cardId: Text, cardTransactionId: Text, messageId: Text }),
    content: Message,
    answer: Schema.Struct({ status: CardTransactionStatus }),
    store: (subject, message) =>
      Effect.map(
        CardTransactions.use((cards) => cards.receive({ ...subject, message })),
        ({ status }) => ({ status }),
      ),
  }),
  instructions: report({
    path: "/funding-instructions/changed",
    summary: "The instructions of an internal account have changed.",
    about: Schema.Struct({ accountId: Text }),
    content: Schema.Struct({ hasCollectionAccount: optional(Schema.Boolean) }),
    store: ({ accountId }, change) => CollectionAccounts.use((accounts) => accounts.report(accountId, change)),
  }),
}
