/**
 * What `embed` is given, looked at before anything starts: what cannot be meant is refused with every problem at once, also where no compiler
 * looked.
 * Source: D-191, D-275.
 */
import { MemoryStore } from "@countersign/adapter-memory"
import { Layer } from "effect"
import type { EmbedOptions } from "./EmbedOptions.ts"

type Shape = "a layer" | "a string" | "a boolean" | "an array" | "an object"

/** Each with what it has to be; the compiler holds that none is missing here. */
const shapes: Readonly<Record<keyof EmbedOptions, Shape>> = {
  store: "a layer",
  ports: "a layer",
  platforms: "an array",
  sandbox: "a boolean",
  basePath: "a string",
  webhookKey: "a string",
  walletSecret: "a string",
  walletChecks: "an object",
  webhookTransport: "a layer",
  workers: "a boolean",
  metrics: "a boolean",
  settings: "a layer",
}
const needed = ["store", "ports"]

const isOf = (shape: Shape, value: unknown): boolean => {
  if (shape === "a layer") return Layer.isLayer(value)
  return shape === "an array" ? Array.isArray(value) : shape.endsWith(` ${typeof value}`)
}

const problemsOfShape = (given: Readonly<Record<string, unknown>>): ReadonlyArray<string> => [
  ...Object.keys(given)
    .filter((name) => !Object.hasOwn(shapes, name))
    .map((name) => `there is no option ${name}: ${Object.keys(shapes).join(", ")}`),
  ...Object.entries(shapes).flatMap(([name, shape]) => {
    const value = given[name]
    if (value === undefined) return needed.includes(name) ? [`${name} is missing, which has to be ${shape}`] : []
    return isOf(shape, value) ? [] : [`${name} has to be ${shape}`]
  }),
]

/** What Basic credentials cannot carry could never sign in, and a platform that is there once stays. */
const problemsOfPlatforms = ({ platforms = [] }: EmbedOptions): ReadonlyArray<string> => {
  if (!Array.isArray(platforms)) return []
  const ids = platforms.map(({ clientId }) => clientId)
  return [
    ...ids.filter((id, at) => ids.indexOf(id) < at).map((id) => `two platforms have the client id ${id}`),
    ...platforms.flatMap(({ clientId, clientSecret }) => [
      ...(typeof clientId === "string" && /^[^:\p{Cc}]+$/u.test(clientId)
        ? []
        : [`the client id ${JSON.stringify(clientId)} is empty, or has a colon or a control character`]),
      ...(typeof clientSecret === "string" && /^\P{Cc}+$/u.test(clientSecret)
        ? []
        : [`the client secret of ${clientId} is empty, or has a control character`]),
    ]),
  ]
}

const secrets = ["webhookKey", "walletSecret"] as const
const drawn = (given: EmbedOptions) => secrets.filter((name) => given[name] === undefined)

/** Throws, naming every problem. */
export const checkOptions = (given: EmbedOptions): void => {
  const shape = problemsOfShape({ ...given })
  const live =
    given.sandbox === true ? [] : drawn(given).map((name) => `without the sandbox ${name} is not drawn: give one`)
  const problems = [...shape, ...problemsOfPlatforms(given), ...live]
  if (problems.length > 0) throw new Error(`embed: ${problems.join("; ")}`)
}

/** The secrets that the next start would not know, although its store still knows what they made. */
export const forgotten = (given: EmbedOptions): ReadonlyArray<string> =>
  given.store === MemoryStore.layer ? [] : drawn(given)
