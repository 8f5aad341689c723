/**
 * The area Worlds of the console in a browser, with the keyboard alone, from a phone's width on, in light and dark.
 * Source: D-470, D-471.
 */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { eventually } from "../e2e/Deadline.ts"
import { credentials, newCustomer, newWorld, type World } from "../e2e/Flow.ts"
import { newFolder } from "../e2e/Folder.ts"
import { type Browser, browser } from "./Browser.ts"
import { fitsEverywhere } from "./FitsEverywhere.ts"
import { type Person, person } from "./Person.ts"

let world: World
let chrome: Browser
let reader: Person

beforeAll(async () => {
  ;[world, chrome] = await Promise.all([newWorld(), browser()])
}, 120_000)
afterAll(async () => {
  await Promise.all([world[Symbol.asyncDispose](), chrome[Symbol.asyncDispose]()])
})
beforeEach(async () => {
  reader = person(await chrome.page(`${world.server.origin}/console`))
  await reader.signIn(credentials.clientId, credentials.clientSecret)
  await reader.awaits("Approvals")
  await press("Worlds")
  await reader.awaits("Name of the world")
})

const press = async (control: string) => {
  await reader.tabTo(control)
  await reader.press("Enter")
}
const customers = async () => (await world.platform("GET", "/customers")).body["totalCount"]
const named = async (name: string) => {
  await reader.tabTo("Name of the world")
  await reader.type(name)
}

describe("the worlds", () => {
  it("are saved, forked, loaded, replaced, deleted and reset, with the keyboard alone", async () => {
    await newCustomer(world.platform)
    const before = await customers()
    await reader.awaits("No world is saved.")
    await fitsEverywhere(reader.page)
    await named("monday")
    await press("Save")
    await reader.awaits("monday was saved.")
    await reader.awaits("Continues here")
    await newCustomer(world.platform)
    await named("with-two")
    await press("Fork")
    await reader.awaits("The sandbox goes on as with-two.")
    await fitsEverywhere(reader.page)

    await press("Load monday")
    await reader.awaits("The present state is lost unless it is saved.")
    await fitsEverywhere(reader.page)
    await reader.press("Escape")
    expect(await customers()).not.toBe(before)
    await press("Load monday")
    await reader.awaits("Load monday?")
    await press("Load")
    await reader.awaits(/The world was replaced/u)
    expect(await customers()).toBe(before)

    await named("monday")
    await press("Save")
    await reader.awaits("is saved already")
    await fitsEverywhere(reader.page)
    await newCustomer(world.platform)
    await press("Replace monday")
    await reader.awaits("The saved state of this name is lost.")
    await press("Replace")
    await reader.awaits("monday was replaced.")
    await press("Delete with-two")
    await reader.awaits("Delete with-two?")
    await press("Delete")
    await reader.awaits("with-two was deleted.")

    await press("Reset the world")
    await reader.awaits("Reset the world?")
    await press("Reset")
    await reader.awaits(/The world was replaced/u)
    expect(await customers()).toBe(0)
    await press("Load monday")
    await reader.awaits("Load monday?")
    await press("Load")
    await eventually("the customers are back", customers, (count) => count === Number(before) + 1)
    // The session outlives the worlds.
    await reader.awaits("Continues here")
    expect(reader.page.console.filter((line) => !line.includes("409"))).toEqual([])
  })

  it("are downloaded, and added from a file that the service accepts", async () => {
    await using folder = await newFolder()
    await world.platform("POST", "/sandbox/worlds", { body: { name: "shared" } })
    const { body } = await world.platform("GET", "/sandbox/worlds/shared/file")
    await world.platform("DELETE", "/sandbox/worlds/shared")
    const choose = async (name: string, content: string) => {
      const path = join(folder.path, name)
      await writeFile(path, content)
      const found = await reader.page.send("Runtime.evaluate", { expression: "document.getElementById('world-file')" })
      const { objectId } = found["result"] as { readonly objectId: string }
      await reader.page.send("DOM.setFileInputFiles", { files: [path], objectId })
    }
    await choose("shared.json", JSON.stringify(body))
    await reader.awaits("shared was added.")
    await press("Download shared")
    await reader.awaits("shared was downloaded.")
    await choose("text.json", "no world")
    await reader.awaits("The file is not the file of a world.")
    await choose("large.json", " ".repeat(1024 * 1024 + 1))
    await reader.awaits("The file is larger than 1 MiB")
    await choose("changed.json", JSON.stringify({ ...body, name: "other" }))
    await reader.awaits("its checksum does not match")
    expect(reader.page.console.filter((line) => !line.includes("400"))).toEqual([])
  })
})
