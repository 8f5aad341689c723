/** Masks in place of secrets: by the schema, by the name, and where no schema describes a value. Source: D-464. */
import { Schema } from "effect"
import { expect, it } from "vitest"
import { secret } from "../../../packages/core/src/foundation/kit/Secret.ts"
import { isSecretName, mask, maskOf } from "../../../packages/core/src/foundation/kit/SecretMask.ts"

/** The masked value, and the paths of what was masked. */
const masked = (value: unknown, ...schemas: ReadonlyArray<Schema.Top>) => {
  const paths: Array<string> = []
  return [maskOf(schemas)(value, (path) => void paths.push(path)), paths]
}

const Code = Schema.String.annotate(secret)
const Person = Schema.Struct({ name: Schema.String, code: Code, age: Schema.optionalKey(Schema.Int) })

it("masks a member that the schema marks, and keeps the others", () => {
  expect(masked({ name: "Ada", code: "123", age: 36 }, Person)).toEqual([
    { name: "Ada", code: mask, age: 36 },
    ["code"],
  ])
})

it("masks a mark that follows a check of the value", () => {
  const Checked = Schema.Struct({ code: Schema.String.check(Schema.isMinLength(1)).annotate(secret) })
  expect(masked({ code: "1" }, Checked)).toEqual([{ code: mask }, ["code"]])
})

it("masks inside lists, nested objects and each of several alternatives", () => {
  const Team = Schema.Struct({ people: Schema.Array(Person), lead: Schema.Union([Person, Schema.String]) })
  expect(masked({ people: [{ name: "A", code: "1" }], lead: { name: "B", code: "2" } }, Team)).toEqual([
    { people: [{ name: "A", code: mask }], lead: { name: "B", code: mask } },
    ["people.0.code", "lead.code"],
  ])
  expect(masked({ people: [], lead: "Ada" }, Team)).toEqual([{ people: [], lead: "Ada" }, []])
  const Pair = Schema.Tuple([Schema.String, Code])
  expect(masked(["a", "b"], Schema.Struct({ name: Schema.String }), Pair)[1]).toContain("0")
})

it("masks in a schema that refers to itself", () => {
  interface Tree {
    readonly code: string
    readonly next?: Tree
  }
  const Tree: Schema.Codec<Tree> = Schema.Struct({
    code: Code,
    next: Schema.optionalKey(Schema.suspend((): Schema.Codec<Tree> => Tree)),
  })
  expect(masked({ code: "1", next: { code: "2" } }, Tree)).toEqual([
    { code: mask, next: { code: mask } },
    ["code", "next.code"],
  ])
})

it("masks the encoded form of a value", () => {
  const Sent = Schema.Struct({ count: Schema.NumberFromString, code: Code })
  expect(masked({ count: "7", code: "1" }, Sent)).toEqual([{ count: "7", code: mask }, ["code"]])
})

it("masks a member that no schema describes, with all that is in it", () => {
  expect(masked({ name: "Ada", kode: "123", more: { a: [1] } }, Person)).toEqual([
    { name: "Ada", kode: mask, more: mask },
    ["kode", "more"],
  ])
})

it("masks a value of another form than the schema's, which may be a misplaced secret", () => {
  expect(masked("123", Person)).toEqual([mask, [""]])
  expect(masked(["123"], Person)).toEqual([mask, [""]])
  expect(masked({ name: { first: "Ada" } }, Person)).toEqual([{ name: { first: mask } }, ["name.first"]])
  expect(masked({ name: ["Ada"] }, Person)).toEqual([{ name: mask }, ["name"]])
  expect(masked({ a: 1 })).toEqual([mask, [""]])
})

it("keeps what says nothing: null, absent and boolean values", () => {
  expect(masked({ code: null, name: true, other: undefined }, Person)).toEqual([
    { code: null, name: true, other: undefined },
    [],
  ])
})

it("keeps the members of an open value, but those with a secret's name", () => {
  const Open = Schema.Struct({ details: Schema.Unknown, labels: Schema.Record(Schema.String, Schema.String) })
  const value = { details: { a: [{ b: 1, password: "x" }] }, labels: { a: "b", apiKey: "k" } }
  expect(masked(value, Open)).toEqual([
    { details: { a: [{ b: 1, password: mask }] }, labels: { a: "b", apiKey: mask } },
    ["details.a.0.password", "labels.apiKey"],
  ])
})

it("masks a secret's name whatever the schema says, and no name that only resembles one", () => {
  const Named = Schema.Struct({ clientSecret: Schema.String, secretary: Schema.String })
  expect(masked({ clientSecret: "s", secretary: "Ada" }, Named)).toEqual([
    { clientSecret: mask, secretary: "Ada" },
    ["clientSecret"],
  ])
  const secrets = "secret password passphrase passcode otp pin cvv mnemonic signature Authorization cookie access_token"
  for (const name of `${secrets} oidcToken api-key privateKey recoveryCodes embedUrl encryptedBundle`.split(" "))
    expect(isSecretName(name), name).toBe(true)
  for (const name of ["name", "token", "key", "pinned", "signatureCount", "url", "isEncrypted"])
    expect(isSecretName(name), name).toBe(false)
})

it("knows a member that a deployment spells with its own name", () => {
  const paths: Array<string> = []
  const neutralOf = (name: string) => (name === "acmeCode" ? "code" : name)
  const value = maskOf([Person], neutralOf)({ name: "Ada", acmeCode: "1" }, (path) => void paths.push(path))
  expect([value, paths]).toEqual([{ name: "Ada", acmeCode: mask }, ["acmeCode"]])
})
