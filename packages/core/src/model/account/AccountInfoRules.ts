/**
 * The rules over several fields of an account: its currency, its way, what follows from other fields, its beneficiary.
 * Spec: 4.3 (creation rules); wire contract 2.3 and 2.4; D-040, D-042, D-043.
 */
import { type CrossFieldProblem, type CrossFieldRule, isObject } from "../../foundation/kit/CrossField.ts"
import { wayOf } from "./AccountReach.ts"
import type { AccountTypeRow, AccountWay, Members } from "./AccountTypeRow.ts"
import type { AccountTypeRows } from "./AccountTypes.ts"
import { beneficiaryProblems } from "./BeneficiaryRules.ts"

type Problems = ReadonlyArray<CrossFieldProblem>

/** A type's name in the table, and its row; `accountType` may be another name of it. */
export const typed = (rows: AccountTypeRows, accountType: unknown) => {
  const found = Object.entries(rows).find(
    ([name, { aliases }]) => name === accountType || aliases?.some((alias) => alias === accountType),
  )
  return found === undefined ? undefined : { accountType: found[0], row: found[1] }
}

const oneOf = (values: ReadonlyArray<string>) =>
  values.length > 2 ? `one of ${values.join(", ")}` : values.join(" or ")

const currencyProblems = ({ currencies }: AccountTypeRow, accountType: string, currency: unknown): Problems =>
  currency === undefined || currencies.some((held) => held === currency)
    ? []
    : [
        {
          path: ["currency"],
          message: `must be ${oneOf(currencies)} for ${accountType}`,
          constraint: { enum: [...currencies] },
        },
      ]

const required = (field: string, when: string): CrossFieldProblem => ({
  path: [field],
  message: `is required${when}`,
  constraint: { required: true },
})

const lacking = ({ needs }: AccountWay, account: Members) => needs.filter((name) => account[name] === undefined)

const problemsOfWay = (way: AccountWay, account: Members): Problems => {
  const [first = ""] = way.needs
  const beneficiary = isObject(account["beneficiary"]) ? account["beneficiary"] : {}
  const type = beneficiary["beneficiaryType"]
  return [
    ...lacking(way, account).map((name) => required(name, ` with ${first}`)),
    ...Object.entries(way.values ?? {})
      .filter(([name, values]) => account[name] !== undefined && !values.some((value) => value === account[name]))
      .map(([name, values]) => ({
        path: [name],
        message: `must be ${oneOf(values)} with ${first}`,
        constraint: { enum: [...values] },
      })),
    ...(way.beneficiaryType === undefined || type === undefined || type === way.beneficiaryType
      ? []
      : [
          {
            path: ["beneficiary", "beneficiaryType"],
            message: `must be ${way.beneficiaryType} with ${first}`,
            constraint: { enum: [way.beneficiaryType] },
          },
        ]),
  ]
}

/** No way is told of: each is named, with what would do instead. */
const problemsOfNoWay = ({ ways }: AccountTypeRow): Problems =>
  ways.flatMap((way) => {
    const others = ways.filter((other) => other !== way).map(({ needs }) => needs.join(" and "))
    return way.needs.map((name) => required(name, `, or ${others.join(" or ")} instead`))
  })

const wayProblems = (row: AccountTypeRow, account: Members): Problems => {
  const way = wayOf(row, account)
  if (way === undefined) return problemsOfNoWay(row)
  const [first = ""] = way.needs
  const others = row.ways.filter((other) => other !== way).flatMap(({ needs }) => needs)
  const excluded = row.isExclusive === true ? others.filter((name) => account[name] !== undefined) : []
  return [
    ...problemsOfWay(way, account),
    ...excluded.map((name) => ({ path: [name], message: `must not be given together with ${first}` })),
  ]
}

export const at = (account: Members, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), account)

/** A value that follows from others and that is given must be the one that follows. */
const fillProblems = ({ fills = [] }: AccountTypeRow, account: Members): Problems =>
  fills.flatMap(({ binding, from, path }) => {
    const [given, follows] = [at(account, path), from(account)]
    if (binding === undefined || given === undefined || follows === undefined || given === follows) return []
    return [{ path, message: `must be ${follows}, ${binding}`, constraint: { enum: [follows] } }]
  })

const inAccount = (problems: Problems): Problems =>
  problems.map((problem) => ({ ...problem, path: ["accountInfo", ...problem.path] }))

/** The rules over several fields of a request that creates an account. */
export const accountRule =
  (rows: AccountTypeRows): CrossFieldRule =>
  ({ accountInfo, currency }) => {
    const found = isObject(accountInfo) ? typed(rows, accountInfo["accountType"]) : undefined
    if (found === undefined || !isObject(accountInfo)) return []
    const { accountType, row } = found
    return [
      ...currencyProblems(row, accountType, currency),
      ...inAccount([
        ...wayProblems(row, accountInfo),
        ...fillProblems(row, accountInfo),
        ...beneficiaryProblems(row, accountType, currency, accountInfo),
      ]),
    ]
  }
