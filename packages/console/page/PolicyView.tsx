/** One agent's policy, edited beside what would happen if it were saved. Source: D-475, D-477. */
import { shortId } from "./Format.ts"
import { Playground } from "./Playground.tsx"
import { usePolicySubject } from "./PolicyLoads.ts"

export const PolicyView = ({ agentId }: { readonly agentId: string }) => {
  const { problem, saved, subject } = usePolicySubject(agentId)
  return (
    <section aria-labelledby="policy-title">
      <p class="small">
        <a href="#policy">All policies</a>
      </p>
      <h2 id="policy-title" tabIndex={-1}>
        Policy of {subject?.agent.name ?? shortId(agentId)}
      </h2>
      <p class="soft small id">{agentId}</p>
      <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
      {subject === undefined ? (
        <p class="soft">{problem === undefined ? "Loading…" : ""}</p>
      ) : (
        <Playground key={subject.agent.updatedAt} subject={subject} onSaved={saved} />
      )}
    </section>
  )
}
