/**
 * Checks whether calls that overlapped could have happened one after another: whether there is an order, which keeps that of calls of which
 * one had ended when the other began, in which a simple model gives every answer that the callers received.
 * Source: Wing and Gong, "Testing and verifying concurrent objects" (1993); Lowe, "Testing for linearizability" (2017), for the memory of
 * what was tried.
 */

/** A call as its caller saw it. Times are positions in one sequence of all beginnings and ends. */
export interface Call<Input, Output> {
  readonly input: Input
  readonly begun: number
  /** Infinite if it was never answered: it may have had its effect at any time since, or never. */
  readonly ended: number
  /** `undefined`: never answered. */
  readonly output: Output | undefined
}

/** What a record promises when calls happen one after another. */
export interface Model<State, Input, Output> {
  readonly initial: State
  /** The states that may follow the call; none if it cannot give this output in this state. */
  readonly step: (state: State, input: Input, output: Output | undefined) => ReadonlyArray<State>
}

export type Verdict<State, Input, Output> =
  | { readonly _tag: "Linearizable" }
  /** `state` is what the model reached after the most calls, and none of `stuck`, which may come next, is possible there. */
  | {
      readonly _tag: "Contradiction"
      readonly state: State
      readonly stuck: ReadonlyArray<Call<Input, Output>>
      readonly ordered: number
    }
  /** The search was given up. */
  | { readonly _tag: "Undecided" }

interface Entry<Input, Output> {
  readonly call: Call<Input, Output>
  readonly number: number
  /** The end of this call, or `undefined` if this is the end. */
  readonly end: Entry<Input, Output> | undefined
  previous: Entry<Input, Output> | undefined
  next: Entry<Input, Output> | undefined
}

interface Choice<State, Input, Output> {
  readonly entry: Entry<Input, Output>
  /** The state before it, and how many of its next states were tried. */
  readonly state: State
  readonly tried: number
  readonly done: bigint
}

const remove = <I, O>(entry: Entry<I, O>): void => {
  if (entry.previous !== undefined) entry.previous.next = entry.next
  if (entry.next !== undefined) entry.next.previous = entry.previous
}
const restore = <I, O>(entry: Entry<I, O>): void => {
  if (entry.next !== undefined) entry.next.previous = entry
  if (entry.previous !== undefined) entry.previous.next = entry
}

/** The beginnings and ends in their order, behind an entry of no call. */
const linked = <I, O>(calls: ReadonlyArray<Call<I, O>>): Entry<I, O> => {
  const marks: Array<{ readonly at: number; readonly entry: Entry<I, O> }> = []
  for (const [number, call] of calls.entries()) {
    const none = { call, number, previous: undefined, next: undefined }
    const end: Entry<I, O> = { ...none, end: undefined }
    marks.push({ at: call.begun, entry: { ...none, end } })
    if (call.ended !== Number.POSITIVE_INFINITY) marks.push({ at: call.ended, entry: end })
  }
  marks.sort((a, b) => a.at - b.at)
  const nothing: Call<I, O> = { input: undefined as I, begun: -1, ended: -1, output: undefined }
  const head: Entry<I, O> = { call: nothing, number: -1, end: undefined, previous: undefined, next: undefined }
  let last = head
  for (const { entry } of marks) {
    entry.previous = last
    last.next = entry
    last = entry
  }
  return head
}

/** The calls that have begun before the first end of a call that is not in the order yet. */
const candidates = <I, O>(head: Entry<I, O>): ReadonlyArray<Call<I, O>> => {
  const found: Array<Call<I, O>> = []
  for (let entry = head.next; entry?.end !== undefined; entry = entry.next) found.push(entry.call)
  return found
}

/** `stepsMax` bounds the search. States are compared as JSON. */
export const linearizable = <State, Input, Output>(
  model: Model<State, Input, Output>,
  calls: ReadonlyArray<Call<Input, Output>>,
  stepsMax = 2_000_000,
): Verdict<State, Input, Output> => {
  const head = linked(calls)
  const choices: Array<Choice<State, Input, Output>> = []
  const known = new Set<string>()
  let state = model.initial
  let done = 0n
  let unanswered = calls.filter(({ ended }) => ended !== Number.POSITIVE_INFINITY).length
  let farthest: Extract<Verdict<State, Input, Output>, { readonly _tag: "Contradiction" }> | undefined
  let entry = head.next
  let from = 0

  /** Takes the call as the next one of the order, if one of its next states is new. */
  const take = (begin: Entry<Input, Output>, end: Entry<Input, Output>): boolean => {
    const next = model.step(state, begin.call.input, begin.call.output)
    for (let tried = from; tried < next.length; tried++) {
      const reached = next[tried] as State
      const all = done | (1n << BigInt(begin.number))
      const key = `${all} ${JSON.stringify(reached)}`
      if (known.has(key)) continue
      known.add(key)
      choices.push({ entry: begin, state, tried, done })
      state = reached
      done = all
      remove(begin)
      if (end.previous !== undefined) {
        remove(end)
        unanswered -= 1
      }
      return true
    }
    return false
  }
  for (let steps = 0; unanswered > 0; steps++) {
    if (steps > stepsMax) return { _tag: "Undecided" }
    if (entry?.end !== undefined) {
      const isTaken = take(entry, entry.end)
      from = 0
      entry = isTaken ? head.next : entry.next
      continue
    }
    // An end is reached whose call fits nowhere: what was chosen before is wrong.
    if (farthest === undefined || choices.length > farthest.ordered)
      farthest = { _tag: "Contradiction", state, stuck: candidates(head), ordered: choices.length }
    const wrong = choices.pop()
    if (wrong === undefined) return farthest
    if (wrong.entry.end?.previous !== undefined) {
      restore(wrong.entry.end)
      unanswered += 1
    }
    restore(wrong.entry)
    state = wrong.state
    done = wrong.done
    entry = wrong.entry
    from = wrong.tried + 1
  }
  return { _tag: "Linearizable" }
}
