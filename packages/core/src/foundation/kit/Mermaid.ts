/** Draws a machine's table as a Mermaid state diagram. */
import type { Machine } from "./Machine.ts"

/** Returns the text of the diagram, with the events of each arrow behind a slash. */
export const diagram = <S extends string, T extends string, E extends string>(machine: Machine<S, T, E>): string =>
  [
    "stateDiagram-v2",
    ...machine.arrows.map(({ emits, from, to, trigger }) => {
      const events = emits.length === 0 ? "" : ` / ${emits.join(", ")}`
      return `  ${from ?? "[*]"} --> ${to}: ${trigger}${events}`
    }),
    ...machine.terminals.map((state) => `  ${state} --> [*]`),
  ].join("\n")
