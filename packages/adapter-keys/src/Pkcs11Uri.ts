/** The address of a key in a token. Source: RFC 7512, sections 2.3 and 2.4. */
import { KeySourceError } from "./KeySourceError.ts"

export interface Pkcs11Uri {
  /** The label of the token. */
  readonly token: string
  /** The label of the key. */
  readonly object: string
  /** The path of the library that drives the token. */
  readonly modulePath: string
  /** The path of a file with the PIN. */
  readonly pinSource: string | undefined
}

const known = ["token", "object", "type", "module-path", "pin-source"]

export const scheme = "pkcs11:"

/** Reads `pkcs11:token=LABEL;object=LABEL?module-path=PATH`, with `&pin-source=file:PATH` if a file has the PIN. */
export const parsePkcs11Uri = (uri: string): Pkcs11Uri => {
  const fail = (problem: string): never => {
    throw new KeySourceError(`the address of the key ${problem}`)
  }
  const [path = "", query = ""] = uri.slice(scheme.length).split("?")
  const attributes = new Map<string, string>()
  for (const part of [...path.split(";"), ...query.split("&")]) {
    if (part === "") continue
    const at = part.indexOf("=")
    const name = part.slice(0, Math.max(at, 0))
    // A PIN in an address would be visible where addresses are.
    if (!known.includes(name)) return fail(`has an attribute that is not one of ${known.join(", ")}`)
    if (attributes.has(name)) return fail(`has ${name} twice`)
    try {
      attributes.set(name, decodeURIComponent(part.slice(at + 1)))
    } catch {
      return fail(`has a ${name} that is not percent-encoded`)
    }
  }
  const required = (name: string) => attributes.get(name) ?? fail(`needs ${name}`)
  if ((attributes.get("type") ?? "secret-key") !== "secret-key") return fail("needs the type secret-key")
  return {
    token: required("token"),
    object: required("object"),
    modulePath: required("module-path"),
    pinSource: attributes.get("pin-source")?.replace(/^file:(?:\/\/)?/u, ""),
  }
}
