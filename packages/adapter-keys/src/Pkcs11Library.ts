/**
 * The functions of a PKCS#11 library that this adapter calls, by their places in the library's function list.
 * Source: PKCS#11 2.40 (OASIS), `CK_FUNCTION_LIST` of pkcs11f.h and the constants of pkcs11t.h. D-533.
 */
import koffi from "koffi"
import { KeySourceError } from "./KeySourceError.ts"

/** Return values that an operator can do something about. */
const reasons: Readonly<Record<number, string>> = {
  49: "the device has no memory left",
  50: "the device was removed",
  112: "the token does not support HMAC with SHA-256",
  160: "the PIN is wrong",
  163: "the PIN has expired",
  164: "the PIN is locked",
  182: "the session is read-only",
  224: "there is no token",
  257: "the user is not the one that may use the key",
}

/** Unless the value is `CKR_OK` or one of `accepted`. */
export const expectOk = (value: number, call: string, accepted: ReadonlyArray<number> = []): void => {
  if (value === 0 || accepted.includes(value)) return
  throw new KeySourceError(`${call}: ${reasons[value] ?? `the token answers 0x${value.toString(16)}`}`)
}

/** A number that the library writes. */
export type Out = [number | bigint]

type Parameter = string | ReturnType<typeof koffi.pointer> | ReturnType<typeof koffi.out>

const long = "unsigned long"
const bytes = "uint8_t *"
const pointer = "void *"
const out = (type: string) => koffi.out(koffi.pointer(type))
const inout = (type: string) => koffi.inout(koffi.pointer(type))
const attribute = koffi.pointer(koffi.struct({ type: long, value: pointer, length: long }))
const mechanism = koffi.pointer(koffi.struct({ mechanism: long, parameter: pointer, length: long }))

export interface Attribute {
  readonly type: number
  readonly value: Uint8Array
  readonly length: number
}

/** The number of functions in the list of release 2.40. */
const functionsMax = 68

const listIn = (path: string): ReadonlyArray<unknown> => {
  const list: [unknown] = [null]
  try {
    const library = koffi.load(path)
    expectOk(library.func("unsigned long C_GetFunctionList(_Out_ void **list)")(list), "C_GetFunctionList")
  } catch (error) {
    if (error instanceof KeySourceError) throw error
    throw new KeySourceError(`${path} is not a PKCS#11 library that this machine can load`)
  }
  // Behind the version, which takes the space of a pointer.
  return koffi.decode(list[0], 8, koffi.array("void *", functionsMax)) as ReadonlyArray<unknown>
}

/** Loads a library. Windows packs the structures in another way, and is not supported. */
export const loadLibrary = (path: string) => {
  if (process.platform === "win32") throw new KeySourceError("PKCS#11 is supported on Linux and macOS")
  const functions = listIn(path)
  const at = (place: number, ...parameters: ReadonlyArray<Parameter>) => {
    const prototype = koffi.proto(long, [...parameters])
    return (...values: ReadonlyArray<unknown>): number => Number(koffi.call(functions[place], prototype, ...values))
  }
  return {
    initialize: at(0, pointer),
    /** Whether a token is present; the slots, and how many they are. */
    getSlotList: at(4, "uint8_t", out(long), inout(long)),
    getTokenInfo: at(6, long, out("uint8_t")),
    openSession: at(12, long, long, pointer, pointer, out(long)),
    closeSession: at(13, long),
    login: at(18, long, long, bytes, long),
    getAttributes: at(24, long, long, koffi.inout(attribute), long),
    findInit: at(26, long, attribute, long),
    find: at(27, long, out(long), long, inout(long)),
    findFinal: at(28, long),
    signInit: at(42, long, mechanism, long),
    sign: at(43, long, bytes, long, out("uint8_t"), inout(long)),
    generateKey: at(58, long, mechanism, attribute, long, out(long)),
  }
}

export type Pkcs11Library = ReturnType<typeof loadLibrary>
