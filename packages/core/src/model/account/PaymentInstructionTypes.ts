/**
 * The table of the accounts and addresses that payment instructions name: currencies, networks, rails and fields of each type.
 * Schemas, OpenAPI and arbitraries are derived from it.
 * Spec: PaymentInstructions; wire contract 2.5; wire contract areas 2.3 and 2.11; D-396.
 */
import * as Table from "../../foundation/kit/Table.ts"
import type { CryptoNetwork } from "../../foundation/money/CryptoNetwork.ts"
import { Currencies, type CurrencyCode } from "../../foundation/money/Currencies.ts"
import { type AccountField, digits, matching, oneOf, optional, phone, required, text } from "./AccountField.ts"
import * as Formats from "./AccountFormat.ts"
import type { PaymentRail } from "./AccountTypeRow.ts"
import { branchCode, xafRegion, xofRegion } from "./AccountTypeRowBuilders.ts"
import type { AccountInfo } from "./ExternalAccount.ts"

/** A type of account or address to which payers send money. */
export interface InstructionRow {
  readonly currencies: ReadonlyArray<CurrencyCode>
  /** The networks that reach the address. Empty for a bank account. */
  readonly networks: ReadonlyArray<CryptoNetwork>
  /** The rails that reach the account. Empty: the instruction has no `paymentRails`. */
  readonly rails: ReadonlyArray<PaymentRail>
  /** Restricts the type to customers of this region. */
  readonly region?: string
  readonly fields: { readonly [name: string]: AccountField }
  /** The name of its schema; absent: it follows from the type. */
  readonly schemaName?: string
}

type Fields = InstructionRow["fields"]

const reference = { reference: required(text(140, "FUND-7K2M9QXA"), "The payer must quote it.") }
const bankName = (example: string) => Formats.bankName(example)
const bic = (example: string) => Formats.bic(example)
const anyPhone = (example: string) => Formats.anyPhone(example)

/** An account that payers reach by rails, under a reference of its own. */
const account = <const F extends Fields>(currency: CurrencyCode, rails: ReadonlyArray<PaymentRail>, fields: F) => ({
  currencies: [currency],
  networks: [],
  rails,
  fields: { ...fields, ...reference },
})
const bank = <const F extends Fields>(currency: CurrencyCode, fields: F) => account(currency, ["BANK_TRANSFER"], fields)
const bankOrMobile = <const F extends Fields>(currency: CurrencyCode, fields: F) =>
  account(currency, ["BANK_TRANSFER", "MOBILE_MONEY"], fields)
const mobile = <const F extends Fields>(currency: CurrencyCode, fields: F) =>
  account(currency, ["MOBILE_MONEY"], fields)

const ibanAccount = (iban: AccountField<string, true>, swiftCode: string) => ({
  iban,
  swiftCode: optional(bic(swiftCode)),
})
const bicAccount = (currency: CurrencyCode, name: string, swiftCode: string) =>
  bank(currency, {
    bankName: required(bankName(name)),
    accountNumber: required(Formats.accountNumber),
    swiftCode: required(bic(swiftCode)),
  })
const mobileMoney = (currency: CurrencyCode, phoneNumber: AccountField["format"], provider: string) =>
  mobile(currency, { phoneNumber: required(phoneNumber), provider: required(text(255, provider)) })

/** An instruction of one field alone. */
const single = <const F extends Fields>(currency: CurrencyCode, fields: F) => ({
  currencies: [currency],
  networks: [],
  rails: [],
  fields,
})

const address = (example: string) => ({ address: required(text(255, example)) })
/** A wallet on one network for some of the network's assets. */
const wallet = <const A extends string>(
  network: CryptoNetwork,
  example: string,
  assets: readonly [A, ...Array<A>],
) => ({
  currencies: Currencies.keys.filter((code) => assets.some((asset) => asset === code)),
  networks: [network],
  rails: [],
  fields: { ...address(example), assetType: optional(oneOf(...assets)) },
})

const { bankAccountType, accountNumber, routingNumber } = Formats
const evmAddress = Formats.hexAddress.example

const table = Table.make("PaymentInstructionTypes", {
  USD_ACCOUNT: account("USD", ["ACH", "WIRE", "RTP", "FEDNOW"], {
    accountNumber: required(accountNumber),
    routingNumber: required(routingNumber),
    accountHolderName: optional(text(255, "Countersign FBO Ada Lovelace")),
    bankName: optional(Formats.bankName("Example Bank", 140)),
    bankAccountType: optional(bankAccountType),
    intermediaryBankName: optional(Formats.bankName("Example Correspondent", 140), "For WIRE only."),
    intermediaryRoutingNumber: optional(routingNumber, "For WIRE only."),
    fiToFiInformation: optional(Formats.freeText(210, "/INV/ 2025-117"), "For WIRE only."),
    bankAddress: optional(text(255, "1 Main Street, Springfield, US")),
  }),
  BRL_ACCOUNT: single("BRL", {
    qrCode: required(text(4096, "00020126580014br.gov.bcb.pix0136FUND-7K2M9QXA6304ABCD"), "The Pix code to pay."),
  }),
  MXN_ACCOUNT: account("MXN", ["SPEI"], { clabeNumber: required(digits(18, 18, "032180000118359719")) }),
  DKK_ACCOUNT: account(
    "DKK",
    ["SEPA", "SEPA_INSTANT"],
    ibanAccount(required(matching(/^DK[0-9]{16}$/u, "a Danish IBAN", "DK5000400440116243")), "DABADKKK"),
  ),
  EUR_ACCOUNT: account("EUR", ["SEPA", "SEPA_INSTANT"], {
    ...ibanAccount(required(Formats.anyIban), "COBADEFFXXX"),
    accountHolderName: optional(text(255, "Countersign FBO Ada Lovelace")),
    bankName: optional(bankName("Commerzbank")),
  }),
  GBP_ACCOUNT: account("GBP", ["FASTER_PAYMENTS"], {
    sortCode: required(digits(6, 6, "200000")),
    accountNumber: required(digits(8, 8, "55779911")),
  }),
  CAD_ACCOUNT: bank("CAD", {
    bankCode: required(digits(3, 3, "001")),
    branchCode: required(branchCode),
    accountNumber: required(digits(7, 12, "1234567")),
  }),
  INR_ACCOUNT: {
    ...single("INR", {
      vpa: optional(matching(/^[a-zA-Z0-9.\-_]+@[a-zA-Z0-9]+$/u, "a UPI address", "ravi@upi"), "For UPI."),
      accountNumber: optional(digits(9, 18, "123456789012"), "For NEFT and RTGS."),
      ifsc: optional(matching(/^[A-Z]{4}0[A-Z0-9]{6}$/u, "an IFSC of 11 characters", "HDFC0001234")),
      rail: optional(text(32, "NEFT")),
      bankName: optional(bankName("HDFC Bank")),
    }),
    rails: ["UPI", "NEFT", "RTGS"],
  },
  NGN_ACCOUNT: bank("NGN", {
    accountNumber: required(digits(10, 10, "0123456789")),
    bankName: required(bankName("Access Bank")),
  }),
  ZAR_ACCOUNT: bank("ZAR", {
    accountNumber: required(digits(9, 13, "1234567890")),
    bankName: required(bankName("First National Bank")),
  }),
  PHP_ACCOUNT: bank("PHP", {
    bankName: required(bankName("BDO Unibank")),
    accountNumber: required(digits(8, 16, "001234567890")),
  }),
  HKD_ACCOUNT: bicAccount("HKD", "HSBC Hong Kong", "HSBCHKHH"),
  MYR_ACCOUNT: bicAccount("MYR", "Maybank", "MBBEMYKL"),
  THB_ACCOUNT: bicAccount("THB", "Bangkok Bank", "BKKBTHBK"),
  VND_ACCOUNT: bicAccount("VND", "Vietcombank", "BFTVVNVX"),
  IDR_ACCOUNT: bank("IDR", {
    bankName: required(bankName("Bank Central Asia")),
    accountNumber: required(accountNumber),
    swiftCode: required(bic("CENAIDJA")),
    phoneNumber: required(phone("+62", 9, 12, "+6281234567890")),
  }),
  SGD_ACCOUNT: account("SGD", ["PAYNOW", "FAST", "BANK_TRANSFER"], {
    bankName: optional(bankName("DBS Bank")),
    accountNumber: required(accountNumber),
    swiftCode: required(bic("DBSSSGSG")),
  }),
  AED_ACCOUNT: bank(
    "AED",
    ibanAccount(required(matching(/^AE[0-9]{21}$/u, "an Emirati IBAN", "AE070331234567890123456")), "EBILAEAD"),
  ),
  KES_ACCOUNT: mobileMoney("KES", phone("+254", 9, 9, "+254712345678"), "M-PESA"),
  TZS_ACCOUNT: mobileMoney("TZS", phone("+255", 9, 9, "+255712345678"), "AIRTEL"),
  ZMW_ACCOUNT: mobileMoney("ZMW", phone("+260", 9, 9, "+260971234567"), "MTN"),
  RWF_ACCOUNT: mobileMoney("RWF", phone("+250", 9, 9, "+250781234567"), "MTN"),
  MWK_ACCOUNT: mobileMoney("MWK", anyPhone("+265991234567"), "AIRTEL"),
  UGX_ACCOUNT: mobileMoney("UGX", anyPhone("+256771234567"), "MTN"),
  BWP_ACCOUNT: mobileMoney("BWP", anyPhone("+26771234567"), "Orange"),
  XOF_ACCOUNT: mobile("XOF", {
    phoneNumber: required(anyPhone("+221771234567")),
    provider: required(text(255, "ORANGE")),
    region: required(xofRegion),
  }),
  XAF_ACCOUNT: mobile("XAF", {
    phoneNumber: required(anyPhone("+237671234567")),
    provider: required(text(255, "MTN")),
    region: required(xafRegion),
  }),
  HTG_ACCOUNT: mobile("HTG", { phoneNumber: required(anyPhone("+50934123456")) }),
  BDT_ACCOUNT: bankOrMobile("BDT", {
    bankName: required(bankName("BRAC Bank")),
    accountNumber: optional(accountNumber),
    branchCode: optional(branchCode),
    swiftCode: optional(bic("BRAKBDDH")),
    phoneNumber: optional(anyPhone("+8801712345678")),
  }),
  PKR_ACCOUNT: bankOrMobile("PKR", {
    bankName: required(bankName("Standard Chartered")),
    accountNumber: optional(accountNumber),
    iban: optional(matching(/^PK[0-9]{2}[A-Z]{4}[0-9]{16}$/u, "a Pakistani IBAN", "PK36SCBL0000001123456702")),
    phoneNumber: optional(anyPhone("+923001234567")),
  }),
  EGP_ACCOUNT: bankOrMobile("EGP", {
    bankName: required(bankName("National Bank of Egypt")),
    iban: optional(matching(/^EG[0-9]{27}$/u, "an Egyptian IBAN", "EG380019000500000000263180002")),
    phoneNumber: optional(anyPhone("+201001234567")),
  }),
  GHS_ACCOUNT: bankOrMobile("GHS", {
    bankName: required(bankName("GCB Bank")),
    accountNumber: optional(accountNumber),
    phoneNumber: optional(anyPhone("+233241234567")),
  }),
  CNY_ACCOUNT: bankOrMobile("CNY", {
    bankName: required(bankName("Bank of China")),
    accountNumber: optional(accountNumber),
    phoneNumber: optional(anyPhone("+8613812345678")),
  }),
  // Also in US dollars: payers in El Salvador use it.
  SLV_ACCOUNT: {
    ...bankOrMobile("USD", {
      bankName: optional(bankName("Banco Agrícola")),
      accountNumber: optional(accountNumber),
      bankAccountType: optional(bankAccountType),
      phoneNumber: optional(anyPhone("+50370123456")),
    }),
    region: "SV",
  },
  GTQ_ACCOUNT: bank("GTQ", {
    accountNumber: required(accountNumber),
    bankAccountType: required(bankAccountType),
    bankName: required(bankName("Banco Industrial")),
  }),
  JMD_ACCOUNT: bank("JMD", {
    accountNumber: required(accountNumber),
    branchCode: required(branchCode),
    bankAccountType: required(bankAccountType),
    bankName: required(bankName("National Commercial Bank")),
  }),
  ARS_ACCOUNT: single("ARS", { accountNumber: required(digits(22, 22, "2850590940090418135201")) }),
  COP_ACCOUNT: single("COP", {
    paymentUrl: required(
      matching(/^https?:\/\/[^\s]{1,2000}$/u, "an address of a page", "https://pay.example/FUND-7K2M9QXA", {
        maxLength: 2048,
      }),
      "The page where the payer pays.",
    ),
  }),
  SWIFT_ACCOUNT: {
    currencies: Currencies.entries.flatMap(([code, { crypto }]) => (crypto ? [] : [code])),
    networks: [],
    rails: ["SWIFT"],
    fields: {
      country: required(Formats.bankCountry),
      swiftCode: required(bic("DEUTDEFFXXX")),
      bankName: required(bankName("Deutsche Bank")),
      accountNumber: optional(accountNumber),
      iban: optional(Formats.anyIban),
      accountHolderName: required(text(255, "Countersign FBO Ada Lovelace")),
      bankAddress: optional(text(1024, "Taunusanlage 12, Frankfurt, DE")),
      reference: optional(text(140, "FUND-7K2M9QXA")),
    },
  },
  SPARK_WALLET: {
    currencies: ["BTC", "USDB"],
    networks: ["SPARK"],
    rails: [],
    fields: {
      ...address(Formats.sparkAddress.example),
      assetType: required(text(32, "USDB"), "BTC or the code of a token."),
      invoice: optional(text(4096, "spark1invoice")),
    },
  },
  LIGHTNING: {
    currencies: ["BTC"],
    networks: ["LIGHTNING"],
    rails: [],
    fields: { invoice: required(text(4096, Formats.invoice.example)) },
    schemaName: "PaymentLightningInvoiceInfo",
  },
  BITCOIN_L1: {
    currencies: ["BTC"],
    networks: ["BITCOIN"],
    rails: [],
    fields: {
      ...address("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
      network: optional(oneOf("BITCOIN")),
    },
    schemaName: "PaymentBitcoinDepositAddressInfo",
  },
  SOLANA_WALLET: wallet("SOLANA", Formats.solanaAddress.example, ["USDC", "USDT"]),
  TRON_WALLET: wallet("TRON", Formats.tronAddress.example, ["USDT"]),
  PLASMA_WALLET: wallet("PLASMA", evmAddress, ["USDT"]),
  POLYGON_WALLET: wallet("POLYGON", evmAddress, ["USDC"]),
  BASE_WALLET: wallet("BASE", evmAddress, ["USDC"]),
  ETHEREUM_WALLET: wallet("ETHEREUM", evmAddress, ["USDC", "USDT"]),
  // Receives no payments: the instruction carries the payload that its owner signs to pay out.
  EMBEDDED_WALLET: {
    currencies: [],
    networks: [],
    rails: [],
    fields: { payloadToSign: required(text(65_536, "{}")) },
  },
} satisfies { readonly [accountType: string]: InstructionRow })

/** A value of `accountType` in payment instructions, such as `USD_ACCOUNT`. */
export type InstructionType = (typeof table.keys)[number]

/** The rows keep their exact types. A look-up by name returns the general row type. */
interface InstructionTable extends Omit<typeof table, "entries" | "find"> {
  readonly entries: ReadonlyArray<readonly [InstructionType, InstructionRow]>
  readonly find: (accountType: string) => InstructionRow | undefined
}
export const PaymentInstructionTypes: InstructionTable = table

/** Returns the networks over which a currency can be sent. */
export const networksOf = (currency: CurrencyCode): ReadonlyArray<CryptoNetwork> =>
  PaymentInstructionTypes.entries.flatMap(([, row]) => (row.currencies.includes(currency) ? row.networks : []))

/** Returns the network of a wallet; `undefined` for an account that is not on a chain. */
export const networkOfWallet = ({ accountType }: AccountInfo): CryptoNetwork | undefined =>
  PaymentInstructionTypes.find(accountType)?.networks[0]

/** Returns the instruction types for a currency. `SWIFT_ACCOUNT` is returned only if no other type exists. */
export const instructionTypesFor = (
  currency: CurrencyCode,
  network: CryptoNetwork | undefined,
  region: string | undefined,
): ReadonlyArray<InstructionType> => {
  const found = PaymentInstructionTypes.entries.flatMap(([accountType, row]) =>
    row.currencies.includes(currency) &&
    (network === undefined || row.networks.includes(network)) &&
    (row.region === undefined || row.region === region)
      ? [accountType]
      : [],
  )
  const local = found.filter((accountType) => accountType !== "SWIFT_ACCOUNT")
  return local.length === 0 ? found : local
}
