/** Signing in with a platform's credentials and one's own name. The page keeps none of them. Source: D-352. */
import { useEffect, useRef, useState } from "preact/hooks"
import { Refused } from "./Api.ts"
import { isSandbox } from "./Mode.ts"
import { NoPasskey } from "./Passkey.ts"
import { offeredCredentials, type SignedIn, signIn } from "./SignedIn.ts"

interface Props {
  readonly why: string | undefined
  readonly onSignedIn: (signedIn: SignedIn) => void
}

const sayOf = (failure: unknown): string => {
  if (failure instanceof NoPasskey) return "No passkey was used. Sign in again, and confirm with your passkey."
  if (!(failure instanceof Refused)) return "Something went wrong."
  if (failure.status === 401 && failure.details["reason"] === "Invalid credentials")
    return "The client id or the secret is wrong."
  if (failure.status === 401) return `The passkey was refused: ${failure.message}.`
  if (failure.status === 400) return "Your name must be 1 to 80 letters, digits and spaces."
  return failure.message
}

export const SignIn = ({ onSignedIn, why }: Props) => {
  const [problem, setProblem] = useState(why)
  const [isAsking, setIsAsking] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  const [isOffered, setIsOffered] = useState(false)
  const clientId = useRef<HTMLInputElement>(null)
  const clientSecret = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  useEffect(() => {
    if (!isSandbox()) return
    const fill = async () => {
      const offered = await offeredCredentials()
      const [id, secret] = [clientId.current, clientSecret.current]
      // What the reader has typed meanwhile stays.
      if (offered === undefined || id === null || secret === null || `${id.value}${secret.value}` !== "") return
      id.value = offered.clientId
      secret.value = offered.clientSecret
      // A reader who is about to type replaces it.
      for (const field of [id, secret]) if (document.activeElement === field) field.select()
      setIsOffered(true)
    }
    void fill().catch(() => undefined)
  }, [])

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const given = new FormData(form)
    const field = (name: string) => String(given.get(name))
    setIsAsking(true)
    setProblem(undefined)
    try {
      const signedIn = await signIn({
        clientId: field("client-id").trim(),
        clientSecret: field("client-secret"),
        approver: field("approver"),
      })
      form.reset()
      onSignedIn(signedIn)
    } catch (failure) {
      setIsAsking(false)
      setProblem(sayOf(failure))
      form.querySelector<HTMLInputElement>("[name=client-secret]")?.select()
    }
  }

  return (
    <main class="sign-in" id="content">
      <form class="panel" onSubmit={submit} aria-labelledby="sign-in-title">
        <h1 id="sign-in-title">
          {isSandbox() ? (
            <>
              Workbench <span class="badge sandbox">SANDBOX</span>
            </>
          ) : (
            "Approvals"
          )}
        </h1>
        <p class="soft">
          {isSandbox()
            ? "See what happens in your sandbox, and decide what your agents may do. Sign in with your platform's credentials."
            : "Decide what your agents may do. Sign in with your platform's credentials."}
        </p>
        <label for="approver">Your name</label>
        <input
          ref={first}
          id="approver"
          name="approver"
          required
          maxLength={80}
          autocomplete="name"
          spellcheck={false}
        />
        <label for="client-id">Client id</label>
        <input
          ref={clientId}
          id="client-id"
          name="client-id"
          required
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
        <label for="client-secret">Client secret</label>
        <input ref={clientSecret} id="client-secret" name="client-secret" type="password" required autocomplete="off" />
        {isOffered ? <p class="soft small">Filled in by this sandbox, because it runs on your own machine.</p> : null}
        <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
        <button type="submit" class="primary" disabled={isAsking}>
          {isAsking ? "Signing in…" : "Sign in"}
        </button>
        <p class="soft small">
          The page keeps neither of them. What you decide is recorded under your name. You are signed out after 15
          minutes in which you do nothing.
        </p>
      </form>
    </main>
  )
}
