/**
 * The table of account types: currencies, fields and their formats, payment routes and beneficiary of each type. Schemas, checks,
 * OpenAPI, arbitraries and the documentation page are derived from it.
 * Spec: ExternalAccount; wire contract 2.3 and 7.2; wire contract areas 2.3; D-040, D-042, D-043.
 */
import * as Table from "../../foundation/kit/Table.ts"
import { Currencies } from "../../foundation/money/Currencies.ts"
import { derived, descriptive, digits, matching, oneOf, optional, phone, required, text } from "./AccountField.ts"
import * as Formats from "./AccountFormat.ts"
import type { AccountTypeRow, Members } from "./AccountTypeRow.ts"
import {
  bankAccount,
  bankAccountField,
  bankOrMobileAccount,
  bankRoute,
  bicAccount,
  branchCode,
  derivedResidence,
  discoveredBankName,
  identityDocumentFields,
  mobileMoneyAccount,
  mobileMoneyPhone,
  mobileRoute,
  optionalBankName,
  requiredBankName,
  route,
  walletAccount,
  xafRegion,
  xafRegionOfPhone,
  xofRegion,
  xofRegionOfPhone,
} from "./AccountTypeRowBuilders.ts"
import { singaporeBank } from "./SingaporeBanks.ts"

const table = Table.make("AccountTypes", {
  USD_ACCOUNT: bankAccount("USD", "US", ["ACH", "WIRE", "RTP", "FEDNOW"], {
    accountNumber: required(digits(4, 17, "123456789")),
    routingNumber: required(Formats.routingNumber),
    bankName: optional(Formats.bankName("Example Bank", 140)),
    bankAccountType: optional(Formats.bankAccountType, "Absent: a checking account."),
    intermediaryBankName: optional(Formats.bankName("Example Correspondent", 140), "For WIRE only."),
    intermediaryRoutingNumber: optional(Formats.routingNumber, "For WIRE only."),
    fiToFiInformation: optional(Formats.freeText(210, "/INV/ 2025-117"), "For WIRE only."),
  }),
  MXN_ACCOUNT: bankAccount("MXN", "MX", ["SPEI"], {
    clabeNumber: required(digits(18, 18, "032180000118359719", { strict: "CLABE" })),
    bankName: optionalBankName("BBVA México"),
  }),
  BRL_ACCOUNT: bankAccount("BRL", "BR", ["PIX"], {
    pixKey: required({ ...text(77, "52998224725"), strict: "PIX_KEY" }),
    pixKeyType: required(descriptive(oneOf("CPF", "CNPJ", "EMAIL", "PHONE", "RANDOM"))),
    taxId: required(descriptive(digits(11, 14, "52998224725", { strict: "CPF_OR_CNPJ" })), "The holder's CPF or CNPJ."),
    bankName: optionalBankName("Banco do Brasil"),
  }),
  COP_ACCOUNT: {
    ...bankOrMobileAccount("COP", "CO", ["accountNumber", "bankAccountType"], {
      bankName: requiredBankName("Bancolombia"),
      accountNumber: bankAccountField(Formats.accountNumber),
      bankAccountType: bankAccountField(Formats.bankAccountType),
      phoneNumber: mobileMoneyPhone("+573001234567"),
    }),
    beneficiaryFields: identityDocumentFields,
    note: "The bankName of mobile money is the wallet's, such as Nequi or Daviplata.",
  },
  SLV_ACCOUNT: bankOrMobileAccount("USD", "SV", ["accountNumber", "bankName", "bankAccountType"], {
    bankName: bankAccountField(Formats.bankName("Banco Agrícola")),
    accountNumber: bankAccountField(Formats.accountNumber),
    bankAccountType: bankAccountField(Formats.bankAccountType),
    phoneNumber: mobileMoneyPhone("+50370123456"),
  }),
  GTQ_ACCOUNT: {
    ...bankAccount("GTQ", "GT", ["BANK_TRANSFER"], {
      accountNumber: required(Formats.accountNumber),
      bankAccountType: required(Formats.bankAccountType),
      bankName: requiredBankName("Banco Industrial"),
    }),
    individualFields: ["phoneNumber", "countryOfResidence"],
  },
  HTG_ACCOUNT: {
    ...bankAccount("HTG", "HT", [], { phoneNumber: required(Formats.anyPhone("+50934123456")) }),
    routes: [mobileRoute()],
  },
  JMD_ACCOUNT: {
    ...bankAccount("JMD", "JM", ["BANK_TRANSFER"], {
      accountNumber: required(Formats.accountNumber),
      branchCode: required(branchCode),
      bankAccountType: required(Formats.bankAccountType),
      bankName: requiredBankName("National Commercial Bank"),
    }),
    individualFields: ["phoneNumber", "address"],
  },
  EUR_ACCOUNT: {
    // EU stands for the euro area: a euro account may have the IBAN of any of its countries.
    ...bankAccount("EUR", "EU", ["SEPA", "SEPA_INSTANT"], {
      iban: required(Formats.anyIban),
      swiftCode: optional(Formats.bic("COBADEFFXXX")),
      bankName: optionalBankName("Commerzbank"),
    }),
    derivedFields: [{ path: ["beneficiary", "countryOfResidence"], derive: derivedResidence }],
  },
  DKK_ACCOUNT: bankAccount("DKK", "DK", ["SEPA", "SEPA_INSTANT"], {
    iban: required(Formats.iban(/^DK[0-9]{16}$/u, "a Danish IBAN: DK and 16 digits", "DK5000400440116243")),
    swiftCode: optional(Formats.bic("DABADKKK")),
  }),
  GBP_ACCOUNT: bankAccount("GBP", "GB", ["FASTER_PAYMENTS"], {
    sortCode: required(digits(6, 6, "200000")),
    accountNumber: required(digits(8, 8, "55779911")),
  }),
  CAD_ACCOUNT: {
    ...bankAccount("CAD", "CA", ["BANK_TRANSFER"], {
      bankCode: required(digits(3, 3, "001")),
      branchCode: required(branchCode),
      accountNumber: required(digits(7, 12, "1234567")),
    }),
    beneficiaryFields: { registrationNumber: optional(text(255, "BN123456789")) },
  },
  INR_ACCOUNT: {
    ...bankAccount("INR", "IN", [], {
      vpa: optional(
        matching(/^[a-zA-Z0-9.\-_]+@[a-zA-Z0-9]+$/u, "a UPI address of the form name@bank", "ravi@upi", {
          isCaseInsensitive: true,
        }),
        "For UPI.",
      ),
      accountNumber: optional(digits(9, 18, "123456789012"), "For NEFT and RTGS."),
      ifsc: optional(
        matching(/^[A-Z]{4}0[A-Z0-9]{6}$/u, "an IFSC of 11 characters", "HDFC0001234"),
        "For NEFT and RTGS.",
      ),
      rail: optional(descriptive(oneOf("NEFT", "RTGS", "UPI")), "With accountNumber: NEFT or RTGS."),
      bankName: optionalBankName("HDFC Bank"),
    }),
    routes: [
      {
        ...route("bank", ["NEFT", "RTGS"], "accountNumber", "ifsc", "rail"),
        railField: "rail",
        allowedValues: { rail: ["NEFT", "RTGS"] },
      },
      { ...route("bank", ["UPI"], "vpa"), allowedValues: { rail: ["UPI"] } },
    ],
  },
  PHP_ACCOUNT: {
    ...bankAccount("PHP", "PH", ["BANK_TRANSFER"], {
      bankName: discoveredBankName("BDO Unibank"),
      accountNumber: required(digits(8, 16, "001234567890")),
    }),
    bankNameDiscovered: true,
  },
  IDR_ACCOUNT: bankAccount("IDR", "ID", ["BANK_TRANSFER"], {
    bankName: required(descriptive(Formats.bankName("Bank Central Asia"))),
    accountNumber: required(Formats.accountNumber),
    swiftCode: required(Formats.bic("CENAIDJA")),
    phoneNumber: required(descriptive(phone("+62", 9, 12, "+6281234567890"))),
  }),
  MYR_ACCOUNT: bicAccount("MYR", "MY", "Maybank", "MBBEMYKL"),
  SGD_ACCOUNT: {
    ...bankAccount("SGD", "SG", ["PAYNOW", "FAST", "BANK_TRANSFER"], {
      bankName: optional(
        descriptive(Formats.bankName("DBS Bank")),
        "Filled from the BIC when left out, where it is known.",
      ),
      accountNumber: required(Formats.accountNumber),
      swiftCode: required(Formats.bic("DBSSSGSG")),
    }),
    derivedFields: [{ path: ["bankName"], derive: ({ swiftCode }: Members) => singaporeBank(swiftCode) }],
  },
  THB_ACCOUNT: bicAccount("THB", "TH", "Bangkok Bank", "BKKBTHBK"),
  VND_ACCOUNT: bicAccount("VND", "VN", "Vietcombank", "BFTVVNVX"),
  HKD_ACCOUNT: bicAccount("HKD", "HK", "HSBC Hong Kong", "HSBCHKHH"),
  CNY_ACCOUNT: {
    ...bankOrMobileAccount("CNY", "CN", ["accountNumber"], {
      accountNumber: bankAccountField(Formats.accountNumber),
      bankName: required(Formats.bankName("Bank of China"), "AliPay or WechatPay for a wallet."),
      phoneNumber: mobileMoneyPhone("+8613812345678"),
    }),
    routes: [
      { ...bankRoute("accountNumber"), beneficiaryType: "BUSINESS" },
      { ...mobileRoute("phoneNumber"), allowedValues: { bankName: ["AliPay", "WechatPay"] } },
    ],
    note: "A bank account takes a BUSINESS beneficiary only.",
  },
  BDT_ACCOUNT: bankOrMobileAccount("BDT", "BD", ["accountNumber"], {
    bankName: required(Formats.bankName("BRAC Bank"), "Of mobile money the wallet's, such as bKash or Nagad."),
    accountNumber: bankAccountField(Formats.accountNumber),
    branchCode: bankAccountField(branchCode),
    swiftCode: bankAccountField(Formats.bic("BRAKBDDH")),
    phoneNumber: mobileMoneyPhone("+8801712345678"),
  }),
  PKR_ACCOUNT: bankOrMobileAccount("PKR", "PK", ["accountNumber"], {
    bankName: required(
      Formats.bankName("Standard Chartered"),
      "Of mobile money the wallet's, such as JazzCash or Easypaisa.",
    ),
    accountNumber: bankAccountField(Formats.accountNumber),
    iban: bankAccountField(
      Formats.iban(
        /^PK[0-9]{2}[A-Z]{4}[0-9]{16}$/u,
        "a Pakistani IBAN: PK, 2 digits, 4 letters and 16 digits",
        "PK36SCBL0000001123456702",
      ),
    ),
    phoneNumber: mobileMoneyPhone("+923001234567"),
  }),
  AED_ACCOUNT: {
    ...bankAccount("AED", "AE", ["BANK_TRANSFER"], {
      iban: required(Formats.iban(/^AE[0-9]{21}$/u, "an Emirati IBAN: AE and 21 digits", "AE070331234567890123456")),
      swiftCode: optional(Formats.bic("EBILAEAD")),
    }),
    individualFields: ["address"],
  },
  EGP_ACCOUNT: bankOrMobileAccount("EGP", "EG", ["iban"], {
    bankName: requiredBankName("National Bank of Egypt"),
    iban: bankAccountField(
      Formats.iban(/^EG[0-9]{27}$/u, "an Egyptian IBAN: EG and 27 digits", "EG380019000500000000263180002"),
    ),
    phoneNumber: mobileMoneyPhone("+201001234567"),
  }),
  NGN_ACCOUNT: {
    ...bankAccount("NGN", "NG", ["BANK_TRANSFER"], {
      accountNumber: required(digits(10, 10, "0123456789")),
      bankName: discoveredBankName("Access Bank"),
    }),
    bankNameDiscovered: true,
  },
  ZAR_ACCOUNT: {
    ...bankAccount("ZAR", "ZA", ["BANK_TRANSFER"], {
      accountNumber: required(digits(9, 13, "1234567890")),
      bankName: discoveredBankName("First National Bank"),
    }),
    bankNameDiscovered: true,
  },
  GHS_ACCOUNT: bankOrMobileAccount("GHS", "GH", ["accountNumber"], {
    bankName: requiredBankName("GCB Bank"),
    accountNumber: bankAccountField(Formats.accountNumber),
    phoneNumber: mobileMoneyPhone("+233241234567"),
  }),
  KES_ACCOUNT: mobileMoneyAccount("KES", "KE", phone("+254", 9, 9, "+254712345678"), oneOf("M-PESA")),
  TZS_ACCOUNT: mobileMoneyAccount("TZS", "TZ", phone("+255", 9, 9, "+255712345678"), oneOf("AIRTEL", "VODACOM")),
  ZMW_ACCOUNT: mobileMoneyAccount(
    "ZMW",
    "ZM",
    phone("+260", 9, 9, "+260971234567"),
    oneOf("TNM", "AIRTEL", "ZAMTEL", "MTN"),
  ),
  RWF_ACCOUNT: mobileMoneyAccount("RWF", "RW", phone("+250", 9, 9, "+250781234567"), oneOf("MTN", "AIRTEL")),
  MWK_ACCOUNT: mobileMoneyAccount("MWK", "MW", phone("+265", 9, 9, "+265991234567"), oneOf("AIRTEL", "TNM")),
  UGX_ACCOUNT: mobileMoneyAccount("UGX", "UG", phone("+256", 9, 9, "+256771234567"), oneOf("MTN", "AIRTEL")),
  XOF_ACCOUNT: {
    ...bankAccount("XOF", { field: "region" }, [], {
      phoneNumber: required(
        matching(
          /^\+(221[0-9]{9}|225[0-9]{10}|229[0-9]{8,9}|228[0-9]{8})$/u,
          "+221 and 9 digits, +225 and 10 digits, +229 and 8 or 9 digits, or +228 and 8 digits",
          "+221771234567",
        ),
      ),
      provider: required(text(255, "ORANGE"), "The operator of the mobile money."),
      region: derived(xofRegion, "Follows from the phone number when left out."),
    }),
    routes: [mobileRoute()],
    derivedFields: [{ path: ["region"], derive: xofRegionOfPhone, mustMatch: "the country of phoneNumber" }],
  },
  XAF_ACCOUNT: {
    ...bankAccount("XAF", { field: "region" }, [], {
      phoneNumber: required(Formats.anyPhone("+237671234567")),
      provider: required(text(255, "MTN"), "The operator of the mobile money."),
      region: derived(xafRegion, "CM Cameroon, CG Republic of the Congo. Follows from +237 and +242 when left out."),
    }),
    routes: [mobileRoute()],
    derivedFields: [
      {
        path: ["region"],
        derive: xafRegionOfPhone,
        mustMatch: "the country of phoneNumber",
        requiredWith: "phoneNumber",
      },
    ],
  },
  BWP_ACCOUNT: mobileMoneyAccount("BWP", "BW", Formats.anyPhone("+26771234567"), text(255, "Orange")),
  SWIFT_ACCOUNT: {
    currencies: Currencies.entries.flatMap(([code, { crypto }]) => (crypto ? [] : [code])),
    country: { field: "country" },
    fields: {
      country: required(Formats.bankCountry, "Where the bank account is; it may differ from the currency's."),
      swiftCode: required(Formats.bic("DEUTDEFFXXX")),
      bankName: required(descriptive(Formats.bankName("Deutsche Bank"))),
      accountNumber: optional(Formats.accountNumber),
      iban: optional(Formats.anyIban, "For corridors that take nothing else."),
    },
    routes: [route("bank", ["SWIFT"], "accountNumber"), route("bank", ["SWIFT"], "iban")],
    beneficiary: "required",
  },
  SPARK_WALLET: walletAccount(["BTC", "USDB"], "SPARK", Formats.sparkAddress),
  LIGHTNING: {
    currencies: ["BTC"],
    fields: {
      invoice: optional(Formats.invoice, "Used once."),
      bolt12: optional(Formats.bolt12, "An offer that may be used again."),
      lightningAddress: optional(Formats.lightningAddress),
    },
    routes: [route("wallet", [], "invoice"), route("wallet", [], "bolt12"), route("wallet", [], "lightningAddress")],
    isExclusive: true,
    beneficiary: "none",
    aliases: ["LIGHTNING_ACCOUNT"],
  },
  SOLANA_WALLET: walletAccount(["USDC", "USDT"], "SOLANA", Formats.solanaAddress),
  TRON_WALLET: walletAccount(["USDT"], "TRON", Formats.tronAddress),
  POLYGON_WALLET: walletAccount(["USDC"], "EVM", Formats.hexAddress),
  BASE_WALLET: walletAccount(["USDC"], "EVM", Formats.hexAddress),
  ETHEREUM_WALLET: walletAccount(["USDC", "USDT"], "EVM", Formats.hexAddress),
  PLASMA_WALLET: walletAccount(["USDT"], "EVM", Formats.hexAddress),
} satisfies { readonly [accountType: string]: AccountTypeRow })

/** A value of `accountType` in `accountInfo`, such as `USD_ACCOUNT` or `SPARK_WALLET`. */
export type AccountType = (typeof table.keys)[number]
/** The rows keep their exact types. A look-up by name returns the general row type. */
interface AccountTypeTable extends Omit<typeof table, "entries" | "find"> {
  readonly entries: ReadonlyArray<readonly [AccountType, AccountTypeRow]>
  readonly find: (accountType: string) => AccountTypeRow | undefined
}
export const AccountTypes: AccountTypeTable = table
/** A table of account types: the one above, or a copy with added rows. */
export type AccountTypeRows = Readonly<Record<string, AccountTypeRow>>
