/** Measures the first paint of the server's pages in Chromium: a fresh server, an empty cache, and what a visit transfers. Source: D-485. */
import { browser, type Page } from "../console/Browser.ts"
import { eventually } from "../e2e/Deadline.ts"
import { startServer } from "../e2e/ServerProcess.ts"
import { median, type Settings } from "./Rounds.ts"

interface Visit {
  readonly firstPaint: number
  readonly contentfulPaint: number
  readonly kilobytes: number
}

const visitsPerRound = 5

/** Of the document and all that it loaded before it was quiet. */
const measured = `(() => {
  const paints = Object.fromEntries(performance.getEntriesByType("paint").map(({ name, startTime }) => [name, startTime]))
  const loaded = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  return [paints["first-paint"], paints["first-contentful-paint"], loaded.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000]
})()`

/** An element that the page shows when it is ready. */
const pages = [
  { path: "/console", ready: "form" },
  { path: "/docs", ready: ".opblock" },
  { path: "/docs/guide", ready: "h1" },
] as const

const visit = async (page: Page, address: string, ready: string): Promise<Visit> => {
  await page.send("Network.enable")
  await page.send("Network.setCacheDisabled", { cacheDisabled: true })
  await page.open(address)
  await eventually(
    `${address} shows ${ready}`,
    () =>
      page.evaluate(`document.querySelector("${ready}") !== null && performance.getEntriesByType("paint").length > 1`),
    Boolean,
  )
  const [firstPaint, contentfulPaint, kilobytes] = Array.from(Object(await page.evaluate(measured)), Number)
  if (firstPaint === undefined || contentfulPaint === undefined || kilobytes === undefined) throw new Error("no paint")
  return { firstPaint, contentfulPaint, kilobytes }
}

export const pagesBench = async ({ rounds }: Settings, write: (text: string) => void): Promise<void> => {
  const found = new Map<string, Array<Visit>>(pages.map(({ path }) => [path, []]))
  let version = ""
  for (let round = 0; round < rounds; round++) {
    await using server = await startServer()
    await using chrome = await browser()
    version = chrome.version
    for (let turn = 0; turn < visitsPerRound; turn++) {
      for (const { path, ready } of pages) {
        const page = await chrome.page("about:blank")
        found.get(path)?.push(await visit(page, `${server.origin}${path}`, ready))
        await page.send("Page.close")
      }
    }
  }
  write(
    `\nFirst paint of pages, ${version}, ${rounds} fresh servers, ${visitsPerRound} visits each with an empty cache`,
  )
  for (const [path, visits] of found) {
    const of = (name: keyof Visit) => visits.map((each) => each[name])
    const paints = of("firstPaint")
    write(
      `${path.padEnd(14)} first paint ${median(paints).toFixed(0)} ms (slowest ${Math.max(...paints).toFixed(0)}), content ${median(of("contentfulPaint")).toFixed(0)} ms, ${median(of("kilobytes")).toFixed(0)} kB`,
    )
  }
}
