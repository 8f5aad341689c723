/** What the playground of a policy reads: the agent, and the accounts of its customer. Source: D-477. */
import { useEffect, useState } from "preact/hooks"
import type { Api } from "./Api.ts"
import { useProblemOf } from "./Loaded.ts"
import { useSession } from "./Session.ts"
import type { Agent, ExternalAccount, InternalAccount, Page } from "./Wire.ts"

export interface PolicySubject {
  readonly agent: Agent
  readonly internal: ReadonlyArray<InternalAccount>
  readonly external: ReadonlyArray<ExternalAccount>
}

/** A policy names at most 200 accounts. */
const pagesMax = 5

const pagesOf = async <A>(api: Api, path: string): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  let cursor = ""
  for (let pages = 0; pages < pagesMax; pages++) {
    const page = await api.get<Page<A>>(`${path}${cursor}`)
    found.push(...page.data)
    if (page.nextCursor === undefined) break
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`
  }
  return found
}

export const usePolicySubject = (agentId: string) => {
  const { api } = useSession()
  const problemOf = useProblemOf()
  const [subject, setSubject] = useState<PolicySubject>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    let isCurrent = true
    const load = async () => {
      const agent = await api.get<Agent>(`/agents/${encodeURIComponent(agentId)}`)
      const of = `customerId=${agent.customerId}&limit=100`
      const [internal, external] = await Promise.all([
        pagesOf<InternalAccount>(api, `/customers/internal-accounts?${of}`),
        api.get<Page<ExternalAccount>>(`/customers/external-accounts?${of}`),
      ])
      if (isCurrent) setSubject({ agent, internal, external: external.data })
    }
    load().catch((failure: unknown) => {
      if (isCurrent) setProblem(problemOf(failure))
    })
    return () => {
      isCurrent = false
    }
  }, [agentId])
  const saved = (agent: Agent) => setSubject((before) => before && { ...before, agent })
  return { subject, problem, saved }
}
