/**
 * The table of banks and operators of the countries whose account types accept only bank names from the directory.
 * Spec: Discovery entry, 4.3 (the Philippines, Nigeria, South Africa); wire contract 2.8.
 */
import type { CountryCode } from "../../foundation/kit/Text.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"

/** A bank in the directory. */
export interface Bank {
  /** The exact value of an external account's `bankName`. */
  readonly bankName: string
  /** The name to display to a person. */
  readonly displayName: string
  /** ISO 3166-1 alpha-2. */
  readonly country: typeof CountryCode.Type
  readonly currency: CurrencyCode
}

/** A bank's name, with its display name if the two differ. */
type BankEntry = string | readonly [bankName: string, displayName: string]

const banksOf = (country: string, currency: CurrencyCode, entries: ReadonlyArray<BankEntry>): ReadonlyArray<Bank> =>
  entries.map((entry) => {
    const [bankName, displayName] = typeof entry === "string" ? [entry, entry] : entry
    return { bankName, displayName, country, currency }
  })

const philippines = banksOf("PH", "PHP", [
  "BDO Unibank",
  ["BPI", "Bank of the Philippine Islands"],
  ["Metrobank", "Metropolitan Bank and Trust Company"],
  "Land Bank of the Philippines",
  "Philippine National Bank",
  ["Security Bank", "Security Bank Corporation"],
  ["China Bank", "China Banking Corporation"],
  ["RCBC", "Rizal Commercial Banking Corporation"],
  ["UnionBank", "Union Bank of the Philippines"],
  ["EastWest Bank", "East West Banking Corporation"],
  "Development Bank of the Philippines",
  ["PSBank", "Philippine Savings Bank"],
  "Asia United Bank",
  "AllBank",
  "Bank of Commerce",
  "BDO Network Bank",
  "BPI Direct BanKo",
  "Cebuana Lhuillier Bank",
  "China Bank Savings",
  ["CTBC Bank", "CTBC Bank (Philippines)"],
  ["CIMB Bank", "CIMB Bank Philippines"],
  ["Citibank", "Citibank N.A. Philippines"],
  "Equicom Savings Bank",
  ["GCash", "GCash (G-Xchange)"],
  "GoTyme Bank",
  "GrabPay",
  ["HSBC Philippines", "The Hongkong and Shanghai Banking Corporation, Philippines"],
  ["Maya", "Maya Philippines"],
  "Maya Bank",
  "Maybank Philippines",
  ["MariBank", "MariBank Philippines"],
  "Overseas Filipino Bank",
  "Philippine Bank of Communications",
  "Philippine Business Bank",
  ["Philippine Trust Company", "Philtrust Bank"],
  "Philippine Veterans Bank",
  ["Queenbank", "Queen City Development Bank"],
  "Standard Chartered Bank Philippines",
  "Sterling Bank of Asia",
  "Tonik Digital Bank",
  "UCPB Savings Bank",
  "UnionDigital Bank",
  "UNO Digital Bank",
  "Wealth Development Bank",
  "Coins.ph",
  ["ShopeePay", "ShopeePay Philippines"],
])

const nigeria = banksOf("NG", "NGN", [
  "Access Bank",
  "Citibank Nigeria",
  "Ecobank Nigeria",
  "Fidelity Bank",
  "First Bank of Nigeria",
  ["First City Monument Bank", "First City Monument Bank (FCMB)"],
  "Globus Bank",
  ["Guaranty Trust Bank", "Guaranty Trust Bank (GTBank)"],
  "Keystone Bank",
  "Nova Bank",
  "Optimus Bank",
  "Parallex Bank",
  "Polaris Bank",
  "PremiumTrust Bank",
  "Providus Bank",
  "Signature Bank",
  "Stanbic IBTC Bank",
  "Standard Chartered Bank Nigeria",
  "Sterling Bank",
  "SunTrust Bank",
  "Titan Trust Bank",
  "Union Bank of Nigeria",
  ["United Bank for Africa", "United Bank for Africa (UBA)"],
  "Unity Bank",
  "Wema Bank",
  "Zenith Bank",
  "Jaiz Bank",
  "Lotus Bank",
  "TAJBank",
  "Carbon",
  "FairMoney Microfinance Bank",
  ["Kuda Microfinance Bank", "Kuda"],
  ["Moniepoint Microfinance Bank", "Moniepoint"],
  ["OPay", "OPay Digital Services"],
  "PalmPay",
  "Paga",
  "Rubies Microfinance Bank",
  "Sparkle Microfinance Bank",
  "VFD Microfinance Bank",
  "9 Payment Service Bank",
  "Hope Payment Service Bank",
  "MoMo Payment Service Bank",
  "SmartCash Payment Service Bank",
])

const southAfrica = banksOf("ZA", "ZAR", [
  "Absa Bank",
  "Access Bank South Africa",
  "African Bank",
  "Albaraka Bank",
  "Bank Zero",
  "Bidvest Bank",
  "Capitec Bank",
  "Capitec Business",
  "Citibank South Africa",
  "Discovery Bank",
  "Finbond Mutual Bank",
  ["First National Bank", "First National Bank (FNB)"],
  "FirstRand Bank",
  "Grindrod Bank",
  "GBS Mutual Bank",
  "HBZ Bank",
  "HSBC South Africa",
  "Investec Bank",
  "Ithala",
  "JPMorgan Chase Bank South Africa",
  "Nedbank",
  "Old Mutual Bank",
  ["Postbank", "South African Postbank"],
  "RMB Private Bank",
  "Sasfin Bank",
  ["Standard Bank", "Standard Bank of South Africa"],
  "Standard Chartered Bank South Africa",
  "State Bank of India South Africa",
  "TymeBank",
])

/** Every bank of the table. A deployment adds its own with `directoryOf`. */
export const banks: ReadonlyArray<Bank> = [...philippines, ...nigeria, ...southAfrica]
