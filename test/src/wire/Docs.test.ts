/** The documentation page is complete and uses no external resources. */
import { EventTypes } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { contentType, form as formBody, partsOf } from "../document/Forms.ts"
import { basic, bearer, json, send } from "./FakeService.ts"

const unescaped = (html: string): string =>
  html
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

const response = await send("/docs/static", { authorization: null })
const page = await response.text()

describe("the page", () => {
  it("forbids scripts and external resources", () => {
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'; style-src 'unsafe-inline'")
    expect(page).not.toMatch(/<script|<img|<iframe|<link|@import|url\(|\son\w+=|javascript:/iu)
    const addresses = [...page.matchAll(/(?:href|src)="([^"]*)"/gu)].map(([, address]) => address)
    expect(addresses.length).toBeGreaterThan(50)
    expect(
      addresses.filter((address) => !/^(?:#|\/openapi\.json$|\/docs\/guide$|\/docs\/site\/$)/u.test(address ?? "")),
    ).toEqual([])
  })

  it("shows every operation and every schema, and every link has a target", async () => {
    const document = await json(send("/openapi.json"))
    for (const item of Object.values(document.paths)) {
      for (const { operationId } of Object.values(item)) expect(page).toContain(`<article id="${operationId}"`)
    }
    const webhooks = Object.values(Object(document)["webhooks"]).map((webhook) => Object(webhook)["post"])
    expect(webhooks.length).toBeGreaterThan(10)
    for (const { operationId } of webhooks) expect(page).toContain(`<article id="${operationId}"`)
    for (const name of Object.keys(document.components.schemas)) expect(page).toContain(`id="schema-${name}"`)
    const ids = new Set([...page.matchAll(/\sid="([^"]*)"/gu)].map(([, id]) => id))
    const targets = [...page.matchAll(/href="#([^"]*)"/gu)].map(([, target]) => target)
    expect(targets.filter((target) => !ids.has(target))).toEqual([])
    expect([...page.matchAll(/\sid="([^"]*)"/gu)]).toHaveLength(ids.size)
  })

  it("names every event, and leads to the guide", () => {
    expect(EventTypes.keys.filter((type) => !page.includes(`<code>${type}</code>`))).toEqual([])
    expect(page).toContain('<a href="/docs/guide">')
  })

  it("has an example of each operation", () => {
    expect(page).toMatch(/curl -X POST &quot;\$\{HOST:-http:[^}]+\}\/2025-10-13\/agents\/me\/transfer-in&quot;/u)
    expect(page).toContain("Authorization: Bearer $AGENT_TOKEN")
    expect(page).toContain("&quot;accountId&quot;: &quot;ExternalAccount:00000000-0000-4000-8000-000000000001&quot;")
    expect(page).not.toMatch(/undefined|\[object|NaN/u)
  })

  it("has examples that the interface accepts unchanged", async () => {
    const examples = [...page.matchAll(/<code>(curl [^<]*)<\/code>/gu)].map(([, text]) => unescaped(text ?? ""))
    expect(examples.length).toBeGreaterThan(20)
    expect(examples.filter((example) => example.includes("-d '")).length).toBeGreaterThan(5)
    for (const example of examples) {
      const [, method = "", path = ""] = /^curl (?:-N )?-X (\w+) "\$\{HOST:-[^}]+\}([^"]+)"/u.exec(example) ?? []
      const body = /-d '(.*)'$/su.exec(example)?.[1]
      const authorization = example.includes("$AGENT_TOKEN") ? bearer() : basic()
      const form = partsOf(example)
      const keyed = example.includes('-H "Idempotency-Key: $(date +%s)-$RANDOM"') ? { "idempotency-key": "k" } : {}
      const sent = {
        method,
        authorization,
        headers: keyed,
        ...(body === undefined ? {} : { body }),
        ...(form === undefined ? {} : { body: formBody(form), headers: { ...keyed, "content-type": contentType } }),
      }
      expect(path).not.toMatch(/[{}]/u)
      const response = await send(path, sent)
      expect([example, response.status < 300]).toEqual([example, true])
    }
  })

  it("is well nested, has one main heading and a language", () => {
    const open: Array<string> = []
    for (const [, slash, name] of page.matchAll(/<(\/?)(\w+)[^>]*>/gu)) {
      if (name === undefined || ["meta", "br"].includes(name)) continue
      if (slash === "") open.push(name)
      else expect(open.pop()).toBe(name)
    }
    expect(open).toEqual([])
    expect(page.match(/<h1/gu)).toHaveLength(1)
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/u)
    expect(page).toContain('name="viewport"')
    expect(page).toContain("prefers-color-scheme:dark")
  })
})
