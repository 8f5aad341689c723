/**
 * A key in a PKCS#11 token that computes HMAC with SHA-256. It was generated in the token and never leaves it: a key that can be read is
 * refused.
 * Source: PKCS#11 2.40; D-533.
 */
import { readFileSync } from "node:fs"
import { KeySourceError } from "./KeySourceError.ts"
import { type Attribute, expectOk, loadLibrary, type Out, type Pkcs11Library } from "./Pkcs11Library.ts"
import type { Pkcs11Uri } from "./Pkcs11Uri.ts"

const attributes = {
  class: 0,
  isToken: 1,
  isPrivate: 2,
  label: 3,
  keyType: 0x100,
  isSensitive: 0x103,
  canSign: 0x108,
  canVerify: 0x10a,
  valueLength: 0x161,
  isExtractable: 0x162,
  wasAlwaysSensitive: 0x165,
  wasNeverExtractable: 0x164,
} as const
const secretKey = 4
const genericSecret = 0x10
const generateGenericSecret = 0x350
const hmacSha256 = 0x251
const alreadyInitialized = 0x191
const alreadyLoggedIn = 0x100
const serialSession = 4
const readWrite = 2
const user = 1
const macBytes = 32
const keyBytes = 32
const slotsMax = 64

const number = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
const flag = (value: boolean): Uint8Array => Uint8Array.of(value ? 1 : 0)
const attribute = (type: number, value: Uint8Array): Attribute => ({ type, value, length: value.byteLength })
const mechanism = (name: number) => ({ mechanism: name, parameter: null, length: 0 })
const labelOf = (text: string) => Buffer.from(text, "utf8")

const slotOf = (library: Pkcs11Library, token: string): bigint => {
  const slots = new BigUint64Array(slotsMax)
  const count: Out = [slotsMax]
  expectOk(library.getSlotList(1, slots, count), "the list of tokens")
  const found = [...slots.subarray(0, Number(count[0]))].filter((slot) => {
    const info = new Uint8Array(512)
    return (
      library.getTokenInfo(slot, info) === 0 && Buffer.from(info.subarray(0, 32)).toString("utf8").trimEnd() === token
    )
  })
  const [slot] = found
  if (slot === undefined || found.length > 1)
    throw new KeySourceError(
      `there ${found.length === 0 ? "is no token" : "are several tokens"} with the label ${token}`,
    )
  return slot
}

const pinOf = ({ pinSource }: Pkcs11Uri, given: string | undefined): Uint8Array => {
  if (pinSource === undefined) return Buffer.from(given ?? "", "utf8")
  try {
    return Buffer.from(readFileSync(pinSource, "utf8").trimEnd(), "utf8")
  } catch {
    throw new KeySourceError(`the file ${pinSource} with the PIN cannot be read`)
  }
}

/** Opens a session for the time of a call. */
const withSession = <A>(
  uri: Pkcs11Uri,
  pin: string | undefined,
  use: (library: Pkcs11Library, session: number | bigint) => A,
  flags = serialSession,
): A => {
  const library = loadLibrary(uri.modulePath)
  expectOk(library.initialize(null), "the start of the library", [alreadyInitialized])
  const session: Out = [0]
  expectOk(library.openSession(slotOf(library, uri.token), flags, null, null, session), "the session")
  try {
    const bytes = pinOf(uri, pin)
    expectOk(library.login(session[0], user, bytes, bytes.byteLength), "the login", [alreadyLoggedIn])
    return use(library, session[0])
  } finally {
    library.closeSession(session[0])
  }
}

const keysOf = (library: Pkcs11Library, session: number | bigint, label: string): ReadonlyArray<bigint> => {
  const wanted = [attribute(attributes.class, number(secretKey)), attribute(attributes.label, labelOf(label))]
  expectOk(library.findInit(session, wanted, wanted.length), "the search for the key")
  const keys = new BigUint64Array(2)
  const count: Out = [0]
  try {
    expectOk(library.find(session, keys, keys.length, count), "the search for the key")
  } finally {
    library.findFinal(session)
  }
  return [...keys.subarray(0, Number(count[0]))]
}

/** Whether the key was generated in the token, and cannot leave it. */
const isKept = (library: Pkcs11Library, session: number | bigint, key: bigint): boolean => {
  const wasNeverExtractable = new Uint8Array(1)
  const wasAlwaysSensitive = new Uint8Array(1)
  const read = [
    attribute(attributes.wasNeverExtractable, wasNeverExtractable),
    attribute(attributes.wasAlwaysSensitive, wasAlwaysSensitive),
  ]
  expectOk(library.getAttributes(session, key, read, read.length), "the attributes of the key")
  return wasNeverExtractable[0] === 1 && wasAlwaysSensitive[0] === 1
}

/** Returns HMAC-SHA-256 of the text under the key. */
export const macInToken = (uri: Pkcs11Uri, pin: string | undefined, text: string): Uint8Array =>
  withSession(uri, pin, (library, session) => {
    const [key, ...others] = keysOf(library, session, uri.object)
    if (key === undefined || others.length > 0)
      throw new KeySourceError(
        `the token has ${key === undefined ? "no" : "several"} secret keys with the label ${uri.object}`,
      )
    if (!isKept(library, session, key))
      throw new KeySourceError(`the key ${uri.object} could leave the token, or was not generated in it`)
    expectOk(library.signInit(session, mechanism(hmacSha256), key), "the key")
    const data = Buffer.from(text, "utf8")
    const mac = new Uint8Array(2 * macBytes)
    const length: Out = [mac.byteLength]
    expectOk(library.sign(session, data, data.byteLength, mac, length), "the key")
    if (Number(length[0]) !== macBytes) throw new KeySourceError("the token answers with another length")
    return mac.slice(0, macBytes)
  })

/** Generates the key in the token. A label that is taken is refused. */
export const createInToken = (uri: Pkcs11Uri, pin: string | undefined): void =>
  withSession(
    uri,
    pin,
    (library, session) => {
      if (keysOf(library, session, uri.object).length > 0)
        throw new KeySourceError(`the token has a key with the label ${uri.object} already`)
      const template = [
        attribute(attributes.class, number(secretKey)),
        attribute(attributes.keyType, number(genericSecret)),
        attribute(attributes.valueLength, number(keyBytes)),
        attribute(attributes.label, labelOf(uri.object)),
        attribute(attributes.isToken, flag(true)),
        attribute(attributes.isPrivate, flag(true)),
        attribute(attributes.isSensitive, flag(true)),
        attribute(attributes.isExtractable, flag(false)),
        attribute(attributes.canSign, flag(true)),
        attribute(attributes.canVerify, flag(true)),
      ]
      expectOk(
        library.generateKey(session, mechanism(generateGenericSecret), template, template.length, [0]),
        "the new key",
      )
    },
    serialSession | readWrite,
  )
