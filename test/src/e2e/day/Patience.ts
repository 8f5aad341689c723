/** Polls until the answer is as expected, for as long as a busy machine needs to start a process again. */
import { eventually } from "../Deadline.ts"

const millis = 300_000

export const patiently = <A>(what: string, ask: () => Promise<A> | A, fits: (answer: A) => boolean): Promise<A> =>
  eventually(what, ask, fits, millis)
