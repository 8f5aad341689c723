/**
 * The cross-field rules of account details: currency, payment route, derived fields and beneficiary.
 * Spec: 4.3 (creation rules); wire contract 2.3 and 2.4; D-040, D-042, D-043.
 */
import { type CrossFieldProblem, type CrossFieldRule, isObject } from "../../foundation/kit/CrossField.ts"
import { routeOf } from "./AccountRoute.ts"
import type { AccountTypeRow, Members, PaymentRoute } from "./AccountTypeRow.ts"
import type { AccountTypeRows } from "./AccountTypes.ts"
import { beneficiaryProblems } from "./BeneficiaryRules.ts"

type Problems = ReadonlyArray<CrossFieldProblem>

/** Finds the row of a type by its name or an alias, with its name in the table. */
export const findAccountType = (rows: AccountTypeRows, accountType: unknown) => {
  const found = Object.entries(rows).find(
    ([name, { aliases }]) => name === accountType || aliases?.some((alias) => alias === accountType),
  )
  return found === undefined ? undefined : { accountType: found[0], row: found[1] }
}

const oneOf = (values: ReadonlyArray<string>) =>
  values.length > 2 ? `one of ${values.join(", ")}` : values.join(" or ")

const currencyProblems = ({ currencies }: AccountTypeRow, accountType: string, currency: unknown): Problems =>
  currency === undefined || currencies.some((allowed) => allowed === currency)
    ? []
    : [
        {
          path: ["currency"],
          message: `must be ${oneOf(currencies)} for ${accountType}`,
          constraint: { enum: [...currencies] },
        },
      ]

const required = (field: string, condition: string): CrossFieldProblem => ({
  path: [field],
  message: `is required${condition}`,
  constraint: { required: true },
})

const missingFields = ({ requiredFields }: PaymentRoute, account: Members) =>
  requiredFields.filter((name) => account[name] === undefined)

const problemsOfRoute = (route: PaymentRoute, account: Members): Problems => {
  const [first = ""] = route.requiredFields
  const beneficiary = isObject(account["beneficiary"]) ? account["beneficiary"] : {}
  const type = beneficiary["beneficiaryType"]
  return [
    ...missingFields(route, account).map((name) => required(name, ` with ${first}`)),
    ...Object.entries(route.allowedValues ?? {})
      .filter(([name, values]) => account[name] !== undefined && !values.some((value) => value === account[name]))
      .map(([name, values]) => ({
        path: [name],
        message: `must be ${oneOf(values)} with ${first}`,
        constraint: { enum: [...values] },
      })),
    ...(route.beneficiaryType === undefined || type === undefined || type === route.beneficiaryType
      ? []
      : [
          {
            path: ["beneficiary", "beneficiaryType"],
            message: `must be ${route.beneficiaryType} with ${first}`,
            constraint: { enum: [route.beneficiaryType] },
          },
        ]),
  ]
}

/** The problems of an account that selects no route: each route's fields are listed with the alternatives. */
const problemsWithoutRoute = ({ routes }: AccountTypeRow): Problems =>
  routes.flatMap((route) => {
    const others = routes.filter((other) => other !== route).map(({ requiredFields }) => requiredFields.join(" and "))
    return route.requiredFields.map((name) => required(name, `, or ${others.join(" or ")} instead`))
  })

const routeProblems = (row: AccountTypeRow, account: Members): Problems => {
  const route = routeOf(row, account)
  if (route === undefined) return problemsWithoutRoute(row)
  const [first = ""] = route.requiredFields
  const others = row.routes.filter((other) => other !== route).flatMap(({ requiredFields }) => requiredFields)
  const excluded = row.isExclusive === true ? others.filter((name) => account[name] !== undefined) : []
  return [
    ...problemsOfRoute(route, account),
    ...excluded.map((name) => ({ path: [name], message: `must not be given together with ${first}` })),
  ]
}

/** Returns the member at a path, or `undefined` if a step of the path is not an object. */
export const memberAt = (account: Members, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), account)

/** Compares the derived fields that must match their source with the values sent, and finds those that nothing yields. */
const derivedFieldProblems = ({ derivedFields = [], fields }: AccountTypeRow, account: Members): Problems =>
  derivedFields.flatMap(({ derive, mustMatch, path, requiredWith }): Problems => {
    const [sent, derived] = [memberAt(account, path), derive(account)]
    const source = requiredWith === undefined ? undefined : account[requiredWith]
    const isSourceValid =
      typeof source === "string" && fields[requiredWith ?? ""]?.format.pattern?.test(source) === true
    if (isSourceValid && sent === undefined && derived === undefined) {
      return [{ path, message: "is required, because it cannot be derived", constraint: { required: true } }]
    }
    if (mustMatch === undefined || sent === undefined || derived === undefined || sent === derived) return []
    return [{ path, message: `must be ${derived}, ${mustMatch}`, constraint: { enum: [derived] } }]
  })

const inAccount = (problems: Problems): Problems =>
  problems.map((problem) => ({ ...problem, path: ["accountInfo", ...problem.path] }))

/** The cross-field rule of a request that creates an account. */
export const accountRule =
  (rows: AccountTypeRows): CrossFieldRule =>
  ({ accountInfo, currency }) => {
    const found = isObject(accountInfo) ? findAccountType(rows, accountInfo["accountType"]) : undefined
    if (found === undefined || !isObject(accountInfo)) return []
    const { accountType, row } = found
    return [
      ...currencyProblems(row, accountType, currency),
      ...inAccount([
        ...routeProblems(row, accountInfo),
        ...derivedFieldProblems(row, accountInfo),
        ...beneficiaryProblems(row, accountType, currency, accountInfo),
      ]),
    ]
  }
