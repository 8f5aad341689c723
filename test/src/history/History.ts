/** Records what clients call and receive, in one sequence of beginnings and ends, and finds what contradicts the models. */
import { isDeepStrictEqual } from "node:util"
import { type Call, linearizable, type Model } from "./Linearizability.ts"

/** The calls of one record, whose model says what may be answered. */
export interface Subject<Input, Output> {
  readonly name: string
  readonly calls: Array<Call<Input, Output>>
  /** Returns a sentence if the answers are possible in no order. */
  readonly problem: () => string | undefined
}

const shownMax = 300

const shown = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")).slice(0, shownMax)

const stuckMax = 5

const subject = <State, Input, Output>(name: string, model: Model<State, Input, Output>): Subject<Input, Output> => {
  const calls: Array<Call<Input, Output>> = []
  const problem = () => {
    const verdict = linearizable(model, calls)
    if (verdict._tag === "Linearizable") return undefined
    if (verdict._tag === "Undecided") return `${name}: no order of ${calls.length} calls was found in time`
    const stuck = verdict.stuck.slice(0, stuckMax).map(({ input, output }) => `${shown(input)} = ${shown(output)}`)
    return `${name}: the answers fit in no order: after ${verdict.ordered} calls it is ${shown(verdict.state)}, where none of these is possible: ${stuck.join(", ")}`
  }
  return { name, calls, problem }
}

/** A set to which records are added, and which is listed as a whole. */
export interface Listed {
  readonly name: string
  readonly adds: Array<Call<string, string>>
  readonly lists: Array<Call<undefined, ReadonlyArray<string>>>
}

/** Each list has what was added before it began, nothing that was added after it ended, nothing twice, and nothing unasked. */
const listProblems = ({ adds, lists, name }: Listed): ReadonlyArray<string> => {
  const known = new Set(adds.flatMap((add) => (add.output === undefined ? [] : [add.output])))
  const unanswered = adds.filter(({ output }) => output === undefined).length
  return lists.flatMap(({ begun, ended, output }) => {
    if (output === undefined) return []
    const there = new Set(output)
    const missing = adds.filter((add) => add.ended < begun && add.output !== undefined && !there.has(add.output))
    const early = adds.filter((add) => add.begun > ended && add.output !== undefined && there.has(add.output))
    const unknown = output.filter((id) => !known.has(id))
    return [
      ...missing.map(({ output: id }) => `${name}: a list that began after ${id} was answered does not have it`),
      ...early.map(({ output: id }) => `${name}: a list has ${id}, which was requested after it`),
      ...(there.size === output.length ? [] : [`${name}: a list has a record twice`]),
      ...(unknown.length <= unanswered ? [] : [`${name}: a list has ${unknown[0]}, which nobody requested`]),
    ]
  })
}

/** An answer under an idempotency key. */
interface Answer {
  readonly status: number
  readonly body: unknown
}

export interface History {
  /** Runs a call and records it. `run` returns `undefined` if it was not answered. */
  readonly call: <Input, Output>(
    calls: Array<Call<Input, Output>>,
    input: Input,
    run: () => Promise<Output | undefined>,
  ) => Promise<Call<Input, Output>>
  readonly list: (name: string) => Listed
  readonly add: <State, Input, Output>(name: string, model: Model<State, Input, Output>) => Subject<Input, Output>
  /** Every answer under this key must be this one. */
  readonly keyed: (key: string, answer: Answer) => void
  /** Something that no document allows. */
  readonly report: (problem: string) => void
  readonly counts: () => { readonly calls: number; readonly unanswered: number }
  readonly problems: () => ReadonlyArray<string>
}

export const newHistory = (): History => {
  const subjects: Array<{ readonly problem: () => string | undefined }> = []
  const listed: Array<Listed> = []
  const answers = new Map<string, Answer>()
  const reported: Array<string> = []
  const counts = { calls: 0, unanswered: 0 }
  let now = 0
  return {
    call: async (calls, input, run) => {
      const begun = ++now
      const output = await run()
      counts.calls += 1
      if (output === undefined) counts.unanswered += 1
      const call = { input, begun, ended: output === undefined ? Number.POSITIVE_INFINITY : ++now, output }
      calls.push(call)
      return call
    },
    list: (name) => {
      const made: Listed = { name, adds: [], lists: [] }
      listed.push(made)
      return made
    },
    add: (name, model) => {
      const made = subject(name, model)
      subjects.push(made)
      return made
    },
    keyed: (key, answer) => {
      const before = answers.get(key)
      if (before !== undefined && !isDeepStrictEqual(before, answer))
        reported.push(`${key} was answered ${shown(before)}, and then ${shown(answer)}`)
      answers.set(key, answer)
    },
    report: (problem) => void reported.push(problem),
    counts: () => counts,
    problems: () => [
      ...reported,
      ...subjects.flatMap(({ problem }) => problem() ?? []),
      ...listed.flatMap(listProblems),
    ],
  }
}
