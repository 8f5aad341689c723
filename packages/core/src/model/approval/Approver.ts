/**
 * An approver: a person who decides about agents' actions on the console, by name and, where the deployment requires it, by passkey.
 * Source: D-352.
 */
import { Schema } from "effect"
import { Passkey } from "../wallet/Credential.ts"

export const Approver = Schema.Struct({
  name: Schema.String,
  /** Registered at the first sign-in that required one. */
  passkey: Schema.optionalKey(Passkey),
})
export type Approver = typeof Approver.Type

/** How a sign-in was proven: by the platform's client secret alone, or also by the approver's passkey. */
export const ApproverProof = Schema.Literals(["SECRET", "PASSKEY"])
export type ApproverProof = typeof ApproverProof.Type

/** Letters, digits and the usual punctuation of names: no control characters and no invisible ones, which could imitate another name. */
const syntax = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,'’@_+-]{0,79}$/u

/** Returns a name in its stored form; `undefined` if it is not valid. */
export const approverName = (text: string): string | undefined => {
  const name = text.normalize("NFKC").trim().replaceAll(/ +/gu, " ")
  return syntax.test(name) ? name : undefined
}

/** The form in which names are compared. */
export const approverKey = (name: string): string => name.toLowerCase()
