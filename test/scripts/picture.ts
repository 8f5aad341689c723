/** Takes the picture of the workbench that the README and the documentation show: `npm run picture`. */
import { writeFileSync } from "node:fs"
import { browser } from "../src/console/Browser.ts"
import { person } from "../src/console/Person.ts"
import { credentialOptions } from "../src/e2e/Flow.ts"
import { startServer } from "../src/e2e/ServerProcess.ts"

await using server = await startServer({ options: credentialOptions })
await using chrome = await browser()
const page = await chrome.page(`${server.origin}/`)
const reader = person(page)
const press = async (control: string) => {
  await reader.tabTo(control)
  await reader.press("Enter")
}
await page.send("Emulation.setDeviceMetricsOverride", { width: 1280, height: 700, deviceScaleFactor: 1, mobile: false })
await reader.awaits("Filled in by this sandbox")
await reader.type("Grace Hopper")
await reader.press("Enter")
await reader.awaits("Nothing waits.")
await press("Run a scenario")
await reader.awaits("Scenarios")
await press("Run: A payroll agent waiting for approval")
await reader.awaits("A payroll agent waiting for approval: what it made")
// A page that is opened anew shows no notices.
await page.open(`${server.origin}/`)
await press("Approvals1")
await reader.awaits("Ada Lovelace")
writeFileSync(new URL("../../docs/workbench.png", import.meta.url), await page.screenshot())
