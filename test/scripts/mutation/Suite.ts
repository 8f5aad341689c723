/**
 * The subset of a test runner that the tests of the mutated rooms use: groups, tests, tables of both, and hooks; and of Effect's
 * own tests those that need no context of a test. A test that needs a database is left out.
 * All mutants run in one process, so that each costs milliseconds. `npm test` runs the same files in Vitest.
 */
import { inspect } from "node:util"
import * as effectVitest from "@effect/vitest"
import * as vitest from "vitest"
import { isForDatabase } from "./NoDatabase.ts"
import { afterOwnTime } from "./OwnTime.ts"

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
  readonly beforeEach: Array<Body>
  readonly afterEach: Array<Body>
}

/** The result of a test; without a failure it passed. One that has not ended in time may still be running. */
export interface TestResult {
  readonly id: string
  readonly millis: number
  readonly failure?: string
  readonly isLate?: boolean
}

interface RunOptions {
  readonly isSelected: (id: string) => boolean
  /** Ends the run after the first failure. */
  readonly bail: boolean
  /** Called with the id of a test before it runs, and with `undefined` after it. */
  readonly onTest?: (id: string | undefined) => void
  /** How many milliseconds a test may take, after which it has failed. The files that may take least run first. */
  readonly limitOf?: (id: string) => number
}

const group = (name: string): Group => ({ name, children: [], before: [], after: [], beforeEach: [], afterEach: [] })

/** Returns the arguments of each row: its items if all rows are lists, otherwise the row itself. */
const argumentsOf = (rows: ReadonlyArray<unknown>): ReadonlyArray<ReadonlyArray<unknown>> =>
  rows.every((row) => Array.isArray(row)) ? rows : rows.map((row) => [row])

/** The message of an error and of its causes: a property has the failure of its last case as a cause. */
const messageOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return inspect(thrown)
  return thrown.cause === undefined ? thrown.message : `${thrown.message}\n${messageOf(thrown.cause)}`
}

/** Runs one after another until one fails. */
const inOrder = async (bodies: ReadonlyArray<Body>): Promise<void> => {
  for (const body of bodies) await body()
}

const late = Symbol("late")

const attempt = async (id: string, body: Body, limitMillis?: number): Promise<TestResult> => {
  const began = performance.now()
  const ended = Promise.resolve()
    .then(body)
    .then(() => undefined, messageOf)
  const limit = Promise.withResolvers<typeof late>()
  const timer = limitMillis === undefined ? undefined : afterOwnTime(limitMillis, () => limit.resolve(late))
  const failure = await Promise.race([ended, limit.promise])
  timer?.stop()
  const millis = performance.now() - began
  if (failure === late) return { id, millis, failure: `has not ended after ${limitMillis} ms`, isLate: true }
  return failure === undefined ? { id, millis } : { id, millis, failure }
}

const testsOf = (one: Test | Group): ReadonlyArray<string> => ("id" in one ? [one.id] : one.children.flatMap(testsOf))

/** Runs hooks, of which only those that fail are results. */
async function* runHooks(id: string, hooks: ReadonlyArray<Body>): AsyncGenerator<TestResult> {
  for (const run of hooks) {
    const ended = await attempt(id, run)
    if (ended.failure !== undefined) yield ended
  }
}

interface EachHooks {
  readonly beforeEach: ReadonlyArray<Body>
  readonly afterEach: ReadonlyArray<Body>
}

const runTest = async ({ id, run }: Test, each: EachHooks, { limitOf, onTest }: RunOptions): Promise<TestResult> => {
  onTest?.(id)
  const ended = await attempt(
    id,
    async () => {
      try {
        await inOrder([...each.beforeEach, run])
      } finally {
        await inOrder(each.afterEach)
      }
    },
    limitOf?.(id),
  )
  onTest?.(undefined)
  return ended
}

/** Runs the selected tests of a group one after another; the consumer may stop early. */
async function* runTests(one: Test | Group, each: EachHooks, options: RunOptions): AsyncGenerator<TestResult> {
  if (!testsOf(one).some(options.isSelected)) return
  if ("id" in one) {
    const ended = await runTest(one, each, options)
    if (!isForDatabase(ended.failure)) yield ended
    return
  }
  for await (const failed of runHooks(`${one.name} > before`, one.before)) {
    if (isForDatabase(failed.failure)) return
    yield failed
  }
  const inner = {
    beforeEach: [...each.beforeEach, ...one.beforeEach],
    afterEach: [...one.afterEach.toReversed(), ...each.afterEach],
  }
  for (const child of one.children) yield* runTests(child, inner, options)
  for await (const failed of runHooks(`${one.name} > after`, one.after))
    if (!isForDatabase(failed.failure)) yield failed
}

/** What is done for every file. */
export interface SuiteHooks {
  readonly afterEach: () => void
  readonly afterFile: () => void
}

const noHooks: SuiteHooks = { afterEach: () => undefined, afterFile: () => undefined }

export const makeSuite = ({ afterEach, afterFile }: SuiteHooks = noHooks) => {
  const root = group("")
  let open = root
  /** What the running test does at its end. */
  const finished: Array<Body> = []
  root.afterEach.push(() => inOrder(finished.splice(0).toReversed()), afterEach)
  const known = new Set<string>()

  const idOf = (name: string): string => {
    const whole = open.name === "" ? name : `${open.name} > ${name}`
    let id = whole
    for (let count = 2; known.has(id); count += 1) id = `${whole} (${count})`
    known.add(id)
    return id
  }

  /** Makes a group the open one. Returns what opens the one before it again. */
  const enter = (added: Group) => {
    const outer = open
    outer.children.push(added)
    open = added
    return () => {
      open = outer
    }
  }
  const inGroup = (added: Group, body: () => unknown) => {
    const leave = enter(added)
    body()
    leave()
  }
  /** The function among the arguments of a test or group. The others are options, which are about time. */
  const bodyOf = (given: ReadonlyArray<unknown>): Body => {
    const found = given.find((each) => typeof each === "function")
    return (...args) => (typeof found === "function" ? found(...args) : undefined)
  }
  const describeOne = (name: string, ...given: ReadonlyArray<unknown>) => inGroup(group(idOf(name)), bodyOf(given))
  const itOne = (name: string, ...given: ReadonlyArray<unknown>) => {
    const run = bodyOf(given)
    open.children.push({ id: idOf(name), run: () => run() })
  }
  const each =
    (one: (name: string, body: () => unknown) => void) =>
    (rows: ReadonlyArray<unknown>) =>
    (name: string, ...given: ReadonlyArray<unknown>): void => {
      for (const row of argumentsOf(rows)) one(name, () => bodyOf(given)(...row))
    }
  const forEach =
    (rows: ReadonlyArray<unknown>) =>
    (name: string, options: object, body: Body): void => {
      for (const row of rows) itOne(name, options, () => body(row))
    }
  const it = Object.assign(itOne, { each: each(itOne), for: forEach })

  const api: { readonly [name: string]: unknown } = {
    ...vitest,
    // Its settings are about time, and it asks the runner of the process for them.
    vi: { ...vitest.vi, setConfig: () => undefined, resetConfig: () => undefined },
    describe: Object.assign(describeOne, { each: each(describeOne) }),
    it,
    test: it,
    beforeAll: (body: Body) => void open.before.push(body),
    afterAll: (body: Body) => void open.after.push(body),
    beforeEach: (body: Body) => void open.beforeEach.push(body),
    afterEach: (body: Body) => void open.afterEach.push(body),
    onTestFinished: (body: Body) => void finished.push(body),
  }
  const effectIt: unknown = Reflect.apply(effectVitest.makeMethods, undefined, [it])

  return {
    /** The modules of test runners that a test file may import, by name. */
    modules: new Map<string, unknown>([
      ["vitest", api],
      ["@effect/vitest", { ...effectVitest, ...api, it: effectIt }],
    ]),
    /** Loads a file and registers its tests in a group with its name. */
    load: async (name: string, file: () => unknown): Promise<void> => {
      const leave = enter({ ...group(name), after: [afterFile] })
      await file()
      leave()
    },
    /** The names of all tests that were loaded. */
    names: () => testsOf(root),
    /** Runs the selected tests and returns their results. */
    run: async (options: RunOptions): Promise<ReadonlyArray<TestResult>> => {
      const all: Array<TestResult> = []
      const { isSelected, limitOf } = options
      const cost = (one: Test | Group) =>
        testsOf(one).reduce((sum, id) => sum + (isSelected(id) ? (limitOf?.(id) ?? 0) : 0), 0)
      const children = root.children
        .map((one) => ({ one, millis: cost(one) }))
        .toSorted((a, b) => a.millis - b.millis)
        .map(({ one }) => one)
      for await (const ended of runTests({ ...root, children }, { beforeEach: [], afterEach: [] }, options)) {
        all.push(ended)
        if (options.bail && ended.failure !== undefined) break
      }
      return all
    },
  }
}
