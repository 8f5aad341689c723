/**
 * Presents help on standard output, and a wrong invocation as its errors alone on standard error: the help would push them out of sight,
 * and would be on the standard output of a script that reads JSON.
 */
import { Console, Context, Effect } from "effect"
import { CliError, CliOutput, TerminalCapabilities } from "effect/cli"

/** Number of alternatives that are shown; of more, those that are like the value. */
const alternativesMax = 12
const likeMax = 5

const wordsOf = (text: string): ReadonlyArray<string> => text.toUpperCase().match(/[\dA-Z]+/gu) ?? []

/** The alternatives that share most words with the value. */
const likeliest = (value: string, alternatives: ReadonlyArray<string>): ReadonlyArray<string> => {
  const words = wordsOf(value)
  const scored = alternatives.map((each) => ({
    each,
    score: wordsOf(each).filter((word) => words.includes(word)).length,
  }))
  const best = Math.max(...scored.map(({ score }) => score))
  return best === 0 ? [] : scored.flatMap(({ each, score }) => (score === best ? [each] : [])).slice(0, likeMax)
}

/** Says what is expected in place of a value: never a list that hides the message. */
const expectation = (value: string, expected: string): string => {
  const alternatives = expected.split(" | ")
  if (alternatives.length <= alternativesMax) return expected
  const like = likeliest(value, alternatives)
  const which = `one of the ${alternatives.length} values that --help lists`
  return like.length === 0 ? which : `${which}, such as ${like.join(" or ")}`
}

const shortened = (error: CliError.NonShowHelpErrors): CliError.NonShowHelpErrors =>
  error._tag === "InvalidValue"
    ? new CliError.InvalidValue({
        option: error.option,
        value: error.value,
        expected: expectation(error.value, error.expected),
        kind: error.kind,
      })
    : error

/** The formatter of the terminal, which colours as the default one does. */
const formatter = Effect.map(Effect.context<never>(), (context) =>
  CliOutput.defaultFormatter({ colors: Context.get(context, TerminalCapabilities.TerminalCapabilities).canColor }),
)

export const layer = CliOutput.layerPresenter({
  present: Effect.fnUntraced(function* (event) {
    if (event._tag !== "InvalidInvocation") return yield* CliOutput.defaultPresenter.present(event)
    const { formatErrors } = yield* formatter
    yield* Console.error(formatErrors(event.errors.map(shortened)))
    yield* Console.error(`\n  ${event.commandPath.join(" ")} --help shows what is possible`)
  }),
})
