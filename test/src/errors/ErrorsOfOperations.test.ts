/** The page of errors: what the graph of codes follows, which error classes it lists, and what it says of known operations. */
import { ErrorCodes } from "@countersign/core/models"
import { expect, it } from "vitest"
import { codeGraph } from "../../scripts/errors/CodeGraph.ts"
import { functionErrors } from "../../scripts/errors/FunctionErrors.ts"
import { everyFile, isPackageSource } from "../tidy/Repository.ts"
import { errorsPage, unlistedCodes } from "../traffic/UnlistedCodes.ts"

const service = `import { Context, Effect, Layer } from "effect"
import * as Rules from "./Rules.ts"
export class Cards extends Context.Service<Cards, { readonly get: () => void }>()("Cards") {
  static readonly layer = Layer.effect(
    Cards,
    Effect.gen(function* () {
      const get = () => Rules.first
      const list = () => refuse({ code: "CARD_NOT_MUTABLE" })
      return { get, list }
    }),
  )
}
const refuse = (refusal) => refusal
`
const rules = `// "ACCOUNT_LOCKED" is only a comment
const ended = [{ code: "CARD_ALREADY_CLOSED" }]
export const first = [...ended]
export const second = { status: "EXPIRED", code: "CONFLICT" }
`
const handlers = `import { Cards } from "@countersign/core"
const made = function* () {
    const cards = yield* Cards
}
`

it("follows calls of services, namespaces, names and spreads, and neither comments nor other functions", () => {
  const graph = codeGraph([
    { path: "a/Cards.ts", text: service },
    { path: "a/Rules.ts", text: rules },
    { path: "b/Handlers.ts", text: handlers },
  ])
  expect([...graph.codesOf("b/Handlers.ts", "ok(cards.get())")]).toEqual(["CARD_ALREADY_CLOSED"])
  expect([...graph.codesOf("b/Handlers.ts", "ok(cards.list())")]).toEqual(["CARD_NOT_MUTABLE"])
  expect([...graph.codesOf("a/Cards.ts", "Rules.second")]).toEqual(["CONFLICT"])
  expect([...graph.codesOf("b/Handlers.ts", "Cards.use((all) => all.list())")]).toEqual(["CARD_NOT_MUTABLE"])
})

it("reports a code that an operation answered and that its row does not have", () => {
  const answered = (operation: string, code: string) => ({
    operation,
    code,
    status: 400,
    serviceName: "x",
    problems: [],
  })
  const noted = [
    answered("DELETE /customers/{customerId}", "CUSTOMER_DELETED"),
    answered("DELETE /customers/{customerId}", "INVALID_INPUT"),
    answered("GET /agents", "CARD_ALREADY_CLOSED"),
  ]
  expect(unlistedCodes(errorsPage(), noted)).toEqual([
    "GET /agents answered CARD_ALREADY_CLOSED, which docs/errors-of-operations.md does not list",
  ])
})

it("lists each public class of errors, and only errors that exist", () => {
  const files = everyFile()
  const packageOf = (path: string) =>
    /^(?:packages\/([\w-]+)\/src|docs\/api\/(\w[\w-]*))/u.exec(path)?.slice(1).find(Boolean) ?? ""
  const surface = files.filter(({ path }) => path.startsWith("docs/api/"))
  const isPublic = (name: string, owner: string) =>
    surface.some(({ path, text }) => packageOf(path).startsWith(owner) && new RegExp(`\\b${name}\\b`, "u").test(text))
  const classes = files
    .filter(({ path }) => isPackageSource(path))
    .flatMap(({ path, text }) => {
      const found = text.matchAll(/^export class (\w+)(?:<.*?>)? extends (?:Data\.TaggedError|Error\b)/gmu)
      return [...found].flatMap(([, name = ""]) => (isPublic(name, packageOf(path)) ? [name] : []))
    })
  const listed = new Set(functionErrors.flatMap(({ errors }) => errors))
  expect([...listed].toSorted()).toEqual([...new Set(classes)].toSorted())
})

it("leaves out the codes of the table that the specification names and no operation answers", () => {
  const shown = new Set([...errorsPage().matchAll(/`([A-Z_]+)`/gu)].map(([, code = ""]) => code))
  const absent = ErrorCodes.keys.filter((code) => !shown.has(code))
  expect(absent).toEqual([
    "INVALID_PAYREQ_RESPONSE",
    "INVALID_RECEIVER",
    "PARSE_PAYREQ_RESPONSE_ERROR",
    "CERT_CHAIN_INVALID",
    "CERT_CHAIN_EXPIRED",
    "INVALID_PUBKEY_FORMAT",
    "MISSING_REQUIRED_UMA_PARAMETERS",
    "INVALID_TIMESTAMP",
    "INVALID_NONCE",
    "TRANSACTION_SIZE_LIMIT_EXCEEDED",
    "COUNTERPARTY_NOT_ALLOWED",
    "VELOCITY_LIMIT_EXCEEDED",
    "PAYREQ_REQUEST_FAILED",
    "EMAIL_OTP_CREDENTIAL_SYNC_FAILED",
    "UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY",
  ])
})
