/**
 * Programs that send the example of an operation, in five languages: whole, with nothing but the standard library of the language or the
 * typed client. Address and credentials come from the environment.
 * Source: D-440.
 */
import { example } from "./DocumentExamples.ts"
import { at, entries, isObject, type Json, type JsonObject, list, text } from "./Json.ts"
import { requestOf, type SampleRequest as Sample, type SampleFile } from "./SampleRequest.ts"

export interface CodeSample {
  readonly label: string
  readonly source: string
}

const hostDefault = "http://127.0.0.1:8787"

const indented = (lines: string, spaces: number): string => lines.replaceAll("\n", `\n${" ".repeat(spaces)}`)
const json = (value: Json | undefined): string => JSON.stringify(value, null, 2)

/** The content is quoted, because a comma would separate files. */
const fileOfCurl = ({ content, name, type }: SampleFile): string => `${content};filename=${name};type=${type}`

const curl = ({ body, credentials, form, isKeyed, isStream, method, path }: Sample): string =>
  [
    `curl ${isStream ? "-N " : ""}-X ${method} "\${HOST:-${hostDefault}}${path}"`,
    ...(credentials === "platform" ? ['-u "$CLIENT_ID:$CLIENT_SECRET"'] : []),
    ...(credentials === "agent" ? ['-H "Authorization: Bearer $AGENT_TOKEN"'] : []),
    ...(isKeyed ? ['-H "Idempotency-Key: $(date +%s)-$RANDOM"'] : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${json(body).replaceAll("'", "'\\''")}'`]),
    ...form.map(([name, value]) => `-F '${name}=${typeof value === "string" ? value : fileOfCurl(value)}'`),
  ].join(" \\\n  ")

const javascript = ({ body, credentials, form, isKeyed, isStream, method, path }: Sample): string => {
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
            typeof value === "string"
              ? `body.append("${name}", "${value}")`
              : `body.append("${name}", new Blob([${JSON.stringify(value.content)}], { type: "${value.type}" }), "${value.name}")`,
          ),
        ]),
    `const response = await fetch(\`\${host}${path}\`, {`,
    `  method: "${method}",`,
    ...(headers.length === 0 ? [] : ["  headers: {", ...headers.map((line) => `    ${line}`), "  },"]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(json(body), 2)}),`]),
    ...(form.length === 0 ? [] : ["  body,"]),
    "})",
    ...(isStream
      ? [
          "console.log(response.status)",
          "for await (const text of response.body.pipeThrough(new TextDecoderStream())) console.log(text)",
        ]
      : ["console.log(response.status, await response.text())"]),
  ].join("\n")
}

const python = ({ body, credentials, form, isKeyed, isStream, method, path }: Sample): string => {
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
          ...form.flatMap(([name, value]) =>
            typeof value === "string"
              ? [
                  `body += f'--{boundary}\\r\\nContent-Disposition: form-data; name="${name}"\\r\\n\\r\\n${value}\\r\\n'.encode()`,
                ]
              : [
                  `body += f'--{boundary}\\r\\nContent-Disposition: form-data; name="${name}"; filename="${value.name}"\\r\\nContent-Type: ${value.type}\\r\\n\\r\\n'.encode()`,
                  `body += ${JSON.stringify(value.content)}.encode() + b'\\r\\n'`,
                ],
          ),
          "body += f'--{boundary}--\\r\\n'.encode()",
        ]),
    `request = urllib.request.Request(host + "${path}", method="${method}"${body === undefined ? (form.length === 0 ? "" : ", data=body") : ", data=body.encode()"})`,
    ...(credentials === "none" ? [] : ['request.add_header("Authorization", authorization)']),
    ...(isKeyed ? ['request.add_header("Idempotency-Key", str(uuid.uuid4()))'] : []),
    ...(body === undefined ? [] : ['request.add_header("Content-Type", "application/json")']),
    ...(form.length === 0 ? [] : ['request.add_header("Content-Type", "multipart/form-data; boundary=" + boundary)']),
    "try:",
    "    with urllib.request.urlopen(request) as response:",
    ...(isStream
      ? ["        for line in response:", '            print(line.decode(), end="", flush=True)']
      : ["        print(response.status, response.read().decode())"]),
    "except urllib.error.HTTPError as error:",
    "    print(error.code, error.read().decode())",
  ].join("\n")
}

const go = ({ body, credentials, form, isKeyed, isStream, method, path }: Sample): string => {
  const isForm = form.length > 0
  const imports = [
    ...(isForm ? ["bytes"] : []),
    ...(isStream ? [] : ["fmt"]),
    "io",
    ...(isForm ? ["mime/multipart"] : []),
    "net/http",
    "os",
    ...(body === undefined ? [] : ["strings"]),
    ...(isKeyed ? ["time"] : []),
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
          ...form.flatMap(([name, value]) =>
            typeof value === "string"
              ? [`\twriter.WriteField("${name}", "${value}")`]
              : [
                  `\tfile, err := writer.CreateFormFile("${name}", "${value.name}")`,
                  "\tif err != nil {",
                  "\t\tpanic(err)",
                  "\t}",
                  `\tio.WriteString(file, ${JSON.stringify(value.content)})`,
                ],
          ),
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
    ...(isKeyed ? ['\trequest.Header.Set("Idempotency-Key", fmt.Sprint(time.Now().UnixNano()))'] : []),
    ...(body === undefined ? [] : ['\trequest.Header.Set("Content-Type", "application/json")']),
    ...(isForm ? ['\trequest.Header.Set("Content-Type", writer.FormDataContentType())'] : []),
    "\tresponse, err := http.DefaultClient.Do(request)",
    "\tif err != nil {",
    "\t\tpanic(err)",
    "\t}",
    "\tdefer response.Body.Close()",
    ...(isStream
      ? ["\tio.Copy(os.Stdout, response.Body)"]
      : [
          "\tanswer, err := io.ReadAll(response.Body)",
          "\tif err != nil {",
          "\t\tpanic(err)",
          "\t}",
          "\tfmt.Println(response.StatusCode, string(answer))",
        ]),
    "}",
  ].join("\n")
}

const typedCredentials: Readonly<Record<Sample["credentials"], string>> = {
  platform: '{ clientId: process.env["CLIENT_ID"] ?? "", clientSecret: process.env["CLIENT_SECRET"] ?? "" }',
  agent: '{ accessToken: process.env["AGENT_TOKEN"] ?? "" }',
  none: '"none"',
}

const typedClient = ({
  base,
  body,
  credentials,
  form,
  group,
  id,
  isKeyed,
  isStream,
  params,
  query,
}: Sample): string => {
  const fields = form.map(([name, value]) =>
    typeof value === "string"
      ? `${name}: "${value}",`
      : `${name}: new File([${JSON.stringify(value.content)}], "${value.name}", { type: "${value.type}" }),`,
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
    isStream
      ? "for await (const text of answer.pipeThrough(new TextDecoderStream())) console.log(text)"
      : "console.log(answer)",
  ].join("\n")
}

const samplesOfOperation = (sample: Sample): ReadonlyArray<CodeSample> => [
  { label: "cURL", source: curl(sample) },
  { label: "JavaScript", source: javascript(sample) },
  { label: "Python", source: python(sample) },
  { label: "Go", source: go(sample) },
  { label: "Typed client", source: typedClient(sample) },
]

/** Returns what `of` makes of the request of each operation, by the id of the operation. `groupOf` is the typed client's group of an id. */
const byOperation = <A>(
  document: JsonObject,
  groupOf: (id: string) => string,
  of: (sample: Sample) => A,
): Readonly<Record<string, A>> => {
  const base = text(at(list(document["servers"])[0], "url")).replace(/\/$/u, "")
  const components = at(document, "components", "schemas")
  const schemas = isObject(components) ? components : {}
  const partOf = (schema: Json | undefined, name: string) => example(schema, schemas, 0, name)
  return Object.fromEntries(
    entries(document["paths"]).flatMap(([path, item]) =>
      entries(item).flatMap(([method, operation]) => {
        if (!isObject(operation)) return []
        const id = text(operation["operationId"])
        return [[id, of(requestOf(operation, { base, path, method, group: groupOf(id), schemas, partOf }))] as const]
      }),
    ),
  )
}

/** Returns the samples of each operation by its id. `groupOf` is the typed client's group of an id. */
export const codeSamples = (
  document: JsonObject,
  groupOf: (id: string) => string,
): Readonly<Record<string, ReadonlyArray<CodeSample>>> => byOperation(document, groupOf, samplesOfOperation)

/** Returns the sample with curl of each operation by its id. */
export const curlSamples = (document: JsonObject): Readonly<Record<string, string>> =>
  byOperation(document, () => "", curl)
