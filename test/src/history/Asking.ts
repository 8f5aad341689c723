/** How a client asks: once, or until it is answered. */
import { at, type Body } from "../e2e/Client.ts"

export interface Asked {
  readonly body?: unknown
  readonly key?: string
  /** Of an agent; the platform asks otherwise. */
  readonly token?: string
}

export interface Answered {
  readonly status: number
  readonly body: Body
}

/** Sends a request once. `undefined`: whether it had an effect is not known. */
export type Ask = (method: string, path: string, asked?: Asked) => Promise<Answered | undefined>

/** Repeats a request, which may be repeated, until it is answered. */
export type Insist = (...request: Parameters<Ask>) => Promise<Answered>

const attemptsMax = 2000

export const insisting =
  (ask: Ask): Insist =>
  async (...request) => {
    for (let left = attemptsMax; left > 0; left--) {
      const answered = await ask(...request)
      if (answered !== undefined) return answered
    }
    throw new Error(`${request[0]} ${request[1]} is never answered`)
  }

export const shown = ({ body, status }: Answered): string => `${status} ${JSON.stringify(body)}`

export const textIn = (answered: Answered, ...path: ReadonlyArray<string | number>): string => {
  const found = at(answered.body, ...path)
  if (typeof found !== "string") throw new Error(`there is no ${path.join(".")} in ${shown(answered)}`)
  return found
}

export const numberIn = (answered: Answered, ...path: ReadonlyArray<string | number>): number => {
  const found = at(answered.body, ...path)
  if (typeof found !== "number") throw new Error(`there is no ${path.join(".")} in ${shown(answered)}`)
  return found
}
