/**
 * Messages of a server in the protocol of PostgreSQL.
 * Source: PostgreSQL manual, 55.7 (message formats).
 */

/** A letter, the length, the body. */
export const message = (letter: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(letter)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

export const authenticated = message("R", Buffer.alloc(4))

export const ready = message("Z", Buffer.from("I"))

/** An error that ends the session. */
export const fatal = (code: string, text: string): Buffer =>
  message("E", Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`))
