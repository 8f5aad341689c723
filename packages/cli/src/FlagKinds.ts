/** Kinds of options, each with its environment variable. Source: D-342. */
import { Config, Redacted, Schema } from "effect"
import { Flag } from "effect/cli"

/** Returns the help text of an option: its description, default and environment variable. */
export const describe = (description: string, variable: string, defaultValue?: string | number) =>
  `${description} (${defaultValue === undefined ? "" : `default ${defaultValue}, `}COUNTERSIGN_${variable})`

export const text = (name: string, variable: string, description: string, defaultValue?: string) =>
  Flag.String(name).pipe(
    Flag.withFallbackConfig(Config.String(`COUNTERSIGN_${variable}`)),
    Flag.withDescription(describe(description, variable, defaultValue)),
  )

/** A value that help, log and errors never show. */
export const secret = (name: string, variable: string, description: string) =>
  Flag.Redacted(name).pipe(
    Flag.withFallbackConfig(Config.Redacted(`COUNTERSIGN_${variable}`)),
    Flag.filter(
      (value) => Redacted.value(value) !== "",
      () => "a value that is not empty",
    ),
    Flag.withDescription(describe(description, variable)),
  )

export const choice = <const Choices extends ReadonlyArray<string>>(
  name: string,
  choices: Choices,
  variable: string,
  description: string,
) =>
  Flag.Literals(name, choices).pipe(
    Flag.withFallbackConfig(Config.schema(Schema.Literals(choices), `COUNTERSIGN_${variable}`)),
    Flag.withDescription(describe(description, variable, choices[0])),
  )

interface Bounds {
  readonly max: number
  readonly min: number
  readonly what: string
}

const boundedInteger = (
  name: string,
  variable: string,
  description: string,
  { defaultValue, max, min, what }: Bounds & { readonly defaultValue?: number },
) =>
  Flag.Int(name).pipe(
    Flag.withFallbackConfig(Config.Int(`COUNTERSIGN_${variable}`)),
    Flag.filter(
      (value) => value >= min && value <= max,
      () => `${what} from ${min} to ${max}`,
    ),
    Flag.withDescription(describe(description, variable, defaultValue)),
  )

/** An integer within bounds. */
export const integer = (
  name: string,
  variable: string,
  description: string,
  bounds: Bounds & { readonly defaultValue: number },
) => boundedInteger(name, variable, description, bounds).pipe(Flag.withDefault(bounds.defaultValue))

/** An integer within bounds, or nothing. */
export const optionalInteger = (name: string, variable: string, description: string, bounds: Bounds) =>
  boundedInteger(name, variable, description, bounds).pipe(Flag.optional)

/** An option that may be repeated. Commas separate the values in its environment variable. */
export const repeatable = (name: string, variable: string, description: string) => {
  const separated = Config.map(Config.String(`COUNTERSIGN_${variable}`), (values) =>
    values
      .split(",")
      .map((value) => value.trim())
      .filter((value) => value !== ""),
  )
  return Flag.String(name).pipe(
    Flag.withDescription(`${describe(description, variable)}; may be repeated, with commas in the variable`),
    Flag.atLeast(1),
    Flag.withFallbackConfig(separated),
    Flag.withDefault([]),
  )
}
