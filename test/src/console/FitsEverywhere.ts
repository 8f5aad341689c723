/**
 * Asserts in five sizes, light and dark, that nothing of a page is cut off, controls in a row are equally high, and every text is readable.
 */
import { expect } from "vitest"
import type { Page } from "./Browser.ts"
import { textsTooFaint } from "./Contrast.ts"

const sizes = {
  small: [320, 640],
  phone: [390, 844],
  tablet: [820, 1180],
  laptop: [1280, 800],
  wide: [1600, 900],
} as const

const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

/** The controls of each row whose heights (px) differ. */
const unevenRows = `[...document.querySelectorAll(".filter, .row, .fault-fields, .buttons, .pager")].map((row) =>
  [...row.querySelectorAll("input:not([type=radio], [type=checkbox], [type=file]), select, button")]
    .filter((control) => control.checkVisibility())
    .map((control) => Math.round(control.getBoundingClientRect().height) + " " + control.tagName + " " + control.textContent.slice(0, 20))
).filter((row) => new Set(row.map((control) => control.split(" ")[0])).size > 1)`

export const fitsEverywhere = async (page: Page): Promise<void> => {
  for (const [size, [width, height]] of Object.entries(sizes)) {
    const metrics = { width, height, deviceScaleFactor: 1, mobile: width < 600 }
    await page.send("Emulation.setDeviceMetricsOverride", metrics)
    expect([size, await page.evaluate(overflow)]).toEqual([size, 0])
    expect([size, await page.evaluate(unevenRows)]).toEqual([size, []])
    for (const value of ["light", "dark"]) {
      await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] })
      // A page that follows the system's theme by a script does so before the next frame.
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
      expect([size, value, await page.evaluate(textsTooFaint)]).toEqual([size, value, []])
    }
  }
}
