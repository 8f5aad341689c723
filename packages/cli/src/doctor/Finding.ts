/** What one check of `countersign doctor` found, and what to do about it. Source: D-459. */
import type { Colour, Paint } from "../output/Paint.ts"

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
export const findingLines = (paint: Paint, { check, fix, status, text }: Finding): string => {
  const head = `${paint(colours[status], status.padEnd(8))}  ${check.padEnd(checkWidth)}  ${text}`
  return fix === undefined ? head : `${head}\n${" ".repeat(checkWidth + 12)}do: ${fix}`
}
