/**
 * The union behind `accountOrWalletInfo`: every variant of wire contract areas 2.11, its required fields, and what a port may answer.
 * Source: wire contract areas 2.11 and 2.12; D-396.
 */
import {
  type InstructionRow,
  type InstructionType,
  isPaymentInstructions,
  PaymentInstructions,
  PaymentInstructionTypes,
} from "@countersign/core/models"
import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { instructions } from "../../../packages/test/src/harness/AccountArbitraries.ts"

const reference = "reference"
const bankWithBic = ["bankName", "accountNumber", "swiftCode", reference]
const mobileMoney = ["phoneNumber", "provider", reference]
const franc = ["phoneNumber", "provider", "region", reference]
const bankOrMobile = ["bankName", reference]
const bankRails = ["BANK_TRANSFER"]
const bothRails = ["BANK_TRANSFER", "MOBILE_MONEY"]
const mobileRails = ["MOBILE_MONEY"]

/** The table of wire contract areas 2.11: schema, required fields, optional fields, rails. */
const listed: Readonly<
  Record<InstructionType, readonly [string, ReadonlyArray<string>, ReadonlyArray<string>, ReadonlyArray<string>]>
> = {
  USD_ACCOUNT: [
    "PaymentUsdAccountInfo",
    ["accountNumber", "routingNumber", reference],
    [
      "bankName",
      "bankAccountType",
      "intermediaryBankName",
      "intermediaryRoutingNumber",
      "fiToFiInformation",
      "bankAddress",
      "accountHolderName",
    ],
    ["ACH", "WIRE", "RTP", "FEDNOW"],
  ],
  BRL_ACCOUNT: ["PaymentBrlAccountInfo", ["qrCode"], [], []],
  MXN_ACCOUNT: ["PaymentMxnAccountInfo", ["clabeNumber", reference], [], ["SPEI"]],
  DKK_ACCOUNT: ["PaymentDkkAccountInfo", ["iban", reference], ["swiftCode"], ["SEPA", "SEPA_INSTANT"]],
  EUR_ACCOUNT: [
    "PaymentEurAccountInfo",
    ["iban", reference],
    ["swiftCode", "accountHolderName", "bankName"],
    ["SEPA", "SEPA_INSTANT"],
  ],
  GBP_ACCOUNT: ["PaymentGbpAccountInfo", ["sortCode", "accountNumber", reference], [], ["FASTER_PAYMENTS"]],
  CAD_ACCOUNT: ["PaymentCadAccountInfo", ["bankCode", "branchCode", "accountNumber", reference], [], bankRails],
  INR_ACCOUNT: [
    "PaymentInrAccountInfo",
    [],
    ["vpa", "accountNumber", "ifsc", "rail", "bankName"],
    ["UPI", "NEFT", "RTGS"],
  ],
  NGN_ACCOUNT: ["PaymentNgnAccountInfo", ["accountNumber", "bankName", reference], [], bankRails],
  ZAR_ACCOUNT: ["PaymentZarAccountInfo", ["accountNumber", "bankName", reference], [], bankRails],
  PHP_ACCOUNT: ["PaymentPhpAccountInfo", ["bankName", "accountNumber", reference], [], bankRails],
  HKD_ACCOUNT: ["PaymentHkdAccountInfo", bankWithBic, [], bankRails],
  MYR_ACCOUNT: ["PaymentMyrAccountInfo", bankWithBic, [], bankRails],
  THB_ACCOUNT: ["PaymentThbAccountInfo", bankWithBic, [], bankRails],
  VND_ACCOUNT: ["PaymentVndAccountInfo", bankWithBic, [], bankRails],
  IDR_ACCOUNT: ["PaymentIdrAccountInfo", [...bankWithBic, "phoneNumber"], [], bankRails],
  SGD_ACCOUNT: [
    "PaymentSgdAccountInfo",
    ["accountNumber", "swiftCode", reference],
    ["bankName"],
    ["PAYNOW", "FAST", "BANK_TRANSFER"],
  ],
  AED_ACCOUNT: ["PaymentAedAccountInfo", ["iban", reference], ["swiftCode"], bankRails],
  KES_ACCOUNT: ["PaymentKesAccountInfo", mobileMoney, [], mobileRails],
  TZS_ACCOUNT: ["PaymentTzsAccountInfo", mobileMoney, [], mobileRails],
  ZMW_ACCOUNT: ["PaymentZmwAccountInfo", mobileMoney, [], mobileRails],
  RWF_ACCOUNT: ["PaymentRwfAccountInfo", mobileMoney, [], mobileRails],
  MWK_ACCOUNT: ["PaymentMwkAccountInfo", mobileMoney, [], mobileRails],
  UGX_ACCOUNT: ["PaymentUgxAccountInfo", mobileMoney, [], mobileRails],
  BWP_ACCOUNT: ["PaymentBwpAccountInfo", mobileMoney, [], mobileRails],
  XOF_ACCOUNT: ["PaymentXofAccountInfo", franc, [], mobileRails],
  XAF_ACCOUNT: ["PaymentXafAccountInfo", franc, [], mobileRails],
  HTG_ACCOUNT: ["PaymentHtgAccountInfo", ["phoneNumber", reference], [], mobileRails],
  BDT_ACCOUNT: [
    "PaymentBdtAccountInfo",
    bankOrMobile,
    ["accountNumber", "branchCode", "swiftCode", "phoneNumber"],
    bothRails,
  ],
  PKR_ACCOUNT: ["PaymentPkrAccountInfo", bankOrMobile, ["accountNumber", "iban", "phoneNumber"], bothRails],
  EGP_ACCOUNT: ["PaymentEgpAccountInfo", bankOrMobile, ["iban", "phoneNumber"], bothRails],
  GHS_ACCOUNT: ["PaymentGhsAccountInfo", bankOrMobile, ["accountNumber", "phoneNumber"], bothRails],
  CNY_ACCOUNT: ["PaymentCnyAccountInfo", bankOrMobile, ["accountNumber", "phoneNumber"], bothRails],
  SLV_ACCOUNT: [
    "PaymentSlvAccountInfo",
    [reference],
    ["bankName", "accountNumber", "bankAccountType", "phoneNumber"],
    bothRails,
  ],
  GTQ_ACCOUNT: ["PaymentGtqAccountInfo", ["accountNumber", "bankAccountType", "bankName", reference], [], bankRails],
  JMD_ACCOUNT: [
    "PaymentJmdAccountInfo",
    ["accountNumber", "branchCode", "bankAccountType", "bankName", reference],
    [],
    bankRails,
  ],
  ARS_ACCOUNT: ["PaymentArsAccountInfo", ["accountNumber"], [], []],
  COP_ACCOUNT: ["PaymentCopAccountInfo", ["paymentUrl"], [], []],
  SWIFT_ACCOUNT: [
    "PaymentSwiftAccountInfo",
    ["country", "swiftCode", "bankName", "accountHolderName"],
    ["accountNumber", "iban", "bankAddress", reference],
    ["SWIFT"],
  ],
  SPARK_WALLET: ["PaymentSparkWalletInfo", ["address", "assetType"], ["invoice"], []],
  LIGHTNING: ["PaymentLightningInvoiceInfo", ["invoice"], [], []],
  SOLANA_WALLET: ["PaymentSolanaWalletInfo", ["address"], ["assetType"], []],
  ETHEREUM_WALLET: ["PaymentEthereumWalletInfo", ["address"], ["assetType"], []],
  TRON_WALLET: ["PaymentTronWalletInfo", ["address"], ["assetType"], []],
  PLASMA_WALLET: ["PaymentPlasmaWalletInfo", ["address"], ["assetType"], []],
  POLYGON_WALLET: ["PaymentPolygonWalletInfo", ["address"], ["assetType"], []],
  BASE_WALLET: ["PaymentBaseWalletInfo", ["address"], ["assetType"], []],
  BITCOIN_L1: ["PaymentBitcoinDepositAddressInfo", ["address"], ["network"], []],
  EMBEDDED_WALLET: ["PaymentEmbeddedWalletInfo", ["payloadToSign"], [], []],
}

/** A type's schema in the JSON schema document of the union. */
const document = Schema.toJsonSchemaDocument(PaymentInstructions)
const definitions = document.definitions as Readonly<
  Record<string, { readonly required?: ReadonlyArray<string>; readonly properties?: Readonly<Record<string, unknown>> }>
>

const types = PaymentInstructionTypes.keys

describe("the union of payment instructions", () => {
  it("has the 49 listed variants", () => {
    expect([...types].toSorted()).toEqual(Object.keys(listed).toSorted())
    expect(types.length).toBe(49)
  })

  it.each(types)("has the schema, fields and rails of %s as listed", (accountType) => {
    const [schemaName, required, optional, rails] = listed[accountType]
    const definition = definitions[schemaName]
    const paymentRails = rails.length === 0 ? [] : ["paymentRails"]
    const always = ["accountType", ...required, ...paymentRails]
    expect([...(definition?.required ?? [])].toSorted()).toEqual([...always].toSorted())
    expect(Object.keys(definition?.properties ?? {}).toSorted()).toEqual([...always, ...optional].toSorted())
    expect(PaymentInstructionTypes.get(accountType).rails).toEqual(rails)
  })

  it.each(types)("accepts every generated instruction of %s and shows it unchanged", (accountType) => {
    const decode = Schema.decodeUnknownSync(PaymentInstructions)
    fc.assert(
      fc.property(instructions(accountType), (instruction) => {
        expect(decode(instruction)).toEqual(instruction)
      }),
      { numRuns: 10 },
    )
  })

  it.each(types)("refuses an instruction of %s that lacks a required field", (accountType) => {
    const { fields, rails }: InstructionRow = PaymentInstructionTypes.get(accountType)
    const members = {
      accountType,
      ...Object.fromEntries(Object.entries(fields).map(([name, { format }]) => [name, format.example])),
      ...(rails.length === 0 ? {} : { paymentRails: rails }),
    }
    expect(isPaymentInstructions({ accountOrWalletInfo: members })).toBe(true)
    for (const name of listed[accountType][1]) {
      expect([name, isPaymentInstructions({ accountOrWalletInfo: { ...members, [name]: undefined } })]).toEqual([
        name,
        false,
      ])
    }
    if (rails.length === 0) return
    for (const paymentRails of [undefined, ["CIPS"]]) {
      expect(isPaymentInstructions({ accountOrWalletInfo: { ...members, paymentRails } })).toBe(false)
    }
  })
})
