/**
 * What creating an account demands beyond the form of its fields, and the account as it is kept.
 * Spec: 4.3 (creation rules); wire contract 2.3 and 2.4; D-043, D-044.
 */
import { Result } from "effect"
import type { FieldProblem } from "../../foundation/errors/ServiceError.ts"
import { isObject } from "../../foundation/kit/CrossField.ts"
import { at, typed } from "./AccountInfoRules.ts"
import type { AccountTypeRow, Members } from "./AccountTypeRow.ts"
import { type AccountTypeRows, AccountTypes } from "./AccountTypes.ts"
import type { AccountInfo } from "./ExternalAccount.ts"
import { StrictCheckRules } from "./StrictCheckRules.ts"

/** What is known when an account is created. */
export interface AccountFacts {
  /** Whether check digits and checksums are checked. */
  readonly strictChecks: boolean
  /** The bank names of the directory for the account's currency; absent where no directory was asked. */
  readonly bankNames?: ReadonlyArray<string>
}

const strictProblems = ({ fields }: AccountTypeRow, account: Members): ReadonlyArray<FieldProblem> =>
  Object.entries(fields).flatMap(([name, { format }]) => {
    const value = account[name]
    if (format.strict === undefined || typeof value !== "string") return []
    const { expected, holds } = StrictCheckRules.get(format.strict)
    if (holds(value, account)) return []
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

const put = (members: Members, [key, ...rest]: ReadonlyArray<string>, value: string): Members => {
  if (key === undefined) return members
  const inner = members[key]
  if (rest.length === 0) return { ...members, [key]: value }
  return isObject(inner) ? { ...members, [key]: put(inner, rest, value) } : members
}

/** The account with what follows from its fields, and its type by its name in the table. */
const completed = (accountInfo: AccountInfo, { accountType, row }: { accountType: string; row: AccountTypeRow }) =>
  (row.fills ?? []).reduce<AccountInfo>(
    (account, { from, path }) => {
      const value = at(account, path) === undefined ? from(account) : undefined
      return value === undefined ? account : (put(account, path, value) as AccountInfo)
    },
    { ...accountInfo, accountType },
  )

/** The account as it is kept, or every problem that only the deployment and its bank directory can tell. */
export const admit = (
  accountInfo: AccountInfo,
  facts: AccountFacts,
  rows: AccountTypeRows = AccountTypes.rows,
): Result.Result<AccountInfo, ReadonlyArray<FieldProblem>> => {
  const found = typed(rows, accountInfo.accountType)
  if (found === undefined) return Result.succeed(accountInfo)
  const problems = [
    ...(facts.strictChecks ? strictProblems(found.row, accountInfo) : []),
    ...bankNameProblems(found.row, accountInfo, facts.bankNames),
  ]
  return problems.length > 0 ? Result.fail(problems) : Result.succeed(completed(accountInfo, found))
}
