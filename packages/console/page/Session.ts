/** What every view of a signed-in person shares. */
import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { Api } from "./Api.ts"
import type { NamesOf } from "./Names.ts"
import type { SignedIn } from "./SignedIn.ts"

export interface Session {
  readonly api: Api
  readonly signedIn: SignedIn
  readonly namesOf: NamesOf
  /** Says something to everybody, also to who does not see it. */
  readonly announce: (text: string, isUrgent?: boolean) => void
  /** Leaves the desk; `why`: the session has ended by itself. */
  readonly signOut: (why?: string) => void
}

export const SessionContext = createContext<Session | undefined>(undefined)

export const useSession = (): Session => {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error("nobody is signed in")
  return session
}
