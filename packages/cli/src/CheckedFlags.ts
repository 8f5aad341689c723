/**
 * Reads all options before it reports a problem, so that an operator sees every problem at once. A problem names the option or the
 * variable that gave the value.
 * Source: D-342.
 */
import { ConfigProvider, Effect, Result } from "effect"
import { type CliError, type Flag, Param } from "effect/cli"
import type { Problem } from "./Problems.ts"

/** The value of an option, and how it was given: `--port` or `COUNTERSIGN_PORT`. */
export interface Checked<out A> {
  /** The value as if the option were absent, if there is a problem. */
  readonly value: A
  readonly source: string
  readonly problem: string | undefined
}

const prefix = "COUNTERSIGN_"

/** The environment variable of an option. */
const variableOf = (flagName: string): string => `${prefix}${flagName.toUpperCase().replaceAll("-", "_")}`

/** The name of an option, without its hyphens. */
const nameOf = (flag: Flag.Flag<unknown>): string => {
  let param: unknown = flag
  while (!(Param.isParam(param) && Param.isSingle(param))) {
    param = typeof param === "object" && param !== null && "param" in param ? param.param : undefined
    if (param === undefined) throw new TypeError("An option without a name.")
  }
  return param.name
}

const noVariables = ConfigProvider.fromEnv({ env: {} })

/** Says what is wrong with a value. The value of a secret is `<redacted>`. */
const problemOf = (source: string, error: CliError.CliError): string => {
  if (error._tag !== "InvalidValue") return `${source}: ${error.message}`
  const expected = error.expected.replace(/^Expected:? /u, "").replaceAll(/\s+/gu, " ")
  const value = error.value === "<redacted>" ? "" : `: "${error.value}"`
  return `Invalid value for ${source}${value}. Expected: ${expected}`
}

/** Returns an option whose invalid value is a problem of its result, and not a failure of the command line. */
const checked = <A>(flag: Flag.Flag<A>): Flag.Flag<Checked<A>> => {
  const name = nameOf(flag)
  const parse: Param.Parse<Checked<A>> = Effect.fnUntraced(function* (args) {
    const raw = process.env[variableOf(name)]
    const isGiven = (args.flags[name] ?? []).length > 0
    const source = isGiven || raw === undefined ? `--${name}` : variableOf(name)
    const parsed = yield* Effect.result(flag.parse(args))
    if (Result.isSuccess(parsed)) {
      const [leftover, value] = parsed.success
      return [leftover, { value, source, problem: undefined }] as const
    }
    // A value of the environment is read again like one of the command line, for the same words.
    const again = { flags: { [name]: [raw ?? ""] }, arguments: [] }
    const error = isGiven ? parsed : yield* Effect.result(flag.parse(again))
    const problem = problemOf(source, Result.isFailure(error) ? error.failure : parsed.failure)
    const absent = flag.parse({ flags: {}, arguments: args.arguments })
    const [leftover, value] = yield* Effect.provideService(absent, ConfigProvider.ConfigProvider, noVariables)
    return [leftover, { value, source, problem }] as const
  })
  return Object.assign(Object.create(Object.getPrototypeOf(flag)), flag, { parse })
}

/** Options of a command by the names of their values. */
export type CheckedFlags<Options> = { readonly [K in keyof Options]: Flag.Flag<Checked<Options[K]>> }

/** Returns the options of a command, each checked. */
export const checkedFlags = <Options extends object>(
  flags: {
    readonly [K in keyof Options]: Flag.Flag<Options[K]>
  },
): CheckedFlags<Options> =>
  Object.fromEntries(
    Object.entries<Flag.Flag<unknown>>(flags).map(([key, flag]) => [key, checked(flag)]),
  ) as CheckedFlags<Options>

/** The variables of checked options. */
export const variablesOf = (flags: { readonly [key: string]: Flag.Flag<unknown> }): ReadonlyArray<string> =>
  Object.values(flags).map((flag) => variableOf(nameOf(flag)))

/** Parsed options of a command. */
export type CheckedValues<Options> = { readonly [K in keyof Options]: Checked<Options[K]> }

/** The options of a command, the source of each, and the problems of their values. */
export interface Collected<Options> {
  readonly options: Options
  readonly sources: { readonly [K in keyof Options]: string }
  readonly problems: ReadonlyArray<Problem<keyof Options>>
}

export const collect = <Options extends object>(values: CheckedValues<Options>): Collected<Options> => {
  const entries = Object.entries<Checked<unknown>>(values)
  const pick = (part: (checked: Checked<unknown>) => unknown) =>
    Object.fromEntries(entries.map(([key, each]) => [key, part(each)]))
  return {
    options: pick(({ value }) => value) as Options,
    sources: pick(({ source }) => source) as Collected<Options>["sources"],
    problems: entries.flatMap(([key, { problem }]) =>
      problem === undefined ? [] : [{ reason: "usage", message: problem, concerns: [key as keyof Options] } as const],
    ),
  }
}
