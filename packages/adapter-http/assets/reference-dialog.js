/** The focus in the renderer's dialog: within it while it is open, back where it was afterwards. Source: D-440. */

const controlsOf = (dialog) =>
  [...dialog.querySelectorAll("button, input, select, textarea, a[href]")].filter((control) => !control.disabled)

/** Keeps the focus within the renderer's dialog while it is open, and gives it back afterwards. */
export const dialogPlugin = ({ React }) => {
  const keepWithin = (event) => {
    const dialog = document.querySelector(".modal-ux")
    if (event.key !== "Tab" || dialog === null) return
    const controls = controlsOf(dialog)
    const index = controls.indexOf(document.activeElement)
    const isLeaving = event.shiftKey ? index <= 0 : index === -1 || index === controls.length - 1
    if (!isLeaving) return
    event.preventDefault()
    controls.at(event.shiftKey ? -1 : 0)?.focus()
  }
  const Held = ({ children }) => {
    React.useEffect(() => {
      const before = document.querySelector(".btn.authorize")
      const dialog = document.querySelector(".modal-ux")
      dialog?.setAttribute("role", "dialog")
      dialog?.setAttribute("aria-modal", "true")
      dialog?.setAttribute("aria-label", "Available authorizations")
      document.addEventListener("keydown", keepWithin)
      return () => {
        document.removeEventListener("keydown", keepWithin)
        before?.focus()
      }
    }, [])
    return children
  }
  return {
    wrapComponents: {
      authorizationPopup: (Popup) => (props) => React.createElement(Held, null, React.createElement(Popup, props)),
    },
  }
}
