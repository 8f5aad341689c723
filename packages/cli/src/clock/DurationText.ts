/** Reads a duration as people write it: `90s`, `5m`, `1h30m`, `40d`, or as ISO 8601. */

const short = /^(?=\d)(?:(\d{1,9})w)?(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9}(?:\.\d{1,3})?)s)?$/iu

/** Returns the duration as ISO 8601, whose bounds the service checks; `undefined` for another text. */
export const isoDuration = (text: string): string | undefined => {
  if (/^P[\dT]/iu.test(text)) return text.toUpperCase()
  const parts = short.exec(text)?.slice(1)
  if (parts === undefined) return undefined
  const [weeks, days, hours, minutes, seconds] = parts.map((amount, at) =>
    amount === undefined ? "" : `${amount}${"WDHMS"[at]}`,
  )
  const time = `${hours}${minutes}${seconds}`
  return `P${weeks}${days}${time === "" ? "" : `T${time}`}`
}
