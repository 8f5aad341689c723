/** What one check of `countersign doctor` found, and what to do about it. Source: D-459. */
import { Effect } from "effect"
import { negativeAnswer } from "../CommandError.ts"
import { type Colour, type Paint, paint } from "../output/Paint.ts"
import { print } from "../output/Print.ts"

export interface Finding {
  /** What was checked. */
  readonly check: string
  /** A problem makes the command end with code 1; a warning does not. */
  readonly status: "ok" | "warning" | "problem" | "skipped"
  readonly text: string
  /** What to do. */
  readonly fix?: string
}

const finding =
  (status: Finding["status"]) =>
  (check: string, text: string, fix?: string): Finding => ({
    check,
    status,
    text,
    ...(fix === undefined ? {} : { fix }),
  })

export const ok = finding("ok")
export const warning = finding("warning")
export const problem = finding("problem")
export const skipped = finding("skipped")

const colours = { ok: "green", warning: "yellow", problem: "red", skipped: "dim" } as const satisfies Record<
  Finding["status"],
  Colour
>

const checkWidth = 16

/** The lines of a finding for people. */
const findingLines = (paint: Paint, { check, fix, status, text }: Finding): string => {
  const head = `${paint(colours[status], status.padEnd(8))}  ${check.padEnd(checkWidth)}  ${text}`
  return fix === undefined ? head : `${head}\n${" ".repeat(checkWidth + 12)}do: ${fix}`
}

/** Prints findings, and fails if any is a problem. */
export const report = Effect.fnUntraced(function* (findings: ReadonlyArray<Finding>, asJson: boolean) {
  const problems = findings.filter(({ status }) => status === "problem").length
  const inColour = yield* paint
  yield* print(asJson, { problems, findings }, () => findings.map((each) => findingLines(inColour, each)).join("\n"))
  if (problems > 0) return yield* negativeAnswer(problems === 1 ? "1 problem" : `${problems} problems`)
})
