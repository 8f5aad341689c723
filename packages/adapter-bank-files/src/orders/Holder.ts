/** The holder of an external account. Source: wire contract 2.2. */
import type { RailAccount } from "@countersign/core/ports"

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Reflect.get(value, name) : undefined

export interface Holder {
  /** Empty: the account names none. */
  readonly name: string
  readonly isBusiness: boolean
}

export const holderOf = ({ accountInfo }: RailAccount): Holder => {
  const beneficiary = accountInfo["beneficiary"]
  const isBusiness = memberOf(beneficiary, "beneficiaryType") === "BUSINESS"
  const legalName = memberOf(memberOf(beneficiary, "businessInfo"), "legalName") ?? memberOf(beneficiary, "legalName")
  const name = isBusiness ? legalName : memberOf(beneficiary, "fullName")
  return { name: typeof name === "string" ? name : "", isBusiness }
}
