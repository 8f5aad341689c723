/**
 * The answers that an operation has got from ports which consume what they check (a code that is valid once) or start something outside. A
 * conflict repeats the operation's steps; these ports are not asked again.
 * Source: architecture, "Load, ask, decide, commit"; D-322.
 */
import { Context, Effect } from "effect"

/** By question; `undefined` outside of an operation's `ask`. */
export const AskedAnswers = Context.Reference<Map<string, unknown> | undefined>("@countersign/core/AskedAnswers", {
  defaultValue: () => undefined,
})

/** Asks, or returns the answer that this operation has got to the same question. A failure is not kept: it ends the operation. */
export const askOnce = <A, E, R>(question: string, ask: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(AskedAnswers, (answers) => {
    if (answers === undefined) return ask
    if (answers.has(question)) return Effect.succeed(answers.get(question) as A)
    return Effect.tap(ask, (answer) => Effect.sync(() => answers.set(question, answer)))
  })
