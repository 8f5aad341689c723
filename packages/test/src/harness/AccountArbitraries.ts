/** Generates valid request bodies that create an account of a type, from the type's row. */

import {
  type AccountTypeRow,
  type AccountTypeRows,
  AccountTypes,
  businessMinimum,
  type InstructionRow,
  type InstructionType,
  individualMinimum,
  type Members,
  PaymentInstructionTypes,
  type PaymentRoute,
} from "@countersign/core/models"
import type { Format } from "@countersign/core/verify"
import fc from "fast-check"
import { type AccountBody, type BeneficiaryType, requiredFields, rowOf } from "./AccountExample.ts"

/** Caches arbitraries: they are expensive to build, and few. */
const cached = <A>(all: Map<string, fc.Arbitrary<A>>, name: string, make: () => fc.Arbitrary<A>): fc.Arbitrary<A> => {
  const made = all.get(name) ?? make()
  all.set(name, made)
  return made
}
const textsByLength = new Map<string, fc.Arbitrary<string>>()
const textsByPattern = new Map<string, fc.Arbitrary<string>>()

/** Generates texts of any script within the length limits of a field. */
export const texts = (maxLength: number, minLength = 1): fc.Arbitrary<string> =>
  cached(textsByLength, `${minLength} ${maxLength}`, () =>
    fc
      .string({ minLength, maxLength: Math.min(maxLength, Math.max(24, minLength)), unit: "grapheme" })
      .filter((text) => text.length >= minLength && text.length <= maxLength),
  )

/** Generates texts that match a pattern. */
export const matching = (pattern: RegExp): fc.Arbitrary<string> =>
  cached(textsByPattern, String(pattern), () => fc.stringMatching(pattern))

const valuesOf = ({ isEmptyAllowed, maxLength = 255, pattern, values }: Format): fc.Arbitrary<string> =>
  values !== undefined
    ? fc.constantFrom(...values)
    : pattern !== undefined
      ? matching(pattern)
      : texts(maxLength, isEmptyAllowed === true ? 0 : 1)

const country = matching(/^[A-Z]{2}$/u)
const phone = matching(/^\+[1-9][0-9]{6,12}$/u)
const email = matching(/^[a-z0-9]{1,8}(\.[a-z0-9]{1,4})?@[a-z]{1,8}\.[a-z]{2,3}$/u)
const date = matching(/^(19[0-9]{2}|200[0-9])-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$/u)

const addressOf = (needs: ReadonlyArray<string>) =>
  fc.record(
    { line1: texts(255), line2: texts(255), city: texts(255), state: texts(255), postalCode: texts(32), country },
    {
      requiredKeys: ["line1", "postalCode", "country", ...(needs.includes("city") ? (["city"] as const) : [])],
      noNullPrototype: true,
    },
  )

const extrasOf = ({ beneficiaryFields = {} }: AccountTypeRow) =>
  Object.fromEntries(Object.entries(beneficiaryFields).map(([name, { format }]) => [name, valuesOf(format)]))

const individuals = (row: AccountTypeRow, account: Members): fc.Arbitrary<Members> => {
  const { address, needs } = individualMinimum(row, account)
  const fields = {
    ...extrasOf(row),
    fullName: texts(255),
    birthDate: date,
    nationality: country,
    email,
    phoneNumber: phone,
    countryOfResidence: country,
    address: addressOf(address),
  }
  return fc
    .record(fields, {
      requiredKeys: Object.keys(fields).filter((name) => needs.includes(name)) as Array<keyof typeof fields>,
      noNullPrototype: true,
    })
    .map((members) => ({ beneficiaryType: "INDIVIDUAL", ...members }))
}

const companyNames = ["legalName", "registrationNumber", "taxId"] as const

/** Generates businesses, with their company data nested or flat. */
const businesses = (row: AccountTypeRow, currency: string): fc.Arbitrary<Members> => {
  const needs = businessMinimum(currency)
  const company = fc.record(
    { legalName: texts(255), registrationNumber: texts(255), taxId: texts(255) },
    { requiredKeys: companyNames.filter((name) => needs.includes(name)), noNullPrototype: true },
  )
  const { legalName: _, registrationNumber: __, taxId: ___, ...extras } = extrasOf(row)
  const rest = { ...extras, email, phoneNumber: phone, countryOfResidence: country, address: addressOf([]) }
  return fc
    .tuple(
      company,
      fc.boolean(),
      fc.record(rest, { requiredKeys: needs.includes("address") ? ["address"] : [], noNullPrototype: true }),
    )
    .map(([data, isNested, more]) => ({
      beneficiaryType: "BUSINESS",
      ...(isNested ? { businessInfo: data } : data),
      ...more,
    }))
}

const beneficiaries = (row: AccountTypeRow, route: PaymentRoute, currency: string, account: Members) => {
  const types: ReadonlyArray<BeneficiaryType> =
    route.beneficiaryType === undefined ? ["INDIVIDUAL", "BUSINESS"] : [route.beneficiaryType]
  const all = fc
    .constantFrom(...types)
    .chain((type) => (type === "INDIVIDUAL" ? individuals(row, account) : businesses(row, currency)))
  if (row.beneficiary === "none") return fc.constant({})
  const required = all.map((beneficiary) => ({ beneficiary }))
  return row.beneficiary === "required" ? required : fc.oneof(required, fc.constant({}))
}

const accounts = (accountType: string, row: AccountTypeRow, route: PaymentRoute): fc.Arbitrary<Members> => {
  const needed = requiredFields(row, route)
  const others = row.routes.filter((other) => other !== route).flatMap(({ requiredFields }) => requiredFields)
  const usable = Object.keys(row.fields).filter((name) => needed.includes(name) || !others.includes(name))
  const fields = usable.map((name) => {
    const { format } = row.fields[name] ?? {}
    if (format === undefined) throw new Error(`the account type has no field ${name}`)
    // A name of a directory: the example is one that the sandbox lists.
    const isDiscovered = name === "vaspName" || (name === "bankName" && row.bankNameDiscovered === true)
    const allowed = route.allowedValues?.[name]
    return [
      name,
      allowed === undefined
        ? isDiscovered
          ? fc.constant(format.example)
          : valuesOf(format)
        : fc.constantFrom(...allowed),
    ] as const
  })
  return fc
    .record<Record<string, string>, string>(Object.fromEntries(fields), {
      requiredKeys: [...needed],
      noNullPrototype: true,
    })
    .map((members) => {
      // A derived field has the value that follows from the other fields, or is absent.
      const bound = (row.derivedFields ?? []).filter(
        ({ mustMatch, path: [name] }) => mustMatch !== undefined && members[name] !== undefined,
      )
      return {
        accountType,
        ...members,
        ...Object.fromEntries(bound.map(({ derive, path: [name] }) => [name, derive(members) ?? members[name]])),
        ...missingDerived(row, members),
      }
    })
}

/** The fields that a caller must send because nothing else yields them. */
const missingDerived = ({ derivedFields = [], fields }: AccountTypeRow, members: Members) =>
  Object.fromEntries(
    derivedFields
      .filter(
        ({ derive, path: [name], requiredWith }) =>
          requiredWith !== undefined && members[name] === undefined && derive(members) === undefined,
      )
      .map(({ path: [name] }) => [name, fields[name]?.format.example]),
  )

/** Generates instructions of a type: the required fields, and any of the others. */
export const instructions = (accountType: InstructionType): fc.Arbitrary<Members> => {
  const { fields, rails }: InstructionRow = PaymentInstructionTypes.get(accountType)
  const info = fc.record<Record<string, unknown>, string>(
    {
      ...Object.fromEntries(Object.entries(fields).map(([name, { format }]) => [name, valuesOf(format)])),
      ...(rails.length === 0 ? {} : { paymentRails: fc.subarray([...rails], { minLength: 1 }) }),
    },
    {
      requiredKeys: [
        ...Object.keys(fields).filter((name) => fields[name]?.isRequired === true),
        ...(rails.length === 0 ? [] : ["paymentRails"]),
      ],
      noNullPrototype: true,
    },
  )
  return fc.record({
    instructionsNotes: texts(255),
    isPlatformAccount: fc.boolean(),
    accountOrWalletInfo: info.map((members) => ({ accountType, ...members })),
  })
}

/** Generates valid bodies of a type, for all its payment routes, currencies and beneficiaries. */
export const validBodies = (
  accountType: string,
  rows: AccountTypeRows = AccountTypes.rows,
): fc.Arbitrary<AccountBody> => {
  const row = rowOf(rows, accountType)
  return fc.tuple(fc.constantFrom(...row.routes), fc.constantFrom(...row.currencies)).chain(([route, currency]) =>
    accounts(accountType, row, route).chain((account) =>
      beneficiaries(row, route, currency, account).map((owned) => ({
        currency,
        accountInfo: { ...account, ...owned },
      })),
    ),
  )
}
