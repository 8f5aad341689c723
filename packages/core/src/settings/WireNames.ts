/**
 * Names on the wire that a deployment sets.
 * Source: wire contract 0.1 and 6.2; wire contract areas 2.5; D-370.
 */
import { Context } from "effect"
import { isServiceName, serviceNameDefault, serviceNameRule } from "../foundation/names/ServiceName.ts"

export interface WireNames {
  /** The service's name in headers, fields and values: `Acme` gives `Acme-Wallet-Signature`, `acmeApiFixedFee` and `CLOSED_BY_ACME`. */
  readonly serviceName?: string | undefined
  /** @deprecated The old name of `serviceName`. */
  readonly headerPrefix?: string | undefined
  /** `json`: `{"v":"1","s":"<base64>"}`; `plain`: the base64 alone. */
  readonly signatureForm: "json" | "plain"
}

type Names = Pick<WireNames, "serviceName" | "headerPrefix">

/** Returns what is wrong with the names; the caller may be a program in JavaScript. */
export const problemsOfNames = ({ headerPrefix, serviceName }: Names): ReadonlyArray<string> => {
  const given = Object.entries({ serviceName, headerPrefix }).filter(([, name]) => name !== undefined)
  const invalid = given.filter(([, name]) => typeof name !== "string" || !isServiceName(name))
  const differ = serviceName !== undefined && headerPrefix !== undefined && serviceName !== headerPrefix
  return [
    ...invalid.map(([setting]) => `${setting} must be ${serviceNameRule}`),
    ...(differ ? ["serviceName and headerPrefix are two names of one setting and must not differ"] : []),
  ]
}

/** Returns the service's name. Throws if it is not valid, since the service must not start with it. */
export const serviceNameOf = (names: Names): string => {
  const problems = problemsOfNames(names)
  if (problems.length > 0) throw new TypeError(`WireNames: ${problems.join("; ")}`)
  return names.serviceName ?? names.headerPrefix ?? serviceNameDefault
}

export const WireNames = Context.Reference<WireNames>("@countersign/core/WireNames", {
  defaultValue: () => ({ signatureForm: "json" }),
})
