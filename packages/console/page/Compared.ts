/** Asks what a changed policy would do, a moment after the last change; a later answer replaces an earlier one. Source: D-477. */
import { useEffect, useRef, useState } from "preact/hooks"
import { useProblemOf } from "./Loaded.ts"
import { useSession } from "./Session.ts"
import type { Comparison } from "./Wire.ts"

/** So long nothing is typed before the service is asked. */
const pauseMillis = 300

export interface Compared {
  readonly comparison: Comparison | undefined
  readonly problem: string | undefined
  readonly isAsking: boolean
}

/** `body`: the request as a text, which tells whether it has changed; `undefined`: it cannot be asked. */
export const useCompared = (agentId: string, body: string | undefined, round: number): Compared => {
  const { api } = useSession()
  const problemOf = useProblemOf()
  const [compared, setCompared] = useState<Compared>({ comparison: undefined, problem: undefined, isAsking: true })
  const latest = useRef(0)
  useEffect(() => {
    latest.current += 1
    const number = latest.current
    const settle = (next: Pick<Compared, "comparison" | "problem">) => {
      if (number === latest.current) setCompared({ ...next, isAsking: false })
    }
    if (body === undefined) return undefined
    setCompared((before) => ({ ...before, isAsking: true }))
    const timer = setTimeout(() => {
      api.post<Comparison>(`/operator/agents/${agentId}/policy-evaluations`, JSON.parse(body)).then(
        (comparison) => settle({ comparison, problem: undefined }),
        (failure) => settle({ comparison: undefined, problem: problemOf(failure) }),
      )
    }, pauseMillis)
    return () => clearTimeout(timer)
  }, [agentId, body, round])
  return compared
}
