/**
 * Fuzzing that is led by coverage: an input that executes what no earlier one did is kept, and varied further. What a decoder does wrong is
 * reported with the shortest input that was found for it.
 */
import { type Draw, mutantText } from "../crypto/Mutants.ts"
import { blockCoverage } from "./BlockCoverage.ts"
import type { Mutator, Problem, Target } from "./Target.ts"

export interface Finding {
  readonly input: string
  readonly problem: string
}

export interface SearchOptions {
  readonly inputs: number
  readonly draw: Draw
  /** Inputs of earlier searches. */
  readonly corpus?: ReadonlyArray<string>
  /** False: inputs vary the valid ones alone. */
  readonly isLed?: boolean
}

export interface SearchResult {
  readonly corpus: ReadonlyArray<string>
  readonly findings: ReadonlyArray<Finding>
  readonly covered: number
}

const perBatch = 128
const inputLengthMax = 4096
const findingsMax = 20

/** More processor time than an input of this length may take: a thousand times as much as most. */
const inputMillisMax = 50
const tooSlow = `takes more than ${inputMillisMax} ms`

const thrown = (error: unknown): Problem =>
  `throws ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`

/** Waits for nothing if the target does not: a promise for each input would cost as much as a small decoder. */
const problemOf = ({ check }: Target, input: string): Problem | Promise<Problem> => {
  try {
    const outcome = check(input)
    return outcome instanceof Promise ? outcome.catch(thrown) : outcome
  } catch (error) {
    return thrown(error)
  }
}

/** A stalled machine is slow for a second or two, and an input that is slow is so each time. */
const attemptsToReport = 32
const attemptsToShorten = 3

/**
 * Whether an input takes too long in the quickest of several attempts: collected garbage, and a machine that runs other programs, take time
 * as well.
 */
const isSlow = async (target: Target, input: string, attempts: number): Promise<boolean> => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = process.cpuUsage()
    await problemOf(target, input)
    const { system, user } = process.cpuUsage(before)
    if (system + user < inputMillisMax * 1000) return false
  }
  return true
}

/** Leaves out parts of the input as long as it has the same problem. */
const shortest = async (target: Target, { input, problem }: Finding): Promise<Finding> => {
  const isSame = async (other: string) =>
    problem === tooSlow ? await isSlow(target, other, attemptsToShorten) : (await problemOf(target, other)) === problem
  let shorter = input
  for (let length = Math.ceil(input.length / 2); length > 0; length = Math.floor(length / 2)) {
    for (let at = 0; at < shorter.length; ) {
      const without = shorter.slice(0, at) + shorter.slice(at + length)
      if (await isSame(without)) shorter = without
      else at += length
    }
  }
  return { input: shorter, problem }
}

/** Parts of two inputs, or one that is changed one to four times. The newest inputs are varied most: less is known of what they lead to. */
const variation = (draw: Draw, from: ReadonlyArray<string>, mutant: Mutator): string => {
  const newest = from.slice(Math.floor(from.length * 0.75))
  const pick = () => {
    const some = draw(2) === 0 ? newest : from
    return some[draw(some.length)] ?? ""
  }
  const first = pick()
  if (draw(8) === 0) {
    const second = pick()
    return (first.slice(0, draw(first.length + 1)) + second.slice(draw(second.length + 1))).slice(0, inputLengthMax)
  }
  let input = first
  for (let times = 1 + draw(4); times > 0 && input !== ""; times--) input = mutant(draw, input)
  return input.slice(0, inputLengthMax)
}

export const search = async (target: Target, options: SearchOptions): Promise<SearchResult> => {
  const { corpus: earlier = [], draw, inputs, isLed = true } = options
  const { mutant = mutantText, valid } = target
  const coverage = blockCoverage(target.sources)
  const corpus: Array<string> = [...new Set([...valid, ...earlier])]
  const findings = new Map<string, Finding>()
  const run = async (all: ReadonlyArray<string>) => {
    for (const input of all) {
      const begin = performance.now()
      const found = problemOf(target, input)
      let problem = found instanceof Promise ? await found : found
      const isAsked = problem === undefined && !findings.has(tooSlow) && performance.now() - begin > inputMillisMax
      if (isAsked && (await isSlow(target, input, attemptsToReport))) problem = tooSlow
      if (problem === undefined || findings.has(problem) || findings.size >= findingsMax) continue
      findings.set(problem, await shortest(target, { input, problem }))
    }
  }
  /** Runs the batch, and keeps those that reach something new: it is run again in halves until each is found. */
  const explore = async (batch: ReadonlyArray<string>): Promise<void> => {
    await run(batch)
    const sample = coverage.sample()
    if (!coverage.isNew(sample)) return
    const [only] = batch
    if (batch.length === 1 && only !== undefined) {
      coverage.add(sample)
      corpus.push(only)
      return
    }
    const middle = Math.ceil(batch.length / 2)
    await explore(batch.slice(0, middle))
    await explore(batch.slice(middle))
  }
  await run(corpus)
  coverage.add(coverage.sample())
  for (let left = inputs; left > 0; left -= perBatch) {
    const from = isLed ? corpus : valid
    const batch = Array.from({ length: Math.min(left, perBatch) }, () => variation(draw, from, mutant))
    if (isLed) await explore(batch)
    else await run(batch)
  }
  return { corpus, findings: [...findings.values()], covered: coverage.size() }
}
