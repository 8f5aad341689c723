/** The headers and the body of an HTTP message, as text. */

/** The body with line breaks; a text that is not JSON as it is. */
const readable = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

export const BodyText = ({ text }: { readonly text: string }) => <pre class="code">{readable(text)}</pre>

export const HeaderLines = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => (
  <pre class="code">
    {Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n")}
  </pre>
)
