/** Copies a text to the clipboard and says so. Where the browser refuses, the text is shown to be copied by hand. */
import { useState } from "preact/hooks"
import { useSession } from "./Session.ts"

interface Props {
  readonly label: string
  readonly text: string
}

export const CopyButton = ({ label, text }: Props) => {
  const { announce } = useSession()
  const [isShown, setIsShown] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      announce("Copied.")
    } catch {
      setIsShown(true)
    }
  }
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {label}
      </button>
      {isShown ? <pre class="code">{text}</pre> : null}
    </>
  )
}
