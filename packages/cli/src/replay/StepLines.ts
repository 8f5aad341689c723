/**
 * What `countersign replay` prints for each step. A path is that of the tape, with references in place of codes and tokens, and a value
 * that may be a secret is left out.
 * Source: D-474.
 */
import { type Json, type PlayedStep, References } from "@countersign/client/tape"
import type { Paint } from "../output/Paint.ts"
import { printable } from "../output/Printable.ts"

const messageMax = 200
const differencesMax = 20
const secretName = /(?:secret|token|password|bundle|signature|otp)\w*$/iu

const shortened = (text: string): string => (text.length > messageMax ? `${text.slice(0, messageMax - 1)}…` : text)

const valueText = (at: string, value: Json | undefined): string => {
  if (value === undefined) return "nothing"
  return secretName.test(at) ? "(not shown)" : shortened(JSON.stringify(value))
}

/** The code and the message of a refusal. */
const refusalOf = (body: Json | undefined): string | undefined => {
  const texts = ["code", "message"].map((name) => References.at(body, name)).filter((text) => typeof text === "string")
  return texts.length === 0 ? undefined : shortened(texts.join(": "))
}

export interface CheckedStep {
  readonly played: PlayedStep
  readonly isAsRecorded: boolean
  /** The bodies are compared as well. */
  readonly withBodies: boolean
}

const durationText = (millis: number): string => (millis === 0 ? "due work was run" : `${millis / 1000} s forward`)

/** The differences of a step, without its status. */
const placesOf = ({ played, withBodies }: CheckedStep) =>
  played._tag === "Call" && withBodies ? played.differences.filter(({ at }) => at !== "status") : []

export const stepText = (inColour: Paint, checked: CheckedStep): string => {
  const { isAsRecorded, played } = checked
  const step = String(played.step).padEnd(4)
  if (played._tag === "Gap")
    return `${step}  ${inColour("yellow", "gap")}  cannot be repeated: ${printable(played.reason)}`
  if (played._tag === "Advance") return `${step}  ${inColour("dim", "clock")}  ${durationText(played.millis)}`
  const { body, call, status } = played
  const places = placesOf(checked)
  const refusal = status === call.answer.status ? undefined : refusalOf(body)
  return [
    [
      `${step}  ${inColour(isAsRecorded ? "green" : "red", String(status))}  ${call.method} ${printable(call.path)}`,
      ...(status === call.answer.status ? [] : [`the tape has ${call.answer.status}`]),
      ...(refusal === undefined ? [] : [printable(refusal)]),
    ].join("  "),
    ...places
      .slice(0, differencesMax)
      .map(({ at, played: now, recorded }) =>
        printable(`      ${at}: ${valueText(at, now)}, the tape has ${valueText(at, recorded)}`),
      ),
    ...(places.length > differencesMax ? [`      and ${places.length - differencesMax} more`] : []),
  ].join("\n")
}

export const stepJson = (checked: CheckedStep): object => {
  const { isAsRecorded, played } = checked
  const { step } = played
  if (played._tag === "Gap") return { step, kind: "GAP", reason: played.reason }
  if (played._tag === "Advance") return { step, kind: "ADVANCE", millis: played.millis }
  const { body, call, status } = played
  const refusal = status === call.answer.status ? undefined : refusalOf(body)
  const differences = placesOf(checked).map(({ at, played: now, recorded }) =>
    secretName.test(at) ? { at } : { at, expected: recorded ?? null, actual: now ?? null },
  )
  return {
    step,
    kind: "CALL",
    method: call.method,
    path: call.path,
    expected: call.answer.status,
    actual: status,
    isAsRecorded,
    ...(refusal === undefined ? {} : { refusal }),
    ...(checked.withBodies ? { differences } : {}),
  }
}
