/** The requests that the sandbox keeps: the list, or the request that the address names. */
import { useHashParts } from "./Hash.ts"
import { RequestList } from "./RequestList.tsx"
import { RequestView } from "./RequestView.tsx"

export const RequestsArea = () => {
  const [id] = useHashParts()
  return id === undefined || id === "" ? <RequestList /> : <RequestView key={id} id={id} />
}
