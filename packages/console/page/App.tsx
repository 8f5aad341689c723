/** The page: signed out, or at the desk; and the place where everything that happens is said. */
import { useCallback, useEffect, useMemo, useState } from "preact/hooks"
import type { Api } from "./Api.ts"
import { Desk } from "./Desk.tsx"
import { makeNames } from "./Names.ts"
import { type Session, SessionContext } from "./Session.ts"
import { SignIn } from "./SignIn.tsx"

interface Said {
  readonly text: string
  readonly isUrgent: boolean
  readonly at: number
}

const shownMillis = 8_000

export const App = () => {
  const [api, setApi] = useState<Api>()
  const [why, setWhy] = useState<string>()
  const [said, setSaid] = useState<Said>()

  const announce = useCallback(
    (text: string, isUrgent = false) => setSaid({ text, isUrgent, at: performance.now() }),
    [],
  )
  const signOut = useCallback((reason?: string) => {
    setApi(undefined)
    setWhy(reason)
    document.title = "Approvals"
  }, [])
  useEffect(() => {
    const timer = said === undefined ? undefined : setTimeout(() => setSaid(undefined), shownMillis)
    return () => clearTimeout(timer)
  }, [said])
  // A page that the browser keeps for the way back must not keep the credentials.
  useEffect(() => {
    const leave = () => signOut()
    window.addEventListener("pagehide", leave)
    return () => window.removeEventListener("pagehide", leave)
  }, [])
  const session = useMemo<Session | undefined>(
    () => (api === undefined ? undefined : { api, namesOf: makeNames(api), announce, signOut }),
    [api],
  )

  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("content")?.focus()}>
        Skip to the content
      </button>
      {session === undefined ? (
        <SignIn why={why} onSignedIn={setApi} />
      ) : (
        <SessionContext.Provider value={session}>
          <Desk />
        </SessionContext.Provider>
      )}
      <div class="said" role="status" aria-live="polite">
        {said === undefined ? null : (
          <p key={said.at} class={said.isUrgent ? "urgent" : ""}>
            {said.text}
          </p>
        )}
      </div>
    </>
  )
}
