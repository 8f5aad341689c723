/** Finds a record of any type by what was pasted: one is shown at once, of several the reader chooses. Source: D-467. */
import { useState } from "preact/hooks"
import { hashOf } from "./Hash.ts"
import { useProblemOf } from "./Loaded.ts"
import { placeOfId } from "./RecordNames.tsx"
import { RecordRows } from "./RecordRows.tsx"
import { useSession } from "./Session.ts"
import type { FoundRecords, RecordSummary } from "./Wire.ts"

export const RecordFind = ({ now }: { readonly now: number }) => {
  const { api } = useSession()
  const problemOf = useProblemOf()
  const [found, setFound] = useState<ReadonlyArray<RecordSummary>>()
  const [problem, setProblem] = useState<string>()

  const find = async (event: SubmitEvent) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget as HTMLFormElement).get("text")).trim()
    setFound(undefined)
    setProblem(undefined)
    if (text === "") return
    if (text.startsWith("Webhook:")) {
      location.hash = placeOfId(text) ?? ""
      return
    }
    try {
      const { data } = await api.get<FoundRecords>(`/operator/find?text=${encodeURIComponent(text)}`)
      const [only] = data
      if (data.length === 1 && only !== undefined) location.hash = hashOf("records", only.id)
      else setFound(data)
    } catch (failure) {
      setProblem(problemOf(failure))
    }
  }
  return (
    <>
      <form class="search" onSubmit={(event) => void find(event)}>
        <label for="record-find">Find by id, your own customer or card id, UMA address or reference</label>
        <div class="row">
          <input id="record-find" name="text" maxLength={255} autocomplete="off" spellcheck={false} />
          <button type="submit">Find</button>
        </div>
      </form>
      <div role="alert">
        {problem === undefined ? null : <p class="problem">{problem}</p>}
        {found?.length === 0 ? <p class="problem">No record has this id or key.</p> : null}
      </div>
      {found === undefined || found.length === 0 ? null : <RecordRows now={now} records={found} />}
    </>
  )
}
