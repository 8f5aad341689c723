/**
 * The checks of new account details that depend on the deployment and its directories, and the account details as stored.
 * Spec: 4.3 (creation rules); wire contract 2.3 and 2.4; wire contract areas 1.7; D-043, D-044.
 */
import { Result } from "effect"
import type { FieldProblem } from "../../foundation/errors/FieldProblems.ts"
import { isObject } from "../../foundation/kit/CrossField.ts"
import { findAccountType, memberAt } from "./AccountInfoRules.ts"
import type { AccountTypeRow, Members } from "./AccountTypeRow.ts"
import { type AccountTypeRows, AccountTypes } from "./AccountTypes.ts"
import type { AccountInfo } from "./ExternalAccount.ts"
import { StrictCheckRules } from "./StrictCheckRules.ts"

export interface AccountValidationFacts {
  /** Whether check digits and checksums are verified. */
  readonly strictChecks: boolean
  /** Bank names in the directory for the account's currency. Absent if the directory was not asked. */
  readonly bankNames?: ReadonlyArray<string>
  /** Names in the directory of exchanges. Absent if the directory was not asked. */
  readonly vaspNames?: ReadonlyArray<string>
}

const strictProblems = ({ fields }: AccountTypeRow, account: Members): ReadonlyArray<FieldProblem> =>
  Object.entries(fields).flatMap(([name, { format }]) => {
    const value = account[name]
    if (format.strict === undefined || typeof value !== "string") return []
    const { expected, isValid } = StrictCheckRules.get(format.strict)
    if (isValid(value, account)) return []
    return [{ field: `accountInfo.${name}`, message: `must be ${expected}`, constraint: { check: format.strict } }]
  })

const bankNameProblems = (
  { bankNameDiscovered }: AccountTypeRow,
  { bankName }: Members,
  bankNames: ReadonlyArray<string> | undefined,
): ReadonlyArray<FieldProblem> =>
  bankNameDiscovered !== true || bankNames === undefined || bankNames.some((name) => name === bankName)
    ? []
    : [
        {
          field: "accountInfo.bankName",
          message: "must be exactly a bankName of GET /discoveries",
          constraint: { enum: [...bankNames] },
        },
      ]

/** The problem has no list of the names, because a directory of exchanges is long. */
const vaspNameProblems = (
  { vaspName }: Members,
  vaspNames: ReadonlyArray<string> | undefined,
): ReadonlyArray<FieldProblem> =>
  vaspName === undefined || vaspNames === undefined || vaspNames.some((name) => name === vaspName)
    ? []
    : [{ field: "accountInfo.vaspName", message: "must be exactly a vaspName of GET /vasps" }]

const setMember = (members: Members, [key, ...rest]: ReadonlyArray<string>, value: string): Members => {
  if (key === undefined) return members
  const inner = members[key]
  if (rest.length === 0) return { ...members, [key]: value }
  return isObject(inner) ? { ...members, [key]: setMember(inner, rest, value) } : members
}

/** Fills absent derived fields and replaces an alias of the type by its name in the table. */
const withDerivedFields = (
  accountInfo: AccountInfo,
  { accountType, row }: { accountType: string; row: AccountTypeRow },
) =>
  (row.derivedFields ?? []).reduce<AccountInfo>(
    (account, { derive, path }) => {
      const value = memberAt(account, path) === undefined ? derive(account) : undefined
      return value === undefined ? account : (setMember(account, path, value) as AccountInfo)
    },
    { ...accountInfo, accountType },
  )

/** Returns the account details to store, or every problem that a schema cannot detect. An unknown type passes unchanged. */
export const validateAccountInfo = (
  accountInfo: AccountInfo,
  facts: AccountValidationFacts,
  rows: AccountTypeRows = AccountTypes.rows,
): Result.Result<AccountInfo, ReadonlyArray<FieldProblem>> => {
  const found = findAccountType(rows, accountInfo.accountType)
  if (found === undefined) return Result.succeed(accountInfo)
  const problems = [
    ...(facts.strictChecks ? strictProblems(found.row, accountInfo) : []),
    ...bankNameProblems(found.row, accountInfo, facts.bankNames),
    ...vaspNameProblems(accountInfo, facts.vaspNames),
  ]
  return problems.length > 0 ? Result.fail(problems) : Result.succeed(withDerivedFields(accountInfo, found))
}
