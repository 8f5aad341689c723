/** The options of `countersign serve` as the checks of a start take them: all absent, except for those that a test gives. */
import { ConfigProvider, Effect, Option, Redacted } from "effect"
import type { Flag } from "effect/cli"
import { type Checked, type CheckedValues, type Collected, collect } from "../../../packages/cli/src/CheckedFlags.ts"
import { platform } from "../../../packages/cli/src/Platform.ts"
import { type ServeOptions, serveFlags } from "../../../packages/cli/src/ServeFlags.ts"

const absent = (flag: Flag.Flag<Checked<unknown>>) =>
  Effect.map(flag.parse({ flags: {}, arguments: [] }), ([, value]) => value)

const flags: Readonly<Record<string, Flag.Flag<Checked<unknown>>>> = serveFlags
const parsed = await Effect.all(
  Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, absent(flag)])),
).pipe(Effect.provide([platform, ConfigProvider.layer(ConfigProvider.fromEnv({ env: {} }))]), Effect.runPromise)

/** All options, without a value of their own. */
const absentOptions = collect<ServeOptions>(parsed as CheckedValues<ServeOptions>)

/** The options with these values; `sources` says how some were given. */
export const optionsWith = (
  given: Partial<ServeOptions>,
  sources: Partial<Collected<ServeOptions>["sources"]> = {},
): Collected<ServeOptions> => ({
  options: { ...absentOptions.options, ...given },
  sources: { ...absentOptions.sources, ...sources },
  problems: [],
})

/** An optional value that is given. */
export const some = Option.some

/** A secret that is given. */
export const secret = (text: string) => Option.some(Redacted.make(text))

/** The option of a secret. What follows it in a test would be taken for one that the repository shows. */
export const secretFlag = (whose: "client" | "wallet"): string => `--${whose}-secret`
