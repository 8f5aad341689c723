/** The OpenAPI document of the contract: valid, in step with the table, and describing what is sent. */

import { expect, it } from "@effect/vitest"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Ajv2020, type AnySchema } from "ajv/dist/2020.js"
import { Arbitrary, Effect, Schema } from "effect"
import { portRows, portsDocument } from "../../scripts/PortsDocument.ts"

const document = JSON.parse(portsDocument())

it("passes the linter", async () => {
  const config = await createConfig({
    extends: ["recommended-strict"],
    // A lost answer has any status, and signatures are no scheme of the format.
    rules: { "operation-4xx-response": "off", "security-defined": "off", "no-server-example.com": "off" },
  })
  const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: "openapi.json", config })
  expect(found.map(({ location, message, ruleId }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

it("asks for the reference in the answer of each operation whose request has one", () => {
  const echoing = portRows.filter(({ path }) =>
    JSON.stringify(document.paths[path].post.responses["200"].content).startsWith(
      '{"application/json":{"schema":{"allOf"',
    ),
  )
  expect(echoing.map(({ path }) => path)).toEqual([
    "/rails/pull",
    "/rails/push",
    "/rails/inquire",
    "/rails/refund",
    "/rails/cancel",
    "/issuer/provision",
    "/issuer/change-state",
    "/issuer/reveal",
    "/issuer/screen",
    "/issuer/collect",
    "/funding-instructions/for-payment",
    "/funding-instructions/for-account",
  ])
})

const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** A schema of the document, with the components that it refers to. */
const validatorOf = (schema: object) => {
  const whole: AnySchema = { ...schema, components: document.components }
  return ajv.compile(whole)
}

for (const { answer, path, request } of portRows) {
  const { requestBody, responses } = document.paths[path].post
  const isRequest = validatorOf(requestBody.content["application/json"].schema.properties.request)
  const answers = responses["200"].content["application/json"].schema
  const isAnswer = validatorOf(answers.allOf?.[1] ?? answers)
  it.effect.prop(
    `describes the requests and answers of ${path}`,
    { asked: Arbitrary.schema(request), answered: Arbitrary.schema(answer) },
    ({ answered, asked }) =>
      Effect.sync(() => {
        const json = (schema: Schema.Codec<unknown, unknown>, value: unknown) =>
          JSON.parse(JSON.stringify(Schema.encodeSync(schema)(value)))
        expect([isRequest(json(request, asked)), isRequest.errors]).toEqual([true, null])
        expect([isAnswer(json(answer, answered)), isAnswer.errors]).toEqual([true, null])
      }),
    { arbitrary: { runs: 10 } },
  )
}
