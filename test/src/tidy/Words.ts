/**
 * Words that no source contains: hidden time and randomness, unsafe types, silenced checks, tests that do not run.
 * Source: architecture, "Four principles" and "Names and habits"; each exception is data, with its reason.
 */
import { isPackageSource, type SourceFile } from "./Repository.ts"
import { type Views, viewsOf } from "./Views.ts"

interface WordRule {
  readonly name: string
  readonly pattern: RegExp
  /** Where it is looked for: in code, in code with its strings, or in comments. */
  readonly view: keyof Views
  readonly applies: (path: string) => boolean
}

/** A file, or a folder with a slash at its end, in which a rule does not hold, and why. */
export interface Exception {
  readonly rule: string
  readonly path: string
  readonly reason: string
}

const inPackages = isPackageSource
const inTests = (path: string) => path.startsWith("test/")
const everywhere = () => true
const outsideSandbox = (path: string) =>
  isPackageSource(path) && !/^packages\/(?:core\/src\/sandbox|cli\/src)\//u.test(path)

export const wordRules: ReadonlyArray<WordRule> = [
  {
    name: "time without a clock",
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/gu,
    view: "code",
    applies: inPackages,
  },
  {
    name: "chance without a service",
    pattern: /\bMath\.random\b|\bcrypto\.(?:randomUUID|getRandomValues)\b/gu,
    view: "code",
    applies: inPackages,
  },
  { name: "console", pattern: /\bconsole\s*\./gu, view: "code", applies: inPackages },
  { name: "timer", pattern: /\bset(?:Timeout|Interval|Immediate)\s*\(/gu, view: "code", applies: inPackages },
  { name: "any", pattern: /(?<!\.)\bany\b(?!\s*[(:.])/gu, view: "code", applies: everywhere },
  { name: "double assertion", pattern: /\bas\s+unknown\s+as\b/gu, view: "code", applies: everywhere },
  { name: "non-null assertion", pattern: /[\w)\]}"'`]!(?![=])/gu, view: "code", applies: everywhere },
  {
    name: "silenced check",
    pattern: /@ts-(?:ignore|expect-error|nocheck)|biome-ignore|@effect-diagnostics/gu,
    view: "comments",
    applies: everywhere,
  },
  {
    name: "test that does not run",
    pattern: /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:skip|only|todo|fails|skipIf|runIf)\b/gu,
    view: "code",
    applies: inTests,
  },
  { name: "wait", pattern: /\bset(?:Timeout|Interval)\s*\(|\bEffect\.sleep\s*\(/gu, view: "code", applies: inTests },
  {
    name: "sandbox branch",
    pattern: /\bisSandbox\b|\bsandboxMode\b|[=!]==\s*"sandbox"|\b(?:if|switch)\s*\([^)]*sandbox/giu,
    view: "literal",
    applies: outsideSandbox,
  },
]

/** The exceptions. One for a file that does not need it any more is itself a problem; one for a folder is standing. */
export const exceptions: ReadonlyArray<Exception> = [
  { rule: "wait", path: "test/src/webhook/", reason: "Receivers on real sockets: a slow one is part of the case." },
  {
    rule: "wait",
    path: "test/src/e2e/",
    reason: "A process started for the test is asked until it is ready, within a bound.",
  },
  {
    rule: "timer",
    path: "packages/adapter-http/src/server/NodeServer.ts",
    reason: "Closing a node:http server is bounded outside of any fiber.",
  },
  {
    rule: "timer",
    path: "packages/adapter-http/src/server/SocketAnswers.ts",
    reason: "A connection that got its last answer is closed outside of any fiber.",
  },
  {
    rule: "timer",
    path: "packages/adapter-http/src/webhook/Http2Connections.ts",
    reason: "A connection without deliveries closes outside of any fiber, by its own timer.",
  },
  {
    rule: "timer",
    path: "packages/adapter-http/src/server/Admission.ts",
    reason: "Requests that wait start outside of any fiber, between two turns of the event loop.",
  },
  {
    rule: "time without a clock",
    path: "packages/adapter-http/src/server/Admission.ts",
    reason:
      "It measures the turns of the event loop, and a clock that a sandbox moves would not. Its tests bring their own.",
  },
  ...["verifyWebhook.ts", "WebhookKeys.ts"].map((file) => ({
    rule: "time without a clock",
    path: `packages/client/src/webhook/${file}`,
    reason: "Receivers need no Effect: the system's clock is the default of the option `now`.",
  })),
  {
    rule: "wait",
    path: "test/scripts/mutation/OwnTime.ts",
    reason: "The runner of mutants ends a test that has had its time.",
  },
  { rule: "wait", path: "test/src/hostile/", reason: "Real sockets: clients that stall or trickle are the case." },
  { rule: "wait", path: "test/src/faults/Network.ts", reason: "A network that takes its time is the case." },
  {
    rule: "wait",
    path: "test/src/mutation/sql/SqlMutation.test.ts",
    reason: "A mutant that runs in circles has an end.",
  },
  { rule: "wait", path: "test/src/history/HistoryRun.ts", reason: "A network that is silent for a time is the case." },
  {
    rule: "wait",
    path: "test/src/cluster/nodes/Nodes.test.ts",
    reason: "Heartbeats at servers that run are waited for.",
  },
  {
    rule: "wait",
    path: "test/src/bench/MovesBench.ts",
    reason: "A client that is refused pauses before it sends again.",
  },
  { rule: "wait", path: "test/src/wire/", reason: "Real sockets: a client that stalls is part of the case." },
]

const lineOf = (text: string, at: number) => text.slice(0, at).split("\n").length

const excuses = (exception: Exception, rule: string, path: string) =>
  exception.rule === rule &&
  (exception.path === path || (exception.path.endsWith("/") && path.startsWith(exception.path)))

const found = ({ path, text }: SourceFile) => {
  const views = viewsOf(text)
  return wordRules
    .filter((rule) => rule.applies(path))
    .flatMap(({ name, pattern, view }) =>
      [...views[view].matchAll(pattern)].map((match) => ({ name, at: match.index, word: match[0].trim() })),
    )
}

/** The forbidden words of a source, but for the exceptions. */
export const problemsOfWords = (
  file: SourceFile,
  excused: ReadonlyArray<Exception> = exceptions,
): ReadonlyArray<string> =>
  found(file)
    .filter(({ name }) => !excused.some((exception) => excuses(exception, name, file.path)))
    .map(({ at, name, word }) => `${file.path}:${lineOf(file.text, at)}: ${name}: ${word}`)

/** Exceptions without a reason, for an unknown rule, or that no source needs. */
export const problemsOfExceptions = (
  files: ReadonlyArray<SourceFile>,
  excused: ReadonlyArray<Exception> = exceptions,
): ReadonlyArray<string> =>
  excused.flatMap((exception) => {
    const { path, reason, rule } = exception
    if (!wordRules.some(({ name }) => name === rule)) return [`no rule is called ${rule}`]
    if (reason.trim() === "") return [`${path} is excused from ${rule} without a reason`]
    if (path.endsWith("/")) return []
    const needs = files.some((file) => found(file).some(({ name }) => excuses(exception, name, file.path)))
    return needs ? [] : [`${path} is excused from ${rule}, which it does not need`]
  })
