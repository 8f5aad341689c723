/** The options of a command that has no rules between them. All problems of options and variables are reported at once. Source: D-342. */
import { Effect } from "effect"
import { type CheckedValues, collect } from "./CheckedFlags.ts"
import { unknownVariables } from "./EnvironmentCheck.ts"
import { failWith } from "./Problems.ts"
import { variables } from "./Variables.ts"

export const checkedOptions = Effect.fnUntraced(function* <Options extends object>(values: CheckedValues<Options>) {
  const { options, problems } = collect<Options>(values)
  yield* failWith([...unknownVariables(Object.keys(process.env), variables), ...problems])
  return options
})
