/**
 * The table of account types: what each holds, which fields name it and in which form, how money reaches it, and whom it may
 * belong to. Schemas, checks, OpenAPI, arbitraries and the page of the documentation are made from it.
 * Spec: ExternalAccount; wire contract 2.3 and 7.2; D-040, D-042, D-043.
 */
import * as Table from "../../foundation/kit/Table.ts"
import { Currencies } from "../../foundation/money/Currencies.ts"
import { describing, digits, fitting, oneOf, optional, phone, required, text } from "./AccountField.ts"
import * as Is from "./AccountFormat.ts"
import {
  bank,
  bankOnly,
  bankOrMobile,
  bankWay,
  branchCode,
  byBic,
  discovered,
  documents,
  freeBankName,
  mobile,
  mobilePhone,
  mobileWay,
  named,
  regionOf,
  residence,
  wallet,
  way,
} from "./AccountRow.ts"
import type { AccountTypeRow, Members } from "./AccountTypeRow.ts"
import { singaporeBank } from "./SingaporeBankTypes.ts"

const table = Table.make("AccountTypes", {
  USD_ACCOUNT: bank("USD", "US", ["ACH", "WIRE", "RTP", "FEDNOW"], {
    accountNumber: required(digits(4, 17, "123456789")),
    routingNumber: required(Is.routingNumber),
    bankName: optional(Is.bankName("Example Bank", 140)),
    bankAccountType: optional(Is.bankAccountType, "Absent: a checking account."),
    intermediaryBankName: optional(Is.bankName("Example Correspondent", 140), "For WIRE only."),
    intermediaryRoutingNumber: optional(Is.routingNumber, "For WIRE only."),
    fiToFiInformation: optional(Is.freeText(210, "/INV/ 2025-117"), "For WIRE only."),
  }),
  MXN_ACCOUNT: bank("MXN", "MX", ["SPEI"], {
    clabeNumber: required(digits(18, 18, "032180000118359719", { strict: "CLABE" })),
    bankName: freeBankName("BBVA México"),
  }),
  BRL_ACCOUNT: bank("BRL", "BR", ["PIX"], {
    pixKey: required({ ...text(77, "52998224725"), strict: "PIX_KEY" }),
    pixKeyType: required(describing(oneOf("CPF", "CNPJ", "EMAIL", "PHONE", "RANDOM"))),
    taxId: required(describing(digits(11, 14, "52998224725", { strict: "CPF_OR_CNPJ" })), "The holder's CPF or CNPJ."),
    bankName: freeBankName("Banco do Brasil"),
  }),
  COP_ACCOUNT: {
    ...bankOrMobile("COP", "CO", ["accountNumber", "bankAccountType"], {
      bankName: named("Bancolombia"),
      accountNumber: bankOnly(Is.accountNumber),
      bankAccountType: bankOnly(Is.bankAccountType),
      phoneNumber: mobilePhone("+573001234567"),
    }),
    beneficiaryFields: documents,
    note: "The bankName of mobile money is the wallet's, such as Nequi or Daviplata.",
  },
  SLV_ACCOUNT: bankOrMobile("USD", "SV", ["accountNumber", "bankName", "bankAccountType"], {
    bankName: bankOnly(Is.bankName("Banco Agrícola")),
    accountNumber: bankOnly(Is.accountNumber),
    bankAccountType: bankOnly(Is.bankAccountType),
    phoneNumber: mobilePhone("+50370123456"),
  }),
  GTQ_ACCOUNT: {
    ...bank("GTQ", "GT", ["BANK_TRANSFER"], {
      accountNumber: required(Is.accountNumber),
      bankAccountType: required(Is.bankAccountType),
      bankName: named("Banco Industrial"),
    }),
    individualNeeds: ["phoneNumber", "countryOfResidence"],
  },
  HTG_ACCOUNT: {
    ...bank("HTG", "HT", [], { phoneNumber: required(Is.anyPhone("+50934123456")) }),
    ways: [mobileWay()],
  },
  JMD_ACCOUNT: {
    ...bank("JMD", "JM", ["BANK_TRANSFER"], {
      accountNumber: required(Is.accountNumber),
      branchCode: required(branchCode),
      bankAccountType: required(Is.bankAccountType),
      bankName: named("National Commercial Bank"),
    }),
    individualNeeds: ["phoneNumber", "address"],
  },
  EUR_ACCOUNT: {
    // The euro's area and not one country: accounts in euro have IBANs of many.
    ...bank("EUR", "EU", ["SEPA", "SEPA_INSTANT"], {
      iban: required(Is.anyIban),
      swiftCode: optional(Is.bic("COBADEFFXXX")),
      bankName: freeBankName("Commerzbank"),
    }),
    fills: [{ path: ["beneficiary", "countryOfResidence"], from: residence }],
  },
  DKK_ACCOUNT: bank("DKK", "DK", ["SEPA", "SEPA_INSTANT"], {
    iban: required(Is.iban(/^DK[0-9]{16}$/u, "a Danish IBAN: DK and 16 digits", "DK5000400440116243")),
    swiftCode: optional(Is.bic("DABADKKK")),
  }),
  GBP_ACCOUNT: bank("GBP", "GB", ["FASTER_PAYMENTS"], {
    sortCode: required(digits(6, 6, "200000")),
    accountNumber: required(digits(8, 8, "55779911")),
  }),
  CAD_ACCOUNT: {
    ...bank("CAD", "CA", ["BANK_TRANSFER"], {
      bankCode: required(digits(3, 3, "001")),
      branchCode: required(branchCode),
      accountNumber: required(digits(7, 12, "1234567")),
    }),
    beneficiaryFields: { registrationNumber: optional(text(255, "BN123456789")) },
  },
  INR_ACCOUNT: {
    ...bank("INR", "IN", [], {
      vpa: optional(
        fitting(/^[a-zA-Z0-9.\-_]+@[a-zA-Z0-9]+$/u, "a UPI address of the form name@bank", "ravi@upi", {
          isCaseless: true,
        }),
        "For UPI.",
      ),
      accountNumber: optional(digits(9, 18, "123456789012"), "For NEFT and RTGS."),
      ifsc: optional(
        fitting(/^[A-Z]{4}0[A-Z0-9]{6}$/u, "an IFSC of 11 characters", "HDFC0001234"),
        "For NEFT and RTGS.",
      ),
      rail: optional(describing(oneOf("NEFT", "RTGS", "UPI")), "With accountNumber: NEFT or RTGS."),
      bankName: freeBankName("HDFC Bank"),
    }),
    ways: [
      {
        ...way("bank", ["NEFT", "RTGS"], "accountNumber", "ifsc", "rail"),
        railField: "rail",
        values: { rail: ["NEFT", "RTGS"] },
      },
      { ...way("bank", ["UPI"], "vpa"), values: { rail: ["UPI"] } },
    ],
  },
  PHP_ACCOUNT: {
    ...bank("PHP", "PH", ["BANK_TRANSFER"], {
      bankName: discovered("BDO Unibank"),
      accountNumber: required(digits(8, 16, "001234567890")),
    }),
    bankNameDiscovered: true,
  },
  IDR_ACCOUNT: bank("IDR", "ID", ["BANK_TRANSFER"], {
    bankName: required(describing(Is.bankName("Bank Central Asia"))),
    accountNumber: required(Is.accountNumber),
    swiftCode: required(Is.bic("CENAIDJA")),
    phoneNumber: required(describing(phone("+62", 9, 12, "+6281234567890"))),
  }),
  MYR_ACCOUNT: byBic("MYR", "MY", "Maybank", "MBBEMYKL"),
  SGD_ACCOUNT: {
    ...bank("SGD", "SG", ["PAYNOW", "FAST", "BANK_TRANSFER"], {
      bankName: optional(describing(Is.bankName("DBS Bank")), "Filled from the BIC when left out, where it is known."),
      accountNumber: required(Is.accountNumber),
      swiftCode: required(Is.bic("DBSSSGSG")),
    }),
    fills: [{ path: ["bankName"], from: ({ swiftCode }: Members) => singaporeBank(swiftCode) }],
  },
  THB_ACCOUNT: byBic("THB", "TH", "Bangkok Bank", "BKKBTHBK"),
  VND_ACCOUNT: byBic("VND", "VN", "Vietcombank", "BFTVVNVX"),
  HKD_ACCOUNT: byBic("HKD", "HK", "HSBC Hong Kong", "HSBCHKHH"),
  CNY_ACCOUNT: {
    ...bankOrMobile("CNY", "CN", ["accountNumber"], {
      accountNumber: bankOnly(Is.accountNumber),
      bankName: required(Is.bankName("Bank of China"), "AliPay or WechatPay for a wallet."),
      phoneNumber: mobilePhone("+8613812345678"),
    }),
    ways: [
      { ...bankWay("accountNumber"), beneficiaryType: "BUSINESS" },
      { ...mobileWay("phoneNumber"), values: { bankName: ["AliPay", "WechatPay"] } },
    ],
    note: "A bank account takes a BUSINESS beneficiary only.",
  },
  BDT_ACCOUNT: bankOrMobile("BDT", "BD", ["accountNumber"], {
    bankName: required(Is.bankName("BRAC Bank"), "Of mobile money the wallet's, such as bKash or Nagad."),
    accountNumber: bankOnly(Is.accountNumber),
    branchCode: bankOnly(branchCode),
    swiftCode: bankOnly(Is.bic("BRAKBDDH")),
    phoneNumber: mobilePhone("+8801712345678"),
  }),
  PKR_ACCOUNT: bankOrMobile("PKR", "PK", ["accountNumber"], {
    bankName: required(
      Is.bankName("Standard Chartered"),
      "Of mobile money the wallet's, such as JazzCash or Easypaisa.",
    ),
    accountNumber: bankOnly(Is.accountNumber),
    iban: bankOnly(
      Is.iban(
        /^PK[0-9]{2}[A-Z]{4}[0-9]{16}$/u,
        "a Pakistani IBAN: PK, 2 digits, 4 letters and 16 digits",
        "PK36SCBL0000001123456702",
      ),
    ),
    phoneNumber: mobilePhone("+923001234567"),
  }),
  AED_ACCOUNT: {
    ...bank("AED", "AE", ["BANK_TRANSFER"], {
      iban: required(Is.iban(/^AE[0-9]{21}$/u, "an Emirati IBAN: AE and 21 digits", "AE070331234567890123456")),
      swiftCode: optional(Is.bic("EBILAEAD")),
    }),
    individualNeeds: ["address"],
  },
  EGP_ACCOUNT: bankOrMobile("EGP", "EG", ["iban"], {
    bankName: named("National Bank of Egypt"),
    iban: bankOnly(Is.iban(/^EG[0-9]{27}$/u, "an Egyptian IBAN: EG and 27 digits", "EG380019000500000000263180002")),
    phoneNumber: mobilePhone("+201001234567"),
  }),
  NGN_ACCOUNT: {
    ...bank("NGN", "NG", ["BANK_TRANSFER"], {
      accountNumber: required(digits(10, 10, "0123456789")),
      bankName: discovered("Access Bank"),
    }),
    bankNameDiscovered: true,
  },
  ZAR_ACCOUNT: {
    ...bank("ZAR", "ZA", ["BANK_TRANSFER"], {
      accountNumber: required(digits(9, 13, "1234567890")),
      bankName: discovered("First National Bank"),
    }),
    bankNameDiscovered: true,
  },
  GHS_ACCOUNT: bankOrMobile("GHS", "GH", ["accountNumber"], {
    bankName: named("GCB Bank"),
    accountNumber: bankOnly(Is.accountNumber),
    phoneNumber: mobilePhone("+233241234567"),
  }),
  KES_ACCOUNT: mobile("KES", "KE", phone("+254", 9, 9, "+254712345678"), oneOf("M-PESA")),
  TZS_ACCOUNT: mobile("TZS", "TZ", phone("+255", 9, 9, "+255712345678"), oneOf("AIRTEL", "VODACOM")),
  ZMW_ACCOUNT: mobile("ZMW", "ZM", phone("+260", 9, 9, "+260971234567"), oneOf("TNM", "AIRTEL", "ZAMTEL", "MTN")),
  RWF_ACCOUNT: mobile("RWF", "RW", phone("+250", 9, 9, "+250781234567"), oneOf("MTN", "AIRTEL")),
  MWK_ACCOUNT: mobile("MWK", "MW", phone("+265", 9, 9, "+265991234567"), oneOf("AIRTEL", "TNM")),
  UGX_ACCOUNT: mobile("UGX", "UG", phone("+256", 9, 9, "+256771234567"), oneOf("MTN", "AIRTEL")),
  XOF_ACCOUNT: {
    ...bank("XOF", { field: "region" }, [], {
      phoneNumber: required(
        fitting(
          /^\+(221[0-9]{9}|225[0-9]{10}|229[0-9]{8,9})$/u,
          "+221 and 9 digits, +225 and 10 digits, or +229 and 8 or 9 digits",
          "+221771234567",
        ),
      ),
      provider: required(text(255, "ORANGE"), "The operator of the mobile money."),
      region: optional(describing(oneOf("SN", "CI", "BJ")), "Follows from the phone number when left out."),
    }),
    ways: [mobileWay()],
    fills: [{ path: ["region"], from: regionOf, binding: "the country of phoneNumber" }],
  },
  XAF_ACCOUNT: {
    ...bank("XAF", { field: "region" }, [], {
      phoneNumber: required(Is.anyPhone("+237671234567")),
      provider: required(text(255, "MTN"), "The operator of the mobile money."),
      region: required(describing(oneOf("CM", "CG")), "CM Cameroon, CG Republic of the Congo."),
    }),
    ways: [mobileWay()],
  },
  BWP_ACCOUNT: mobile("BWP", "BW", Is.anyPhone("+26771234567"), text(255, "Orange")),
  SWIFT_ACCOUNT: {
    currencies: Currencies.entries.flatMap(([code, { crypto }]) => (crypto ? [] : [code])),
    country: { field: "country" },
    fields: {
      country: required(Is.bankCountry, "Where the bank account is; it may differ from the currency's."),
      swiftCode: required(Is.bic("DEUTDEFFXXX")),
      bankName: required(describing(Is.bankName("Deutsche Bank"))),
      accountNumber: optional(Is.accountNumber),
      iban: optional(Is.anyIban, "For corridors that take nothing else."),
    },
    ways: [way("bank", ["SWIFT"], "accountNumber"), way("bank", ["SWIFT"], "iban")],
    beneficiary: "required",
  },
  SPARK_WALLET: wallet(["BTC", "USDB"], "SPARK", Is.sparkAddress),
  LIGHTNING: {
    currencies: ["BTC"],
    fields: {
      invoice: optional(Is.invoice, "Used once."),
      bolt12: optional(Is.bolt12, "An offer that may be used again."),
      lightningAddress: optional(Is.lightningAddress),
    },
    ways: [way("wallet", [], "invoice"), way("wallet", [], "bolt12"), way("wallet", [], "lightningAddress")],
    isExclusive: true,
    beneficiary: "none",
    aliases: ["LIGHTNING_ACCOUNT"],
  },
  SOLANA_WALLET: wallet(["USDC", "USDT"], "SOLANA", Is.solanaAddress),
  TRON_WALLET: wallet(["USDT"], "TRON", Is.tronAddress),
  POLYGON_WALLET: wallet(["USDC"], "EVM", Is.hexAddress),
  BASE_WALLET: wallet(["USDC"], "EVM", Is.hexAddress),
  ETHEREUM_WALLET: wallet(["USDC", "USDT"], "EVM", Is.hexAddress),
  PLASMA_WALLET: wallet(["USDT"], "EVM", Is.hexAddress),
} satisfies { readonly [accountType: string]: AccountTypeRow })

export type AccountType = (typeof table.keys)[number]
/** The rows keep their exact types; who asks for one by name need not know which it is. */
interface AccountTypeTable extends Omit<typeof table, "entries" | "find"> {
  readonly entries: ReadonlyArray<readonly [AccountType, AccountTypeRow]>
  readonly find: (accountType: string) => AccountTypeRow | undefined
}
export const AccountTypes: AccountTypeTable = table
/** A table of account types: the one above, or a copy with further rows. */
export type AccountTypeRows = Readonly<Record<string, AccountTypeRow>>
