/** What the answers of a server of ports mean for its operator. Source: D-534. */
import type { PortFinding } from "@countersign/core/ports"
import { Option, Schema } from "effect"
import { portServerOperations } from "../contract/PortServerOperations.ts"
import type { Lost, RawAnswer } from "./Exchange.ts"

const { answer: answerSchema, path } = portServerOperations.describe

/** Signatures are refused five minutes from now. */
const skewSecondsMax = 60

const described = Schema.decodeUnknownOption(Schema.fromJsonString(answerSchema))

export interface Described extends RawAnswer {
  /** The time (s) at which the question was sent. */
  readonly sentAt: number
  readonly isSigned: boolean
}

const secretFix = "give both sides the same secret, and let the server sign what the guide for ports over HTTP shows"

export const answerFinding = (answer: Described): PortFinding => {
  const { body, isSigned: signed, status } = answer
  if (status === 401) {
    return { status: "problem", text: "the server refuses our signature", fix: secretFix }
  }
  if (status === 404) {
    const text = "the server answers, but does not say which operations it knows"
    return { status: "warning", text, fix: `answer ${path}` }
  }
  if (status !== 200) return { status: "problem", text: `the server answers with ${status}`, fix: "read its log" }
  if (!signed) return { status: "problem", text: "the signature of the answer is not valid", fix: secretFix }
  const decoded = described(new TextDecoder().decode(body))
  if (Option.isNone(decoded)) {
    return { status: "problem", text: `the answer to ${path} is not one of this operation`, fix: "see docs/ports.md" }
  }
  return decoded.value.result.isTest === true
    ? { status: "warning", text: "a test system answers: no real money moves", fix: "name your bank's server" }
    : { status: "ok", text: "the server answers, with valid signatures both ways" }
}

export const clockFinding = ({ date, sentAt }: Described): PortFinding => {
  const theirs = Date.parse(date ?? "") / 1000
  if (Number.isNaN(theirs)) return { status: "ok", text: "the server does not say its time" }
  const skew = Math.round(theirs - sentAt)
  return Math.abs(skew) <= skewSecondsMax
    ? { status: "ok", text: "the server's clock is that of this machine" }
    : {
        status: "problem",
        text: `the server's clock differs by ${skew} s from this machine's`,
        fix: "synchronize both with NTP: signatures are refused five minutes from now",
      }
}

export const lostFinding = ({ reason }: Lost): PortFinding => ({
  status: "problem",
  text: `the server does not answer: ${reason}`,
  fix: "start it, and check its address",
})

export const strangerFinding = ({ status }: RawAnswer): PortFinding =>
  status === 401 || status === 403
    ? { status: "ok", text: "the server refuses the signature of a stranger" }
    : {
        status: status === 200 ? "problem" : "warning",
        text: `the server answers the signature of a stranger with ${status}`,
        fix: "verify the signature before anything else, and answer 401 if it is not valid",
      }

export const operationsFinding =
  (paths: ReadonlyArray<string>) =>
  (answer: Described): PortFinding => {
    const decoded = described(new TextDecoder().decode(answer.body))
    if (answer.status !== 200 || Option.isNone(decoded)) {
      return { status: "warning", text: "not known: the server does not say which operations it has" }
    }
    const absent = paths.filter((each) => !decoded.value.result.operations.includes(each))
    return absent.length === 0
      ? { status: "ok", text: `the server knows ${paths.length === 1 ? "its operation" : "all operations"}` }
      : {
          status: "warning",
          text: `the server does not know ${absent.join(", ")}`,
          fix: "answer them: until then whatever needs them fails with 503",
        }
  }
