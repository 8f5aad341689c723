/** What clients see changes on purpose only: docs/wire.md is what the service's document says. */
import { readFile } from "node:fs/promises"
import { OpenApiDocument } from "@countersign/adapter-http"
import { Api } from "@countersign/client/api"
import { describe, expect, it } from "vitest"
import { wirePage } from "../../scripts/WirePage.ts"

const written = () => readFile(new URL("../../../docs/wire.md", import.meta.url), "utf8")

describe("the page of the wire format", () => {
  it("is what the OpenAPI document says", async () => {
    expect(wirePage(OpenApiDocument.make(Api, "")).split("\n")).toEqual((await written()).split("\n"))
  })

  it("differs when anything differs that a client sees", () => {
    const schema = {
      type: "object",
      required: ["id"],
      properties: {
        id: { type: "string", pattern: "^a$", maxLength: 9 },
        kind: { type: "string", enum: ["ONE", "TWO"] },
        parts: { type: "array", items: { $ref: "#/components/schemas/Part" }, maxItems: 3 },
        either: {
          oneOf: [{ type: "string" }, { type: "integer", minimum: 1 }],
          discriminator: { propertyName: "kind" },
        },
      },
    }
    const operation = {
      operationId: "createThing",
      parameters: [{ in: "query", name: "limit", schema: { type: "integer", default: 20 } }],
      requestBody: {
        required: true,
        content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
      },
      responses: { 201: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } } },
    }
    const document = { paths: { "/things": { post: operation } }, components: { schemas: { Thing: schema } } }
    const page = wirePage(document)
    expect(page).toContain(
      "POST /things  createThing\n  query limit?: integer (default 20)\n  body: Thing\n  201: Thing\n",
    )
    expect(page).toContain('  id: string (pattern "^a$", maxLength 9)\n  kind?: "ONE" | "TWO"\n')
    expect(page).toContain("  parts?: list of Part (maxItems 3)\n  either?: (string | integer (minimum 1)) by kind\n")
    const text = JSON.stringify(document)
    for (const [old, other] of [
      ["ONE", "THREE"],
      ['"required":["id"]', '"required":[]'],
      ['"maxLength":9', '"maxLength":8'],
      ['"maxItems":3', '"maxItems":4'],
      ['"minimum":1', '"minimum":0'],
      ["^a$", "^b$"],
      ["schemas/Part", "schemas/Other"],
      ['"default":20', '"default":10'],
      ["createThing", "makeThing"],
      ["201", "200"],
      ["propertyName", "other"],
    ] as const) {
      expect(text).toContain(old)
      expect(wirePage(JSON.parse(text.replace(old, other)))).not.toBe(page)
    }
  })
})
