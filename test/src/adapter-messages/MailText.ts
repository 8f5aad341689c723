/** The plain text of a mail with parts, as a mail client shows it. Source: RFC 2045 (quoted-printable), RFC 2046 (multipart). */

const decoded = (text: string): string =>
  Buffer.from(
    text
      .replaceAll("=\r\n", "")
      .replaceAll(/=([0-9A-F]{2})/gu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString()

/** The part of this type. */
export const partOf = (raw: string, type: "text/plain" | "text/html"): string => {
  const boundary = /boundary="([^"]+)"/u.exec(raw)?.[1] ?? ""
  const part = raw.split(`--${boundary}`).find((each) => each.includes(`Content-Type: ${type}`)) ?? ""
  return decoded(part.slice(part.indexOf("\r\n\r\n") + 4)).replaceAll("\r\n", "\n")
}
