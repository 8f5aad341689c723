/** Bodies in multipart/form-data, well-formed and not, as a foreign client writes them. */

export interface FormPart {
  readonly name?: string
  readonly fileName?: string
  readonly body: string | Uint8Array
  /** Replaces the header `Content-Disposition`; `null`: the part has none. */
  readonly disposition?: string | null
  readonly headers?: ReadonlyArray<string>
}

export const boundary = "----form-7MA4YWxkTrZu0gW"
export const contentType = `multipart/form-data; boundary=${boundary}`

const bytes = (text: string): Buffer => Buffer.from(text, "utf8")

const headersOf = ({ disposition, fileName, headers = [], name }: FormPart): string => {
  const names = [
    ...(name === undefined ? [] : [`name="${name}"`]),
    ...(fileName === undefined ? [] : [`filename="${fileName}"`]),
  ]
  const own = disposition === undefined ? ["form-data", ...names].join("; ") : disposition
  return [...(own === null ? [] : [`Content-Disposition: ${own}`]), ...headers].map((line) => `${line}\r\n`).join("")
}

/** The body of a form. */
export const form = (parts: ReadonlyArray<FormPart>, mark = boundary): Buffer =>
  Buffer.concat([
    ...parts.flatMap((part) => [
      bytes(`--${mark}\r\n${headersOf(part)}\r\n`),
      typeof part.body === "string" ? bytes(part.body) : Buffer.from(part.body),
      bytes("\r\n"),
    ]),
    bytes(`--${mark}--\r\n`),
  ])

export const pdf = (size = 100): Uint8Array => {
  const file = new Uint8Array(size).fill(0x20)
  file.set(bytes("%PDF-1.7").subarray(0, size))
  return file
}

/** The parts of a form that an example of curl sends; `undefined` for any other example. */
export const partsOf = (curl: string): ReadonlyArray<FormPart> | undefined => {
  const parts = [...curl.matchAll(/-F '(\w+)=([^']*)'/gu)].map(([, name = "", value = ""]): FormPart => {
    const [, body, fileName] = /^(.*);filename=([^;]+);type=/su.exec(value) ?? []
    return body === undefined || fileName === undefined ? { name, body: value } : { name, fileName, body }
  })
  return parts.length === 0 ? undefined : parts
}
