/** A part that scrolls by itself. The keyboard reaches it in every browser, so that its arrow keys scroll it. */
import type { ComponentChildren } from "preact"

export const makeReachable = (element: HTMLElement | null) => element?.setAttribute("tabindex", "0")

export const Scroll = ({ children, name }: { readonly name: string; readonly children: ComponentChildren }) => (
  <section ref={makeReachable} class="scroll" aria-label={name}>
    {children}
  </section>
)
