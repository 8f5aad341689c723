/** Saves the running world under a name, forks it, and adds one from a file. */
import { useRef, useState } from "preact/hooks"

interface Props {
  readonly isAsking: boolean
  /** Resolves whether it was done. */
  readonly onSave: (name: string) => Promise<boolean>
  readonly onFork: (name: string) => Promise<boolean>
  readonly onImport: (file: File) => Promise<boolean>
}

export const WorldForms = ({ isAsking, onFork, onImport, onSave }: Props) => {
  const [name, setName] = useState("")
  const form = useRef<HTMLFormElement>(null)
  const finish = async (done: Promise<boolean>) => {
    if (await done) setName("")
  }
  return (
    <div class="world-forms">
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          void finish(onSave(name))
        }}
      >
        <label for="world-name">Name of the world</label>
        <div class="row">
          <input
            id="world-name"
            required
            maxLength={64}
            pattern="[a-z0-9][a-z0-9._\-]*"
            title="Lower-case letters, digits, dots, hyphens and underscores"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <button type="submit" class="primary" disabled={isAsking}>
            Save
          </button>
          <button
            type="button"
            disabled={isAsking}
            onClick={() => {
              if (form.current?.reportValidity() === true) void finish(onFork(name))
            }}
          >
            Fork
          </button>
        </div>
        <p class="soft small">
          Save keeps the present state under the name. Fork does the same and goes on under it: the world that it came
          from stays as saved.
        </p>
      </form>
      <form>
        <label for="world-file">Add a world from a file</label>
        <input
          id="world-file"
          type="file"
          accept="application/json,.json"
          disabled={isAsking}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file === undefined) return
            void onImport(file)
            currentTarget.value = ""
          }}
        />
      </form>
    </div>
  )
}
