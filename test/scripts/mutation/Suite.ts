/**
 * The subset of a test runner that the tests of the mutated rooms use: groups, tests, tables of both, and hooks of groups; and of Effect's
 * own tests those that need no context of a test.
 * All mutants run in one process, so that each costs milliseconds. `npm test` runs the same files in Vitest.
 */
import { inspect } from "node:util"
import * as effectVitest from "@effect/vitest"
import * as vitest from "vitest"

type Body = (...args: ReadonlyArray<unknown>) => unknown

interface Test {
  readonly id: string
  readonly run: () => unknown
}

interface Group {
  readonly name: string
  readonly children: Array<Test | Group>
  readonly before: Array<Body>
  readonly after: Array<Body>
}

/** The result of a test; without a failure it passed. */
export interface TestResult {
  readonly id: string
  readonly millis: number
  readonly failure?: string
}

/** Called with the id of a test before it runs, and with `undefined` after it. */
type OnTest = (id: string | undefined) => void

const group = (name: string): Group => ({ name, children: [], before: [], after: [] })

/** Returns the arguments of a row: its items if it is a list, otherwise the row itself. */
const argumentsOf = (row: unknown): ReadonlyArray<unknown> => (Array.isArray(row) ? row : [row])

const messageOf = (thrown: unknown) => (thrown instanceof Error ? thrown.message : inspect(thrown))

const attempt = async ({ id, run }: Test): Promise<TestResult> => {
  const began = performance.now()
  const failure = await Promise.resolve()
    .then(run)
    .then(() => undefined, messageOf)
  const millis = performance.now() - began
  return failure === undefined ? { id, millis } : { id, millis, failure }
}

const hasAny = (one: Test | Group, isSelected: (id: string) => boolean): boolean =>
  "id" in one ? isSelected(one.id) : one.children.some((child) => hasAny(child, isSelected))

/** Runs hooks, of which only those that fail are results. */
async function* runHooks(id: string, hooks: ReadonlyArray<Body>): AsyncGenerator<TestResult> {
  for (const run of hooks) {
    const ended = await attempt({ id, run })
    if (ended.failure !== undefined) yield ended
  }
}

/** Runs the selected tests of a group one after another; the consumer may stop early. */
async function* runTests(
  one: Test | Group,
  isSelected: (id: string) => boolean,
  onTest: OnTest,
): AsyncGenerator<TestResult> {
  if (!hasAny(one, isSelected)) return
  if ("id" in one) {
    onTest(one.id)
    const ended = await attempt(one)
    onTest(undefined)
    yield ended
    return
  }
  yield* runHooks(`${one.name} > before`, one.before)
  for (const child of one.children) yield* runTests(child, isSelected, onTest)
  yield* runHooks(`${one.name} > after`, one.after)
}

export const makeSuite = () => {
  const root = group("")
  let open = root
  const known = new Set<string>()

  const idOf = (name: string): string => {
    const whole = open.name === "" ? name : `${open.name} > ${name}`
    let id = whole
    for (let count = 2; known.has(id); count += 1) id = `${whole} (${count})`
    known.add(id)
    return id
  }

  const inGroup = (added: Group, body: () => unknown) => {
    const outer = open
    outer.children.push(added)
    open = added
    body()
    open = outer
  }
  const describeOne = (name: string, body: () => unknown) => inGroup(group(idOf(name)), body)
  /** Options, which only Effect's own tests give, are about time. */
  const itOne = (name: string, ...[first, second]: ReadonlyArray<Body | object>) => {
    const run = [first, second].find((given) => typeof given === "function")
    open.children.push({ id: idOf(name), run: () => (typeof run === "function" ? run() : undefined) })
  }
  const each =
    (one: (name: string, body: () => unknown) => void) =>
    (rows: ReadonlyArray<unknown>) =>
    (name: string, body: Body): void => {
      for (const row of rows) one(name, () => body(...argumentsOf(row)))
    }
  const forEach =
    (rows: ReadonlyArray<unknown>) =>
    (name: string, options: object, body: Body): void => {
      for (const row of rows) itOne(name, options, () => body(row))
    }
  const it = Object.assign(itOne, { each: each(itOne), for: forEach })

  const api: { readonly [name: string]: unknown } = {
    ...vitest,
    describe: Object.assign(describeOne, { each: each(describeOne) }),
    it,
    test: it,
    beforeAll: (body: Body) => void open.before.push(body),
    afterAll: (body: Body) => void open.after.push(body),
  }
  const effectIt: unknown = Reflect.apply(effectVitest.makeMethods, undefined, [it])

  return {
    /** The modules of test runners that a test file may import, by name. */
    modules: new Map<string, unknown>([
      ["vitest", api],
      ["@effect/vitest", { ...effectVitest, ...api, it: effectIt }],
    ]),
    /** Loads a file and registers its tests in a group with its name. */
    load: (name: string, file: () => unknown) => inGroup(group(name), file),
    /** Runs the selected tests in order and returns their results; with `bail` it stops after the first failure. */
    run: async (
      isSelected: (id: string) => boolean,
      options: { readonly bail: boolean; readonly onTest?: OnTest },
    ): Promise<ReadonlyArray<TestResult>> => {
      const all: Array<TestResult> = []
      for await (const ended of runTests(root, isSelected, options.onTest ?? (() => {}))) {
        all.push(ended)
        if (options.bail && ended.failure !== undefined) break
      }
      return all
    },
  }
}
