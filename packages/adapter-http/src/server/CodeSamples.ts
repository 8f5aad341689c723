/**
 * Programs that send the example of an operation, in five languages: whole, with nothing but the standard library of the language or the
 * typed client. Address and credentials come from the environment.
 * Source: D-440.
 */
import { example } from "./DocumentExamples.ts"
import { at, entries, isObject, type Json, type JsonObject, list, text } from "./Json.ts"

export interface CodeSample {
  readonly label: string
  readonly source: string
}

const hostDefault = "http://127.0.0.1:8787"

type Credentials = "platform" | "agent" | "none"

/** A request as every language writes it. */
interface Sample {
  readonly id: string
  /** The group of the typed client. */
  readonly group: string
  readonly method: string
  /** With the base path, the example's parameters and the required query. */
  readonly path: string
  readonly base: string
  readonly params: JsonObject
  readonly query: JsonObject
  readonly credentials: Credentials
  readonly isKeyed: boolean
  readonly body: Json | undefined
  /** The parts of a form; the file is `file`. */
  readonly form: ReadonlyArray<readonly [string, string]>
}

const indented = (lines: string, spaces: number): string => lines.replaceAll("\n", `\n${" ".repeat(spaces)}`)
const json = (value: Json | undefined): string => JSON.stringify(value, null, 2)

const curl = ({ body, credentials, form, isKeyed, method, path }: Sample): string =>
  [
    `curl -X ${method} "\${HOST:-${hostDefault}}${path}"`,
    ...(credentials === "platform" ? ['-u "$CLIENT_ID:$CLIENT_SECRET"'] : []),
    ...(credentials === "agent" ? ['-H "Authorization: Bearer $AGENT_TOKEN"'] : []),
    ...(isKeyed ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${json(body).replaceAll("'", "'\\''")}'`]),
    ...form.map(([name, value]) => `-F "${name}=${name === "file" ? "@scan.pdf" : value}"`),
  ].join(" \\\n  ")

const javascript = ({ body, credentials, form, isKeyed, method, path }: Sample): string => {
  const headers = [
    ...(credentials === "platform"
      ? ['authorization: "Basic " + btoa(process.env.CLIENT_ID + ":" + process.env.CLIENT_SECRET),']
      : []),
    ...(credentials === "agent" ? ['authorization: "Bearer " + process.env.AGENT_TOKEN,'] : []),
    ...(isKeyed ? ['"idempotency-key": crypto.randomUUID(),'] : []),
    ...(body === undefined ? [] : ['"content-type": "application/json",']),
  ]
  return [
    `const host = process.env.HOST ?? "${hostDefault}"`,
    ...(form.length === 0
      ? []
      : [
          "const body = new FormData()",
          ...form.map(([name, value]) =>
            name === "file"
              ? 'body.append("file", new Blob(["%PDF-1.4"], { type: "application/pdf" }), "scan.pdf")'
              : `body.append("${name}", "${value}")`,
          ),
        ]),
    `const response = await fetch(\`\${host}${path}\`, {`,
    `  method: "${method}",`,
    ...(headers.length === 0 ? [] : ["  headers: {", ...headers.map((line) => `    ${line}`), "  },"]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(json(body), 2)}),`]),
    ...(form.length === 0 ? [] : ["  body,"]),
    "})",
    "console.log(response.status, await response.text())",
  ].join("\n")
}

const python = ({ body, credentials, form, isKeyed, method, path }: Sample): string => {
  const modules = ["os", ...(isKeyed ? ["uuid"] : []), "urllib.error", "urllib.request"]
  const basic = credentials === "platform"
  return [
    ...(basic ? ["import base64"] : []),
    ...modules.map((name) => `import ${name}`),
    "",
    `host = os.environ.get("HOST", "${hostDefault}")`,
    ...(basic
      ? [
          'credentials = os.environ["CLIENT_ID"] + ":" + os.environ["CLIENT_SECRET"]',
          'authorization = "Basic " + base64.b64encode(credentials.encode()).decode()',
        ]
      : []),
    ...(credentials === "agent" ? ['authorization = "Bearer " + os.environ["AGENT_TOKEN"]'] : []),
    ...(body === undefined ? [] : [`body = r"""${json(body)}"""`]),
    ...(form.length === 0
      ? []
      : [
          'boundary = "----countersign"',
          'body = b""',
          ...form
            .filter(([name]) => name !== "file")
            .map(
              ([name, value]) =>
                `body += f'--{boundary}\\r\\nContent-Disposition: form-data; name="${name}"\\r\\n\\r\\n${value}\\r\\n'.encode()`,
            ),
          `body += f'--{boundary}\\r\\nContent-Disposition: form-data; name="file"; filename="scan.pdf"\\r\\nContent-Type: application/pdf\\r\\n\\r\\n'.encode()`,
          "body += b'%PDF-1.4' + f'\\r\\n--{boundary}--\\r\\n'.encode()",
        ]),
    `request = urllib.request.Request(host + "${path}", method="${method}"${body === undefined ? (form.length === 0 ? "" : ", data=body") : ", data=body.encode()"})`,
    ...(credentials === "none" ? [] : ['request.add_header("Authorization", authorization)']),
    ...(isKeyed ? ['request.add_header("Idempotency-Key", str(uuid.uuid4()))'] : []),
    ...(body === undefined ? [] : ['request.add_header("Content-Type", "application/json")']),
    ...(form.length === 0 ? [] : ['request.add_header("Content-Type", "multipart/form-data; boundary=" + boundary)']),
    "try:",
    "    with urllib.request.urlopen(request) as response:",
    "        print(response.status, response.read().decode())",
    "except urllib.error.HTTPError as error:",
    "    print(error.code, error.read().decode())",
  ].join("\n")
}

const go = ({ body, credentials, form, isKeyed, method, path }: Sample): string => {
  const isForm = form.length > 0
  const imports = [
    ...(isForm ? ["bytes"] : []),
    ...(isKeyed ? ["crypto/rand"] : []),
    "fmt",
    "io",
    ...(isForm ? ["mime/multipart"] : []),
    "net/http",
    "os",
    ...(body === undefined ? [] : ["strings"]),
  ]
  const sent = isForm ? "&form" : body === undefined ? "nil" : "strings.NewReader(body)"
  return [
    "package main",
    "",
    "import (",
    ...imports.map((name) => `\t"${name}"`),
    ")",
    "",
    ...(body === undefined ? [] : [`const body = \`${json(body)}\``, ""]),
    "func main() {",
    '\thost := os.Getenv("HOST")',
    '\tif host == "" {',
    `\t\thost = "${hostDefault}"`,
    "\t}",
    ...(isForm
      ? [
          "\tvar form bytes.Buffer",
          "\twriter := multipart.NewWriter(&form)",
          ...form
            .filter(([name]) => name !== "file")
            .map(([name, value]) => `\twriter.WriteField("${name}", "${value}")`),
          '\tfile, err := writer.CreateFormFile("file", "scan.pdf")',
          "\tif err != nil {",
          "\t\tpanic(err)",
          "\t}",
          '\tio.WriteString(file, "%PDF-1.4")',
          "\twriter.Close()",
        ]
      : []),
    `\trequest, err := http.NewRequest("${method}", host+"${path}", ${sent})`,
    "\tif err != nil {",
    "\t\tpanic(err)",
    "\t}",
    ...(credentials === "platform"
      ? ['\trequest.SetBasicAuth(os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET"))']
      : []),
    ...(credentials === "agent" ? ['\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("AGENT_TOKEN"))'] : []),
    ...(isKeyed ? ['\trequest.Header.Set("Idempotency-Key", rand.Text())'] : []),
    ...(body === undefined ? [] : ['\trequest.Header.Set("Content-Type", "application/json")']),
    ...(isForm ? ['\trequest.Header.Set("Content-Type", writer.FormDataContentType())'] : []),
    "\tresponse, err := http.DefaultClient.Do(request)",
    "\tif err != nil {",
    "\t\tpanic(err)",
    "\t}",
    "\tdefer response.Body.Close()",
    "\tanswer, err := io.ReadAll(response.Body)",
    "\tif err != nil {",
    "\t\tpanic(err)",
    "\t}",
    "\tfmt.Println(response.StatusCode, string(answer))",
    "}",
  ].join("\n")
}

const typedCredentials: Readonly<Record<Credentials, string>> = {
  platform: '{ clientId: process.env["CLIENT_ID"] ?? "", clientSecret: process.env["CLIENT_SECRET"] ?? "" }',
  agent: '{ accessToken: process.env["AGENT_TOKEN"] ?? "" }',
  none: '"none"',
}

const typedClient = ({ base, body, credentials, form, group, id, isKeyed, params, query }: Sample): string => {
  const fields = form.map(([name, value]) =>
    name === "file" ? 'file: new File(["%PDF-1.4"], "scan.pdf", { type: "application/pdf" }),' : `${name}: "${value}",`,
  )
  const parts = [
    ...(Object.keys(params).length === 0 ? [] : [`params: ${JSON.stringify(params)},`]),
    ...(Object.keys(query).length === 0 ? [] : [`query: ${JSON.stringify(query)},`]),
    ...(isKeyed ? ['headers: { "idempotency-key": crypto.randomUUID() },'] : []),
    ...(body === undefined ? [] : [`payload: ${indented(json(body), 2)},`]),
    ...(form.length === 0 ? [] : ["payload: {", ...fields.map((field) => `  ${field}`), "},"]),
  ]
  const request = parts.length === 0 ? "" : `{\n${parts.map((part) => `  ${part}`).join("\n")}\n}`
  return [
    'import { makeClient } from "@countersign/client"',
    "",
    "const client = makeClient({",
    `  baseUrl: \`\${process.env["HOST"] ?? "${hostDefault}"}${base}\`,`,
    `  credentials: ${typedCredentials[credentials]},`,
    "})",
    `const answer = await client.${group}.${id}(${request})`,
    "console.log(answer)",
  ].join("\n")
}

const examplesOf = (operation: JsonObject, place: string, schemas: JsonObject): JsonObject =>
  Object.fromEntries(
    list(operation["parameters"])
      .filter((parameter) => at(parameter, "in") === place && at(parameter, "required") === true)
      .map((parameter) => {
        const name = text(at(parameter, "name"))
        return [name, example(at(parameter, "schema"), schemas, 0, name)]
      }),
  )

/** Encodes a value of a path or query; identifiers keep their colon. */
const encoded = (value: Json | undefined): string => encodeURIComponent(String(value)).replaceAll("%3A", ":")

const credentialsOf = (operation: JsonObject): Credentials => {
  const [security] = list(operation["security"])
  if (at(security, "BasicAuth") !== undefined) return "platform"
  return at(security, "AgentAuth") === undefined ? "none" : "agent"
}

const formOf = (operation: JsonObject, schemas: JsonObject): Sample["form"] => {
  const schema = at(operation["requestBody"], "content", "multipart/form-data", "schema")
  const form = schemas[text(at(schema, "$ref")).split("/").at(-1) ?? ""] ?? schema
  return list(at(form, "required")).map((name) => [
    text(name),
    String(example(at(form, "properties", text(name)), schemas, 0, text(name))),
  ])
}

const samplesOfOperation = (sample: Sample): ReadonlyArray<CodeSample> => [
  { label: "cURL", source: curl(sample) },
  { label: "JavaScript", source: javascript(sample) },
  { label: "Python", source: python(sample) },
  { label: "Go", source: go(sample) },
  { label: "Typed client", source: typedClient(sample) },
]

/** Returns the samples of each operation by its id. `groupOf` is the typed client's group of an id. */
export const codeSamples = (
  document: JsonObject,
  groupOf: (id: string) => string,
): Readonly<Record<string, ReadonlyArray<CodeSample>>> => {
  const base = text(at(list(document["servers"])[0], "url")).replace(/\/$/u, "")
  const components = at(document, "components", "schemas")
  const schemas = isObject(components) ? components : {}
  return Object.fromEntries(
    entries(document["paths"]).flatMap(([path, item]) =>
      entries(item).flatMap(([method, operation]) => {
        if (!isObject(operation)) return []
        const id = text(operation["operationId"])
        const params = examplesOf(operation, "path", schemas)
        const query = examplesOf(operation, "query", schemas)
        const search = Object.entries(query).map(([name, value]) => `${name}=${encoded(value)}`)
        const filled = path.replace(/\{(\w+)\}/gu, (_, name: string) => encoded(params[name]))
        const sample: Sample = {
          id,
          group: groupOf(id),
          method: method.toUpperCase(),
          path: `${base}${filled}${search.length === 0 ? "" : `?${search.join("&")}`}`,
          base,
          params,
          query,
          credentials: credentialsOf(operation),
          isKeyed: list(operation["parameters"]).some((parameter) => at(parameter, "name") === "Idempotency-Key"),
          body: at(operation["requestBody"], "content", "application/json", "example"),
          form: formOf(operation, schemas),
        }
        return [[id, samplesOfOperation(sample)]]
      }),
    ),
  )
}
