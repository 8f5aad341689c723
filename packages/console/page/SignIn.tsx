/** Signing in with a platform's credentials, which the page keeps in memory only. Source: D-214. */
import { useEffect, useRef, useState } from "preact/hooks"
import { type Api, connect, Refused } from "./Api.ts"

interface Props {
  readonly why: string | undefined
  readonly onSignedIn: (api: Api) => void
}

const sayOf = (failure: unknown): string => {
  if (!(failure instanceof Refused)) return "Something went wrong."
  if (failure.status === 401) return "The client id or the secret is wrong."
  if (failure.status === 403) return "These credentials may not read approvals: they need the permission VIEW."
  return failure.message
}

export const SignIn = ({ onSignedIn, why }: Props) => {
  const [problem, setProblem] = useState(why)
  const [isAsking, setIsAsking] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const given = new FormData(form)
    const api = connect(String(given.get("client-id")).trim(), String(given.get("client-secret")))
    setIsAsking(true)
    setProblem(undefined)
    try {
      await api.get("/agents/approvals?limit=1")
      form.reset()
      onSignedIn(api)
    } catch (failure) {
      setIsAsking(false)
      setProblem(sayOf(failure))
      form.querySelector<HTMLInputElement>("[name=client-secret]")?.select()
    }
  }

  return (
    <main class="sign-in" id="content">
      <form class="panel" onSubmit={submit} aria-labelledby="sign-in-title">
        <h1 id="sign-in-title">Approvals</h1>
        <p class="soft">Decide what your agents may do. Sign in with your platform's credentials.</p>
        <label for="client-id">Client id</label>
        <input
          ref={first}
          id="client-id"
          name="client-id"
          required
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
        <label for="client-secret">Client secret</label>
        <input id="client-secret" name="client-secret" type="password" required autocomplete="off" />
        <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
        <button type="submit" class="primary" disabled={isAsking}>
          {isAsking ? "Signing in…" : "Sign in"}
        </button>
        <p class="soft small">
          They are kept in this page's memory only, and forgotten when you sign out, reload or close it.
        </p>
      </form>
    </main>
  )
}
