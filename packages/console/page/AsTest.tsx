/** A kept request as a program that repeats it and what led to it on a new world. Source: D-479. */
import type { ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { CopyButton } from "./CopyButton.tsx"
import { count } from "./Format.ts"
import { useLoaded } from "./Loaded.ts"
import { Scroll } from "./Scroll.tsx"
import type { RequestProgram } from "./Wire.ts"

const forms = { TEST: "Test for node:test", SCRIPT: "Script for any server", CURL: "Commands of curl" } as const
type Form = keyof typeof forms

const isForm = (text: string): text is Form => Object.hasOwn(forms, text)

const fileNames = { TEST: "request.test.mjs", SCRIPT: "request.mjs", CURL: "request.sh" } as const
const runs = {
  TEST: "node --test request.test.mjs",
  SCRIPT: "BASE_URL=… CLIENT_ID=… CLIENT_SECRET=… node request.mjs",
  CURL: "BASE_URL=… CLIENT_ID=… CLIENT_SECRET=… bash request.sh",
} as const

const Notes = ({ made: { forgotten, gaps, variables } }: { readonly made: RequestProgram }) => (
  <>
    {variables.length === 0 ? null : (
      <>
        <p class="small">Set these environment variables, because the journal does not have their values:</p>
        <ul class="small program-notes">
          {variables.map(({ description, name }) => (
            <li key={name}>
              <code>{name}</code>: {description}
            </li>
          ))}
        </ul>
      </>
    )}
    {gaps.length === 0 ? null : <p class="problem">It cannot repeat everything: {gaps.join("; ")}.</p>}
    {forgotten === 0 ? null : (
      <p class="soft small">The journal has forgotten {count(forgotten)} older requests, which may be needed, too.</p>
    )}
  </>
)

const Made = ({ form, made }: { readonly form: Form; readonly made: RequestProgram }) => (
  <>
    <p class="soft small">
      Repeats {made.requests.length === 1 ? "this request" : `${count(made.requests.length)} requests`} and checks their
      statuses. Save it as <code>{fileNames[form]}</code> and run <code>{runs[form]}</code>
    </p>
    <Notes made={made} />
    <CopyButton label="Copy the program" text={made.program} />
    <Scroll name="Program">
      <pre class="code program">{made.program}</pre>
    </Scroll>
  </>
)

const Program = ({ id }: { readonly id: string }) => {
  const [form, setForm] = useState<Form>("TEST")
  const { problem, value } = useLoaded<RequestProgram>(
    `/sandbox/requests/${encodeURIComponent(id)}/tape?form=${form}`,
    0,
  )
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <section aria-labelledby="as-test" class="as-test">
      <h3 id="as-test" ref={title} tabIndex={-1}>
        As test
      </h3>
      <label>
        Form
        <select
          value={form}
          onChange={({ currentTarget: { value: chosen } }) => {
            if (isForm(chosen)) setForm(chosen)
          }}
        >
          {Object.entries(forms).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
      {value === undefined ? (
        <p class="soft">{problem === undefined ? "Loading…" : ""}</p>
      ) : (
        <Made form={form} made={value} />
      )}
    </section>
  )
}

/** The button, and below it the program while it is open. */
export const AsTest = ({ children, id }: { readonly id: string; readonly children: ComponentChildren }) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <div class="row">
        {children}
        <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          As test
        </button>
      </div>
      {isOpen ? <Program id={id} /> : null}
    </>
  )
}
