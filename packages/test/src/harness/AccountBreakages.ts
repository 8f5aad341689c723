/** Valid bodies with one invalid field, made from the type's row. The service must reject each and name the field. */

import {
  type AccountTypeRows,
  AccountTypes,
  businessMinimum,
  Currencies,
  individualMinimum,
  type Members,
  routeOf,
} from "@countersign/core/models"
import type { Format } from "@countersign/core/verify"
import { type AccountBody, rowOf } from "./AccountExample.ts"

/** A body that is valid but for one field, and the field that the 400 must name. */
export interface Breakage {
  /** The dot path that the error must name. */
  readonly field: string
  /** The change that made the field invalid. */
  readonly change: string
  readonly body: Members
}

type Path = ReadonlyArray<string>

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns a copy with another value at a path; `undefined` removes the member. */
export const replaced = (members: Members, [key = "", ...rest]: Path, value: unknown): Members => {
  const { [key]: inner, ...others } = members
  if (rest.length > 0) return { ...members, [key]: replaced(isObject(inner) ? inner : {}, rest, value) }
  return value === undefined ? others : { ...members, [key]: value }
}

/** Values of every JSON type but text. */
export const wrongTypes: ReadonlyArray<unknown> = [7, null, true, [], {}]

/** Returns values similar to a valid one that its format rejects. */
const nearMisses = ({ isEmptyAllowed, maxLength, pattern, values }: Format, value: string): ReadonlyArray<string> => {
  if (values !== undefined) return ["", `${value}_`, value.toLowerCase()].filter((near) => !values.includes(near))
  if (pattern === undefined) return ["x".repeat((maxLength ?? 255) + 1), ...(isEmptyAllowed === true ? [] : [""])]
  const near = ["", `${value}!`, ` ${value}`, `${value}0`, value.slice(0, -1), value.slice(1), `x${value.slice(1)}`]
  return near.filter((text) => !pattern.test(text))
}

const breakage = (body: AccountBody, path: Path, change: string, value: unknown): Breakage => ({
  field: path.join("."),
  change,
  body: replaced({ ...body }, path, value),
})

const missing = (body: AccountBody, path: Path) => breakage(body, path, "missing", undefined)
const others = (body: AccountBody, path: Path, values: ReadonlyArray<unknown>) =>
  values.map((value) => breakage(body, path, `is ${JSON.stringify(value).slice(0, 60)}`, value))

const ofBeneficiary = (body: AccountBody, needs: ReadonlyArray<string>, addressNeeds: ReadonlyArray<string>) => {
  const at = ["accountInfo", "beneficiary"]
  const { beneficiary } = body.accountInfo
  if (!isObject(beneficiary)) return []
  const { address, businessInfo } = beneficiary
  const nested = isObject(businessInfo) ? businessInfo : {}
  const pathOf = (name: string) => (nested[name] === undefined ? [...at, name] : [...at, "businessInfo", name])
  const leaves = [
    ...Object.keys(beneficiary).filter((name) => !isObject(beneficiary[name])),
    ...Object.keys(nested).map((name) => `businessInfo.${name}`),
    ...(isObject(address) ? Object.keys(address).map((name) => `address.${name}`) : []),
  ]
  const needed = ["line1", "postalCode", "country", ...addressNeeds]
  return [
    ...others(body, at, [7, null, "x", []]),
    missing(body, [...at, "beneficiaryType"]),
    ...others(body, [...at, "beneficiaryType"], ["PERSON", "individual"]),
    ...needs.map((name) => missing(body, pathOf(name))),
    ...leaves.flatMap((leaf) => others(body, [...at, ...leaf.split(".")], wrongTypes)),
    ...(isObject(address) ? [...new Set(needed)].map((name) => missing(body, [...at, "address", name])) : []),
    ...(address === undefined ? [] : others(body, [...at, "address"], [7, null, "x", []])),
  ]
}

/** Returns every body that has one invalid field and is otherwise equal to the valid body. */
export const breakages = (body: AccountBody, rows: AccountTypeRows = AccountTypes.rows): ReadonlyArray<Breakage> => {
  const { accountInfo, currency } = body
  const row = rowOf(rows, String(accountInfo["accountType"]))
  const needs = routeOf(row, accountInfo)?.requiredFields ?? []
  const { beneficiary } = accountInfo
  const isIndividual = isObject(beneficiary) && beneficiary["beneficiaryType"] === "INDIVIDUAL"
  const minimum = individualMinimum(row, accountInfo)
  const foreign = Currencies.keys.find((code) => !row.currencies.includes(code))
  return [
    missing(body, ["currency"]),
    ...others(body, ["currency"], [7, null, currency.toLowerCase(), foreign]),
    missing(body, ["accountInfo"]),
    ...others(body, ["accountInfo"], [7, null, "x", []]),
    missing(body, ["accountInfo", "accountType"]),
    ...others(body, ["accountInfo", "accountType"], [7, null, "US_ACCOUNT", "usd_account"]),
    ...Object.entries(row.fields).flatMap(([name, { format, isRequired }]) => {
      const path = ["accountInfo", name]
      const value = accountInfo[name]
      if (typeof value !== "string") return []
      return [
        ...(isRequired || needs.includes(name) ? [missing(body, path)] : []),
        ...others(body, path, [...wrongTypes, ...nearMisses(format, value)]),
      ]
    }),
    ...(row.beneficiary === "required" ? [missing(body, ["accountInfo", "beneficiary"])] : []),
    ...ofBeneficiary(
      body,
      isIndividual ? minimum.needs : businessMinimum(currency),
      isIndividual ? minimum.address : [],
    ),
  ]
}
