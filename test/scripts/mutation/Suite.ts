/**
 * As much of a test runner as the mutated rooms' tests use: groups, tests, tables of both, and what is done before and after a
 * group. It keeps the process, so that a mutant costs milliseconds; `npm test` runs the same files in their real runner.
 */
import { inspect } from "node:util"
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

/** How a test ended; no failure: well. */
export interface TestResult {
  readonly id: string
  readonly millis: number
  readonly failure?: string
}

/** What is told of a test before and after it; `undefined`: it is over. */
type OnTest = (id: string | undefined) => void

const group = (name: string): Group => ({ name, children: [], before: [], after: [] })

/** A row of a table is the arguments, unless it is no list. */
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

const hasAny = (one: Test | Group, wanted: (id: string) => boolean): boolean =>
  "id" in one ? wanted(one.id) : one.children.some((child) => hasAny(child, wanted))

/** The wanted tests of a group, one after the other; whoever has heard enough stops asking. */
async function* runTests(
  one: Test | Group,
  wanted: (id: string) => boolean,
  onTest: OnTest,
): AsyncGenerator<TestResult> {
  if (!hasAny(one, wanted)) return
  if ("id" in one) {
    onTest(one.id)
    const ended = await attempt(one)
    onTest(undefined)
    yield ended
    return
  }
  for (const body of one.before) {
    const ended = await attempt({ id: `${one.name} > before`, run: body })
    if (ended.failure !== undefined) yield ended
  }
  for (const child of one.children) yield* runTests(child, wanted, onTest)
  for (const body of one.after) await body()
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
  const itOne = (name: string, run: () => unknown) => {
    open.children.push({ id: idOf(name), run })
  }
  const each =
    (one: (name: string, body: () => unknown) => void) =>
    (rows: ReadonlyArray<unknown>) =>
    (name: string, body: Body): void => {
      for (const row of rows) one(name, () => body(...argumentsOf(row)))
    }
  const it = Object.assign(itOne, { each: each(itOne) })

  /** What a test file imports as `vitest`. */
  const api: { readonly [name: string]: unknown } = {
    ...vitest,
    describe: Object.assign(describeOne, { each: each(describeOne) }),
    it,
    test: it,
    beforeAll: (body: Body) => void open.before.push(body),
    afterAll: (body: Body) => void open.after.push(body),
  }

  return {
    api,
    /** Loads a file: its tests stand in a group of its name. */
    load: (name: string, file: () => unknown) => inGroup(group(name), file),
    /** Runs the wanted tests in their order, and says how they ended; where it bails, with the first that failed. */
    run: async (
      wanted: (id: string) => boolean,
      options: { readonly bail: boolean; readonly onTest?: OnTest },
    ): Promise<ReadonlyArray<TestResult>> => {
      const all: Array<TestResult> = []
      for await (const ended of runTests(root, wanted, options.onTest ?? (() => {}))) {
        all.push(ended)
        if (options.bail && ended.failure !== undefined) break
      }
      return all
    },
  }
}
