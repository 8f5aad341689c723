/**
 * The settings of a platform other than its currencies: fees, embedded wallets and the messages of card tokenization.
 * Source: wire contract 5.12 and B.
 */
import { Schema, Struct } from "effect"
import { HttpUrl } from "../../foundation/kit/HttpUrl.ts"
import { Email, Text } from "../../foundation/kit/Text.ts"
import { NonNegativeAmount } from "../../foundation/money/Amount.ts"
import { Currencies, CurrencyCode } from "../../foundation/money/Currencies.ts"

/** The fields of a customer or counterparty that a platform can require. */
export const CustomerInfoFieldName = Schema.Literals([
  "FULL_NAME",
  "BIRTH_DATE",
  "NATIONALITY",
  "PHONE_NUMBER",
  "EMAIL",
  "POSTAL_ADDRESS",
  "TAX_ID",
  "REGISTRATION_NUMBER",
  "USER_TYPE",
  "COUNTRY_OF_RESIDENCE",
  "ACCOUNT_IDENTIFIER",
  "FI_LEGAL_ENTITY_NAME",
  "FI_ADDRESS",
  "PURPOSE_OF_PAYMENT",
  "ULTIMATE_INSTITUTION_COUNTRY",
  "IDENTIFIER",
  "BUSINESS_TYPE",
  "COMPANY_LEGAL_NAME",
  "ID_TYPE",
  "ID_NUMBER",
]).annotate({ identifier: "CustomerInfoFieldName" })

/** The platform's fee on a type of payment from one currency. A fee of zero removes it. */
export const FeeConfig = Schema.Struct({
  feeType: Schema.Literals(["CROSS_CURRENCY_TRANSACTION"]),
  sourceCurrency: CurrencyCode,
  variableFeeBps: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })).annotate({
    description: "Hundredths of a percent.",
  }),
  fixedFee: Schema.Struct({ amount: NonNegativeAmount, currency: CurrencyCode }).annotate({ identifier: "FixedFee" }),
}).annotate({ identifier: "FeeConfig" })
export type FeeConfig = typeof FeeConfig.Type

const ShortText = Schema.optionalKey(Schema.String.check(Schema.isMaxLength(255)))

/**
 * The form of the one-time codes of embedded wallets, and of the mails that contain them. Unless set, a code has 6 digits and is
 * valid for 300 seconds.
 */
export const EmbeddedWalletConfig = Schema.Struct({
  appName: ShortText,
  otpLength: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 4, maximum: 12 }))),
  alphanumeric: Schema.optionalKey(Schema.Boolean),
  expirationSeconds: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 86_400 }))),
  sendFromEmailAddress: Schema.optionalKey(Email),
  sendFromEmailSenderName: ShortText,
  replyToEmailAddress: Schema.optionalKey(Email),
  logoUrl: Schema.optionalKey(HttpUrl(512)),
}).annotate({ identifier: "EmbeddedWalletConfig" })

/** Sender and texts of the messages that a cardholder receives when a card is tokenized. */
export const CardTokenization2FAConfig = Schema.Struct({
  displayName: ShortText,
  logoUrl: Schema.optionalKey(HttpUrl(512, "https")),
  email: Schema.optionalKey(
    Schema.Struct({
      fromAddress: Schema.optionalKey(Email),
      fromName: ShortText,
      replyToAddress: Schema.optionalKey(Email),
      subject: ShortText,
      bodyText: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(2000))),
    }).annotate({ identifier: "CardTokenization2FAEmailConfig" }),
  ),
  sms: Schema.optionalKey(
    Schema.Struct({
      templateSid: Schema.optionalKey(Text(64)),
      bodyText: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(480))),
    }).annotate({ identifier: "CardTokenization2FASmsConfig" }),
  ),
}).annotate({ identifier: "CardTokenization2FAConfig" })

/** The stored settings. Each is absent until the platform configures it. */
export const platformSettings = Struct.map(
  {
    feeConfigs: Schema.Array(FeeConfig).check(Schema.isMaxLength(Currencies.keys.length)),
    embeddedWalletConfig: EmbeddedWalletConfig,
    cardTokenization2faConfig: CardTokenization2FAConfig,
  },
  Schema.optionalKey,
)

const isOff = ({ fixedFee, variableFeeBps }: FeeConfig): boolean => fixedFee.amount === 0 && variableFeeBps === 0
const isSame = (a: FeeConfig, b: FeeConfig): boolean => a.feeType === b.feeType && a.sourceCurrency === b.sourceCurrency

/** Returns the fees after an update: an updated fee replaces the one of its type and currency, and zero fees are removed. */
export const mergedFees = (
  before: ReadonlyArray<FeeConfig>,
  updates: ReadonlyArray<FeeConfig>,
): ReadonlyArray<FeeConfig> =>
  [...before.filter((fee) => !updates.some((other) => isSame(fee, other))), ...updates].filter((fee) => !isOff(fee))
