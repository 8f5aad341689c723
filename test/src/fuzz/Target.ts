/** A decoder under search: its valid inputs, how they are varied, and what must be true of the outcome. */
import type { Draw } from "../crypto/Mutants.ts"

/** What is wrong with an outcome. */
export type Problem = string | undefined

/** Returns an input that differs from the given one, mostly in a single place. */
export type Mutator = (draw: Draw, input: string) => string

/** A decoder of texts or bytes from outside. Bytes are texts of characters below 256. */
export interface Target {
  readonly name: string
  /** The addresses of the scripts whose coverage leads the search. */
  readonly sources: RegExp
  readonly valid: readonly [string, ...ReadonlyArray<string>]
  /** Default: a change of single characters. */
  readonly mutant?: Mutator
  /** Decodes an input. Returns what is wrong with the outcome; to refuse the input is not wrong, and to throw is. */
  readonly check: (input: string) => Problem | Promise<Problem>
  readonly close?: () => Promise<void>
}

/** A target that is made when it is searched, because keys or servers take time. */
export interface TargetSource {
  readonly name: string
  /** How many times as expensive an input is as one of a decoder of texts. The short search has fewer inputs by this factor. */
  readonly cost: number
  readonly make: () => Target | Promise<Target>
}

export const source = (path: string): RegExp => new RegExp(`packages/${path}`, "u")

/** What is wrong unless it holds. */
export const holds = (isTrue: boolean, problem: string): Problem => (isTrue ? undefined : problem)
