/** A user of the approvals page, who reads it, presses keys and types. */

import { eventually } from "../e2e/Deadline.ts"
import type { Page } from "./Browser.ts"

export interface Person {
  readonly page: Page
  /** Returns the visible text of the page. */
  readonly sees: () => Promise<string>
  /** Waits until the page shows the text. */
  readonly awaits: (text: string | RegExp) => Promise<string>
  /** Presses a key once: Tab, Enter, Escape, ArrowDown, or a letter. */
  readonly press: (key: "Tab" | "Enter" | "Escape" | "ArrowDown") => Promise<void>
  /** Moves the focus with Tab to the control of this name; rejects if the keyboard cannot reach it. */
  readonly tabTo: (name: string) => Promise<void>
  readonly type: (text: string) => Promise<void>
  /** Returns the accessible name of the focused control. */
  readonly focused: () => Promise<string>
  readonly signIn: (clientId: string, clientSecret: string, name?: string) => Promise<void>
}

const codes = { Tab: 9, Enter: 13, Escape: 27, ArrowDown: 40 } as const
const tabsMax = 200

const nameOf = "(on) => (on.labels?.[0]?.textContent ?? on.getAttribute('aria-label') ?? on.textContent ?? '').trim()"
const nameOfFocus = `[document.activeElement].filter((on) => on !== null && on !== document.body).map(${nameOf}).join()`
const focusable = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex='0']"
const shownNames = `[...document.querySelectorAll(${JSON.stringify(focusable)})].filter((on) => on.checkVisibility()).map(${nameOf})`

export const person = (page: Page): Person => {
  const sees = async () => String(await page.evaluate("document.body.innerText"))
  const focused = async () => String(await page.evaluate(nameOfFocus))
  const press: Person["press"] = async (key) => {
    const event = {
      key,
      code: key,
      windowsVirtualKeyCode: codes[key],
      ...(key === "Enter" ? { text: "\r" } : {}),
    }
    await page.send("Input.dispatchKeyEvent", { type: "keyDown", ...event })
    await page.send("Input.dispatchKeyEvent", { type: "keyUp", ...event })
  }
  const tabTo: Person["tabTo"] = async (name) => {
    // A page that still reads has fewer controls than tabs: the way is tried once its end is there.
    const there = `${shownNames}.includes(${JSON.stringify(name)})`
    await eventually(`a control named ${name}`, () => page.evaluate(there), Boolean)
    for (let tabs = 0; tabs < tabsMax; tabs++) {
      if ((await focused()) === name) return
      await press("Tab")
    }
    throw new Error(`the keyboard does not reach ${name}; the focus is on ${await focused()}`)
  }
  const type: Person["type"] = async (text) => {
    await page.send("Input.insertText", { text })
  }
  return {
    page,
    sees,
    awaits: (text) =>
      eventually(`the page shows ${String(text)}`, sees, (shown) =>
        typeof text === "string" ? shown.includes(text) : text.test(shown),
      ),
    press,
    tabTo,
    type,
    focused,
    signIn: async (clientId, clientSecret, name = "Grace Hopper") => {
      await eventually("the form", focused, (control) => control === "Your name")
      await type(name)
      await tabTo("Client id")
      await type(clientId)
      await tabTo("Client secret")
      await type(clientSecret)
      await press("Enter")
    },
  }
}
