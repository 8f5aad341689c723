/**
 * Gives the focus back that an action took: to the control that was disabled meanwhile, or to the heading of the part whose control was
 * removed. Without it, a keyboard would start again at the top of the page.
 */
import { useEffect } from "preact/hooks"
import { ancestorsOf } from "./Ancestors.ts"

const headings = "h2[tabindex], h3[tabindex]"

/** Where the reader goes on when the control that `ancestors` held is gone: a control of the same form, or the nearest heading. */
const nextOf = (ancestors: ReadonlyArray<Element>): HTMLElement | null => {
  const left = ancestors.filter((ancestor) => ancestor.isConnected)
  const form = left.find((ancestor) => ancestor instanceof HTMLFormElement)
  const places = [
    form?.querySelector<HTMLElement>("button:enabled"),
    ...left.map((at) => at.querySelector<HTMLElement>(headings)),
  ]
  return places.find((place) => place !== null && place !== undefined) ?? null
}

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body

/** Watches the page while it is signed in. */
export const useFocusKept = (): void => {
  useEffect(() => {
    let held: HTMLElement | undefined
    let ancestors: ReadonlyArray<Element> = []
    const hold = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return
      held = target
      ancestors = ancestorsOf(target)
    }
    // Who presses beside every control wants none.
    const forget = () => {
      held = undefined
    }
    let frame = 0
    const look = () => {
      cancelAnimationFrame(frame)
      // A part that moves the focus itself does so before the next frame.
      frame = requestAnimationFrame(() => {
        if (held === undefined || !isLost()) return
        if (!held.isConnected) nextOf(ancestors)?.focus({ preventScroll: true })
        else if (!held.matches(":disabled")) held.focus({ preventScroll: true })
      })
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { attributeFilter: ["disabled"], childList: true, subtree: true })
    document.addEventListener("focusin", hold)
    document.addEventListener("pointerdown", forget, true)
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      document.removeEventListener("focusin", hold)
      document.removeEventListener("pointerdown", forget, true)
    }
  }, [])
}
