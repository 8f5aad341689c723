/** Decoders with a fault behind nested conditions, one for each kind of mutations: what a search has to find, and inputs at random do not. */
import { byteMutator, bytesOf, textOf } from "./ByteMutants.ts"
import { itemOf, memberOf, wholeItem, written } from "./CborItems.ts"
import { cborMutator } from "./CborMutants.ts"
import { httpMutator } from "./HttpMutants.ts"
import { jsonMutator } from "./JsonMutants.ts"
import { base64urlOf, encodedMutator, joined, partsMutator, partsOf } from "./Parts.ts"
import type { Problem, Target } from "./Target.ts"

const sources = /fuzz\/PlantedFaults/u
const fault = "the planted fault"

const text = (value: string) => itemOf(3, BigInt(value.length), { bytes: Buffer.from(value) })
const bytes = (length: number) => itemOf(2, BigInt(length), { bytes: new Uint8Array(length).fill(7) })

const inBytes = (input: string): Problem => {
  const [first, second, third] = bytesOf(input)
  if (first !== 0x18) return undefined
  if (second !== 0x30) return undefined
  return third === 0x7f ? fault : undefined
}

/** An attestation whose statement is not a map, whose format is not a text, and whose data is not bytes. */
const inCbor = async (input: string): Promise<Problem> => {
  const object = wholeItem(await Promise.resolve(bytesOf(input)))
  const [statement, format, data] = ["attStmt", "fmt", "authData"].map((name) => memberOf(object, name)?.major)
  if (statement === undefined || statement === 5) return undefined
  if (format === undefined || format === 3) return undefined
  return data === undefined || data === 2 ? undefined : fault
}

const objectOf = (segment: string): Readonly<Record<string, unknown>> => {
  try {
    return { ...JSON.parse(Buffer.from(segment, "base64url").toString()) }
  } catch {
    return {}
  }
}

/** A token without an algorithm, with a negative expiry, and with a list of audiences. */
const inToken = (input: string): Problem => {
  const [head = {}, claims = {}] = partsOf(input, 2).map((part) => objectOf(base64urlOf(part)))
  if ("alg" in head || !("kid" in head)) return undefined
  if (!(Number(claims["exp"]) < 0)) return undefined
  return Array.isArray(claims["aud"]) ? fault : undefined
}

/** A request of another version, with an override of its method, of a range, and without its host. */
const inHttp = (input: string): Problem => {
  const [first = "", ...lines] = input.split("\r\n")
  if (!first.endsWith("HTTP/1.2")) return undefined
  if (!lines.includes("X-Http-Method-Override: DELETE")) return undefined
  if (!lines.includes("Range: bytes=0-")) return undefined
  return lines.some((line) => line.startsWith("Host")) ? undefined : fault
}

const attestation = itemOf(5, 3n, {
  items: [text("fmt"), text("none"), text("attStmt"), itemOf(5, 0n, { items: [] }), text("authData"), bytes(40)],
})
const encodedJson = encodedMutator(base64urlOf, jsonMutator)

export const plantedFaults: ReadonlyArray<Target> = [
  { name: "bytes", sources, valid: [textOf(bytes(8).bytes ?? new Uint8Array(8))], mutant: byteMutator, check: inBytes },
  { name: "CBOR", sources, valid: [textOf(written(attestation))], mutant: cborMutator, check: inCbor },
  {
    name: "tokens",
    sources,
    valid: [joined(['{"alg":"ES256","kid":"a"}', '{"aud":"wallet","exp":1795266000,"sub":"ada"}'])],
    mutant: partsMutator([encodedJson, encodedJson]),
    check: inToken,
  },
  {
    name: "HTTP",
    sources,
    valid: ["GET /customers HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n"],
    mutant: httpMutator,
    check: inHttp,
  },
]
