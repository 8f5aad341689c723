/** The policies of agents: the list of agents, or the agent whose policy the address names. Source: D-475. */
import { many } from "./Format.ts"
import { hashOf, useHashParts } from "./Hash.ts"
import { usePager } from "./Pager.ts"
import { PagerButtons } from "./PagerButtons.tsx"
import { PolicyView } from "./PolicyView.tsx"
import type { AreaProps } from "./Views.tsx"
import type { Agent } from "./Wire.ts"

const stateOf = ({ isConnected, isPaused }: Agent) =>
  isPaused ? "Paused" : isConnected ? "Connected" : "Not connected yet"

const AgentList = ({ round }: { readonly round: number }) => {
  const pager = usePager<Agent>("/agents?limit=50", round)
  const { page, problem } = pager
  return (
    <section aria-labelledby="policy-title">
      <h2 id="policy-title" tabIndex={-1}>
        Policies
      </h2>
      <p class="soft">Choose an agent, change its policy, and see what would happen before you save it.</p>
      <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
      {page === undefined ? (
        <p class="soft">{problem === undefined ? "Loading…" : ""}</p>
      ) : page.data.length === 0 ? (
        <p class="soft">There is no agent yet. An agent is created with POST /agents.</p>
      ) : (
        <ul class="panel agents">
          {page.data.map((agent) => (
            <li key={agent.id}>
              <a class="name" href={hashOf("policy", agent.id)}>
                {agent.name}
              </a>
              <span class="soft small">
                {stateOf(agent)}, {many(agent.usage.dailyTransactionCount, "action")} today
              </span>
              <span class="soft small id">{agent.id}</span>
            </li>
          ))}
        </ul>
      )}
      <PagerButtons pager={pager} />
    </section>
  )
}

export const PolicyArea = ({ round }: Pick<AreaProps, "round">) => {
  const [agentId] = useHashParts()
  return agentId === undefined || agentId === "" ? (
    <AgentList round={round} />
  ) : (
    <PolicyView key={agentId} agentId={agentId} />
  )
}
