/** Exports a tape as curl commands for a shell. Source: D-449. */
import { parts, type Reference, type Variable } from "./References.ts"
import { variablesOf } from "./Replay.ts"
import type { Tape, TapeCall, TapePart, TapeSender } from "./Tape.ts"

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

type Form = "plain" | "url" | "json"

const substitution = (part: Reference | Variable, form: Form): string =>
  "variable" in part ? `"$(given ${part.variable} ${form})"` : answered(part, form)

const answered = ({ isSealed, path, step }: Reference, form: Form): string =>
  `"$(${isSealed ? "otp" : "answer"} ${step} ${quoted(path)} ${form})"`

/** Converts a text with references to a shell word. */
const word = (text: string, form: Form = "plain"): string =>
  text === ""
    ? "''"
    : parts(text)
        .map((part) => (typeof part === "string" ? quoted(part) : substitution(part, form)))
        .join("")

const credentials = (as: TapeSender): ReadonlyArray<string> => {
  if (as === "nobody") return []
  if (as === "platform") return [`-u "$CLIENT_ID:$CLIENT_SECRET"`]
  if ("token" in as) return [`-H 'Authorization: Bearer '${word(as.token)}`]
  if ("clientId" in as) return [`-u ${word(as.clientId)}:${word(as.clientSecret)}`]
  return [`-H "Authorization: \${${as.variable}:?is an Authorization header that the tape does not contain}"`]
}

const formWord = (part: TapePart, file: string): string => {
  if ("value" in part) return `--form-string ${quoted(`${part.name}=`)}${word(part.value)}`
  const name = part.fileName.replace(/["\\]/gu, "\\$&")
  return `-F ${quoted(`${part.name}=@`)}"$(file ${file} ${quoted(part.base64)})"${quoted(`;filename="${name}";type=${part.type || "application/octet-stream"}`)}`
}

const content = ({ body, form, text }: TapeCall, index: number): ReadonlyArray<string> => [
  ...(body === undefined
    ? []
    : [`-H 'content-type: application/json'`, `--data-raw ${word(JSON.stringify(body), "json")}`]),
  ...(text === undefined ? [] : [`--data-raw ${word(text)}`]),
  ...(form ?? []).map((part, at) => formWord(part, `${index}-${at}`)),
]

const command = (call: TapeCall, index: number): string => {
  const { as, headers, isOutside, method, path } = call
  const base = isOutside === true ? "$ORIGIN" : "$BASE_URL"
  const words = [
    `call ${index} ${call.answer.status} -X ${method} "${base}"${word(path, "url")}`,
    ...credentials(as),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: `)}${word(value)}`),
    ...content(call, index),
  ]
  return words.join(" ")
}

const advance = (millis: number): string => `advance PT${Math.max(1, millis) / 1000}S`

const helpers = `ANSWERS=$(mktemp -d)
ORIGIN=$(node -p 'new URL(process.env.BASE_URL).origin')
FAILED=0
# The member of an earlier response: as it is, in a URL, or inside a JSON text.
answer() { node -e '
const [file, path, form] = process.argv.slice(1)
const text = String(path.split(".").reduce((value, name) => value[name], JSON.parse(require("fs").readFileSync(file))))
process.stdout.write(form === "url" ? encodeURIComponent(text) : form === "json" ? JSON.stringify(text).slice(1, -1) : text)
' "$ANSWERS/$1.json" "$2" "$3"; }
# A text that the tape does not contain.
given() { node -e '
const [name, form] = process.argv.slice(1)
const text = process.env[name]
process.stdout.write(form === "url" ? encodeURIComponent(text) : form === "json" ? JSON.stringify(text).slice(1, -1) : text)
' "$1" "$2"; }
# A file of a form.
file() { node -e 'require("fs").writeFileSync(process.argv[1], Buffer.from(process.argv[2], "base64"))' "$ANSWERS/$1" "$2"; echo "$ANSWERS/$1"; }
# Sends a request, prints its step, status and response, and notes a status that is not the recorded one.
call() {
  step=$1; expected=$2; shift 2
  status=$(curl -s -g -o "$ANSWERS/$step.json" -w '%{http_code}' "$@")
  echo "$step $status $(cat "$ANSWERS/$step.json" 2>/dev/null)"
  if [ "$status" != "$expected" ]; then echo "step $step returned $status; the tape has $expected" >&2; FAILED=1; fi
}
advance() {
  status=$(curl -s -o /dev/null -w '%{http_code}' -X POST "$BASE_URL/sandbox/clock/advance" -u "$CLIENT_ID:$CLIENT_SECRET" -H 'content-type: application/json' -d "{\\"by\\":\\"$1\\"}")
  if [ "$status" != 200 ]; then echo "the clock could not be advanced: $status" >&2; exit 1; fi
}
`

/** Seals the sandbox's code once for each bundle, with the package for clients, which must be installed where the script runs. */
const otp = `otp() {
  if [ ! -f "$ANSWERS/$1.otp" ]; then node --input-type=module -e '
import { walletCrypto } from "@countersign/client"
const wallet = walletCrypto()
process.stdout.write(await wallet.sealOtp(process.argv[1], "000000", await wallet.makeKeys()))
' "$(answer "$1" "$2" plain)" > "$ANSWERS/$1.otp"; fi
  node -e 'const text = require("fs").readFileSync(process.argv[1], "utf8"); process.stdout.write(process.argv[2] === "json" ? JSON.stringify(text).slice(1, -1) : text)' "$ANSWERS/$1.otp" "$3"
}
`

/**
 * Exports curl commands for a shell. They read BASE_URL, CLIENT_ID and CLIENT_SECRET from the environment, and the `Authorization` headers
 * that the tape does not contain, and use `node` to extract values from earlier responses. The exit code is 0 if all statuses are those of
 * the tape.
 */
export const asCurl = (tape: Tape): string => {
  const lines = tape.steps.map((step, index) => {
    if (step._tag === "Gap") return `echo ${quoted(`step ${index} cannot be repeated: ${step.reason}`)} >&2`
    return step._tag === "Advance" ? advance(step.millis) : command(step, index)
  })
  const usesCodes = lines.some((line) => line.includes("$(otp "))
  const required = variablesOf(tape).map((name) => `export ${name}="\${${name}:?is not in the tape}"\n`)
  return `${required.join("")}${helpers}${usesCodes ? otp : ""}${lines.join("\n")}\nexit $FAILED\n`
}
