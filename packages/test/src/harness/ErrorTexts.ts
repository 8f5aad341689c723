/** Holds each error response to the text that it owes its reader: a program takes the code, a person the message. */

/** Returns the paths of the empty messages in a body. */
const emptyIn = (json: unknown, path: string): ReadonlyArray<string> => {
  if (typeof json !== "object" || json === null) return []
  return Object.entries(json).flatMap(([name, value]: [string, unknown]) =>
    name === "message" && typeof value === "string" && value.trim() === ""
      ? [`${path}${name}`]
      : emptyIn(value, `${path}${name}.`),
  )
}

/** Throws if the body of an error has a message without a text, which is a defect of the service. */
export const requireErrorTexts = (body: unknown): void => {
  const empty = emptyIn(body, "")
  if (empty.length > 0) throw new Error(`an error response has no text in ${empty.join(", ")}: ${JSON.stringify(body)}`)
}
