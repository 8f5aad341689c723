/**
 * An http or https address of RFC 3986: what `format: uri` means to validators of JSON Schema. Other characters are percent-encoded.
 * Source: D-430.
 */
import { Schema } from "effect"

const word = "[A-Za-z0-9\\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2}"
const user = `((${word}|:)*@)?`
const host = `(\\[[0-9A-Fa-f:]+\\]|(${word})+)(:[0-9]*)?`
const rest = `(/(${word}|[:@/])*)?(\\?(${word}|[:@/?])*)?(#(${word}|[:@/?])*)?`

/** Whether groups of an IPv6 address are well-formed. */
const areGroups = (groups: ReadonlyArray<string>): boolean => groups.every((group) => /^[0-9A-Fa-f]{1,4}$/u.test(group))

const isIpv6 = (address: string): boolean => {
  const sides = address.split("::").map((side) => (side === "" ? [] : side.split(":")))
  const groups = sides.flat()
  return areGroups(groups) && (sides.length === 1 ? groups.length === 8 : sides.length === 2 && groups.length < 8)
}

const realHost = Schema.makeFilter((url: string) => {
  const [, address] = /^https?:\/\/(?:[^/?#]*@)?\[([^\]]*)\]/u.exec(url) ?? []
  return address === undefined || isIpv6(address) || "must have a host that exists"
})

/** Makes the schema of an address of at most `max` characters. */
export const HttpUrl = (max: number, scheme: "http" | "https" = "http") =>
  Schema.String.annotate({ format: "uri" }).check(
    Schema.isMaxLength(max).abort(),
    Schema.isPattern(new RegExp(`^${scheme === "http" ? "https?" : "https"}://${user}${host}${rest}$`, "u"), {
      expected: scheme === "http" ? "an http or https address" : "an https address",
    }).abort(),
    realHost,
  )
