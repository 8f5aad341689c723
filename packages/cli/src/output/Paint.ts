/** Colours of a command's output: only on a terminal, and never with NO_COLOR. */
import { styleText } from "node:util"
import { Effect } from "effect"
import { TerminalCapabilities } from "effect/cli"

export type Colour = "green" | "red" | "yellow" | "dim"

/** Returns the text in a colour, or as it is. */
export type Paint = (colour: Colour, text: string) => string

export const paint: Effect.Effect<Paint> = Effect.map(
  TerminalCapabilities.TerminalCapabilities,
  ({ canColor }): Paint =>
    (colour, text) =>
      canColor ? styleText(colour, text, { validateStream: false }) : text,
)
