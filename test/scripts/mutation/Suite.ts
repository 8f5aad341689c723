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
  readonly id: string
  readonly tests: Array<Test>
  readonly groups: Array<Group>
  readonly before: Array<Body>
  readonly after: Array<Body>
}

/** How a test ended; no failure: well. */
export interface Ended {
  readonly id: string
  readonly millis: number
  readonly failure?: string
}

const group = (id: string): Group => ({ id, tests: [], groups: [], before: [], after: [] })

/** A row of a table is the arguments, unless it is no list. */
const argumentsOf = (row: unknown): ReadonlyArray<unknown> => (Array.isArray(row) ? row : [row])

const messageOf = (thrown: unknown) => (thrown instanceof Error ? thrown.message : inspect(thrown))

export const suite = () => {
  const root = group("")
  let open = root
  const known = new Set<string>()

  const idOf = (name: string): string => {
    const whole = open.id === "" ? name : `${open.id} > ${name}`
    let id = whole
    for (let count = 2; known.has(id); count += 1) id = `${whole} (${count})`
    known.add(id)
    return id
  }

  const inGroup = (added: Group, body: () => unknown) => {
    const outer = open
    outer.groups.push(added)
    open = added
    body()
    open = outer
  }
  const describeOne = (name: string, body: () => unknown) => inGroup(group(idOf(name)), body)
  const itOne = (name: string, run: () => unknown) => {
    open.tests.push({ id: idOf(name), run })
  }
  const each =
    (one: (name: string, body: () => unknown) => void) =>
    (rows: ReadonlyArray<unknown>) =>
    (name: string, body: Body): void => {
      for (const row of rows) one(name, () => body(...argumentsOf(row)))
    }
  const it = Object.assign(itOne, { each: each(itOne) })

  /** What a test file imports as `vitest`. */
  const api = {
    ...vitest,
    describe: Object.assign(describeOne, { each: each(describeOne) }),
    it,
    test: it,
    beforeAll: (body: Body) => void open.before.push(body),
    afterAll: (body: Body) => void open.after.push(body),
  }

  const runGroup = async (
    { after, before, groups, tests }: Group,
    wanted: (id: string) => boolean,
    onTest: (id: string | undefined) => void,
    bail: boolean,
    ended: Array<Ended>,
  ): Promise<void> => {
    const isOver = () => bail && ended.some(({ failure }) => failure !== undefined)
    const chosen = tests.filter(({ id }) => wanted(id))
    const attempt = async (id: string, run: () => unknown) => {
      const began = performance.now()
      const failure = await Promise.resolve()
        .then(run)
        .then(() => undefined, messageOf)
      const millis = performance.now() - began
      return { id, millis, ...(failure === undefined ? {} : { failure }) }
    }
    const hasAny = (one: Group): boolean => one.tests.some(({ id }) => wanted(id)) || one.groups.some(hasAny)
    if (!hasAny({ id: "", after, before, groups, tests }) || isOver()) return
    const opened = await Promise.all(before.map((body) => attempt("before", body)))
    ended.push(...opened.filter(({ failure }) => failure !== undefined))
    for (const { id, run } of chosen) {
      if (isOver()) break
      onTest(id)
      ended.push(await attempt(id, run))
      onTest(undefined)
    }
    for (const inner of groups) await runGroup(inner, wanted, onTest, bail, ended)
    for (const body of after) await body()
  }

  return {
    api,
    /** Loads a file: its tests stand in a group of its name. */
    load: (name: string, file: () => unknown) => inGroup(group(name), file),
    /** Runs the tests that are wanted, in their order, and says how they ended. */
    run: async (
      wanted: (id: string) => boolean,
      options: { readonly bail: boolean; readonly onTest?: (id: string | undefined) => void },
    ): Promise<ReadonlyArray<Ended>> => {
      const ended: Array<Ended> = []
      await runGroup(root, wanted, options.onTest ?? (() => {}), options.bail, ended)
      return ended
    },
  }
}
