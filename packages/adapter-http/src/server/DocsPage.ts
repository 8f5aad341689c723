/**
 * The documentation page: plain HTML made from the OpenAPI document, without scripts and external resources.
 * Spec: Endpoints, Errors, Authentication.
 */
import { ErrorCodes, type Spellings } from "@countersign/core/models"
import { curlSamples } from "./CodeSamples.ts"
import { docsStyle } from "./DocsStyle.ts"
import { membersOf } from "./DocumentExamples.ts"
import { at, entries, isObject, type Json, type JsonObject, list, text } from "./Json.ts"
import * as SitePages from "./SitePages.ts"

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}
const escaped = (raw: string): string => raw.replace(/[&<>"']/gu, (character) => entities[character] ?? "")

/** Renders text: `code` in backticks, paragraphs separated by blank lines. */
const prose = (raw: string): string =>
  raw
    .split("\n\n")
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join("")
const inline = (raw: string): string => escaped(raw).replace(/`([^`]+)`/gu, "<code>$1</code>")

const schemaName = (schema: Json | undefined): string | undefined =>
  /^#\/components\/schemas\/(.+)$/u.exec(text(at(schema, "$ref")))?.[1]

const link = (name: string): string => `<a href="#schema-${escaped(name)}">${escaped(name)}</a>`

/** Returns the type of a schema for the reader, with links to named schemas. */
const typeOf = (schema: Json | undefined): string => {
  const name = schemaName(schema)
  if (name !== undefined) return link(name)
  const members = membersOf(schema)
  if (members.length > 0) return members.map(typeOf).join(" or ")
  const type = text(at(schema, "type"))
  if (type === "array") return `array of ${typeOf(at(schema, "items"))}`
  const format = text(at(schema, "format"))
  return escaped(type === "" ? "any" : `${type}${format === "" ? "" : ` (${format})`}`)
}

const rulesShown = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern"] as const

const rulesOf = (schema: Json | undefined): string => {
  const values = list(at(schema, "enum"))
  const rules = rulesShown.flatMap((name) => {
    const value = at(schema, name)
    return typeof value === "string" || typeof value === "number"
      ? [`${name} <code>${escaped(String(value))}</code>`]
      : []
  })
  const listed =
    values.length === 0 ? [] : [`one of ${values.map((value) => `<code>${escaped(String(value))}</code>`).join(", ")}`]
  return [...listed, ...rules].join("; ")
}

interface Row {
  readonly name: string
  readonly isRequired: boolean
  readonly schema: Json | undefined
  readonly description: string
}

const table = (caption: string, rows: ReadonlyArray<Row>): string =>
  rows.length === 0
    ? ""
    : `<div class="scroll" tabindex="0" role="region" aria-label="${escaped(caption)}"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Required</th><th scope="col">Rules</th></tr></thead><tbody>${rows
        .map(({ description, isRequired, name, schema }) => {
          const rules = [inline(description), rulesOf(schema)].filter((part) => part !== "").join("<br>")
          return `<tr><td><code>${escaped(name)}</code></td><td>${typeOf(schema)}</td><td>${isRequired ? "yes" : "no"}</td><td>${rules}</td></tr>`
        })
        .join("")}</tbody></table></div>`

const fieldsOf = (schema: Json | undefined): ReadonlyArray<Row> => {
  const required = list(at(schema, "required"))
  return entries(at(schema, "properties")).map(([name, field]) => ({
    name,
    isRequired: required.includes(name),
    schema: field,
    description: text(at(field, "description")),
  }))
}

const formSchema = (holder: Json | undefined): Json | undefined =>
  at(holder, "content", "multipart/form-data", "schema")

const jsonSchema = (holder: Json | undefined): Json | undefined =>
  at(holder, "content", "application/json", "schema") ?? formSchema(holder)

const sampleOf = (source: string): string =>
  source === "" ? "" : `<h4>Example</h4><pre tabindex="0"><code>${escaped(source)}</code></pre>`

const parametersOf = (operation: JsonObject, where: string): ReadonlyArray<Row> =>
  list(operation["parameters"])
    .filter((parameter) => at(parameter, "in") === where)
    .map((parameter) => ({
      name: text(at(parameter, "name")),
      isRequired: at(parameter, "required") === true,
      schema: at(parameter, "schema"),
      description: text(at(parameter, "description")) || text(at(parameter, "schema", "description")),
    }))

const part = (title: string, content: string): string => (content === "" ? "" : `<h4>${title}</h4>${content}`)

const responsesOf = (operation: JsonObject): string =>
  `<ul>${entries(operation["responses"])
    .map(([status, response]) => {
      const schema = jsonSchema(response)
      const isError = Number(status) >= 400
      const what = isError
        ? inline(text(at(response, "description")))
        : schema === undefined
          ? "No body."
          : typeOf(schema)
      return `<li><strong>${escaped(status)}</strong> ${what}</li>`
    })
    .join("")}</ul>`

interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly operation: JsonObject
}

const operationsOf = (paths: Json | undefined): ReadonlyArray<Operation> =>
  entries(paths).flatMap(([path, item]) =>
    entries(item).flatMap(([method, operation]) =>
      isObject(operation)
        ? [
            {
              id: text(operation["operationId"]),
              method,
              path,
              tag: text(list(operation["tags"])[0]),
              summary: text(operation["summary"]),
              operation,
            },
          ]
        : [],
    ),
  )

const section = ({ id, method, operation, path, summary }: Operation, sample: string): string => {
  const body = jsonSchema(operation["requestBody"])
  const isRequired = at(operation["requestBody"], "required") === true
  return `<article id="${escaped(id)}" aria-labelledby="${escaped(id)}-title"><h3 id="${escaped(id)}-title">${escaped(summary)}</h3>
<p class="path"><span class="method ${escaped(method)}">${escaped(method.toUpperCase())}</span> <code>${escaped(path)}</code></p>
${prose(text(operation["description"]))}${part("Path", table(`Path of ${summary}`, parametersOf(operation, "path")))}${part("Query", table(`Query of ${summary}`, parametersOf(operation, "query")))}${part("Headers", table(`Headers of ${summary}`, parametersOf(operation, "header")))}${part("Body", body === undefined ? "" : `<p>${typeOf(body)}${isRequired ? "" : ' <span class="soft">(optional)</span>'}</p>`)}
${part("Responses", responsesOf(operation))}${sampleOf(sample)}</article>`
}

const schemaSection = ([name, schema]: readonly [string, Json]): string => {
  const fields = table(`Fields of ${name}`, fieldsOf(schema))
  const members = membersOf(schema)
  const choice = members.length === 0 ? "" : `<p>One of ${members.map(typeOf).join(", ")}.</p>`
  const plain = fields === "" && choice === "" ? `<p>${typeOf(schema)} ${rulesOf(schema)}</p>` : ""
  return `<article id="schema-${escaped(name)}"><h3>${escaped(name)}</h3>${prose(text(at(schema, "description")))}${fields}${choice}${plain}</article>`
}

const errorTable = (spellings: Spellings): string =>
  `<div class="scroll" tabindex="0" role="region" aria-label="Error codes"><table><thead><tr><th scope="col">HTTP</th><th scope="col">Codes</th></tr></thead><tbody>${[
    ...Map.groupBy(ErrorCodes.entries, ([, { status }]) => status),
  ]
    .map(
      ([status, rows]) =>
        `<tr><td>${status}</td><td>${rows.map(([code]) => `<code>${spellings.get(code) ?? code}</code>`).join(", ")}</td></tr>`,
    )
    .join("")}</tbody></table></div>`

/** Returns the page as HTML. The document is spelled already. */
export const make = (document: JsonObject, spellings: Spellings = new Map()): string => {
  const title = escaped(text(at(document, "info", "title")))
  const base = text(at(list(document["servers"])[0], "url")).replace(/\/$/u, "")
  const components = at(document, "components", "schemas")
  const schemas = isObject(components) ? components : {}
  const operations = operationsOf(document["paths"])
  const webhooks = operationsOf(document["webhooks"])
  const samples = curlSamples(document)
  const tags = list(document["tags"]).map((tag) => ({
    name: text(at(tag, "name")),
    description: text(at(tag, "description")),
  }))
  const of = (tag: string) => operations.filter((operation) => operation.tag === tag)
  const listed = (name: string, entries: ReadonlyArray<Operation>) =>
    `<h2>${escaped(name)}</h2><ul>${entries
      .map(({ id, summary }) => `<li><a href="#${escaped(id)}">${escaped(summary)}</a></li>`)
      .join("")}</ul>`
  const contents = [
    ...tags.map(({ name }) => listed(name, of(name))),
    listed("Webhooks that you receive", webhooks),
  ].join("")
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${docsStyle}</style></head>
<body><a class="skip" href="#content">Skip to content</a><div class="page"><nav aria-label="Contents">${contents}<h2>Reference</h2><ul><li><a href="/docs/guide">Guide</a></li><li><a href="#errors">Errors</a></li><li><a href="#schemas">Schemas</a></li></ul></nav>
<main id="content"><h1>${title}</h1><p class="soft">Version ${escaped(text(at(document, "info", "version")))}. Base path <code>${escaped(base === "" ? "/" : base)}</code>. <a href="/openapi.json">OpenAPI document</a>. <a href="/docs/guide">Guide</a>: authentication, webhooks, machines and magic values. ${SitePages.link()}</p><p class="soft">The examples read <code>HOST</code>, <code>CLIENT_ID</code>, <code>CLIENT_SECRET</code> and <code>AGENT_TOKEN</code>; ids such as <code>Customer:00000000-0000-4000-8000-000000000001</code> stand for records of yours.</p>${prose(text(at(document, "info", "description")))}
${tags
  .map(
    ({ description, name }) =>
      `<section><h2>${escaped(name)}</h2>${prose(description)}${of(name)
        .map((operation) => section(operation, samples[operation.id] ?? ""))
        .join("")}</section>`,
  )
  .join("")}
<section><h2>Webhooks that you receive</h2><p>Requests that the service sends to the endpoint of the platform.</p>${webhooks.map((webhook) => section(webhook, "")).join("")}</section>
<section><h2 id="errors">Errors</h2><p>Every error has the body ${link("Error")}. A 400 of a field names all fields at once in <code>details.errors</code>.</p>${errorTable(spellings)}</section>
<section><h2 id="schemas">Schemas</h2>${entries(schemas).map(schemaSection).join("")}</section></main></div></body></html>`
}
