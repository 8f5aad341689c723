/** Amounts, times and names as people read them, in the reader's own language. */

/** An amount in smallest units as an exact decimal text. */
const decimalOf = (amount: number | bigint, decimals: number): string => {
  const digits = String(amount)
    .replace("-", "")
    .padStart(decimals + 1, "0")
  const whole = digits.slice(0, digits.length - decimals)
  return `${amount < 0 ? "-" : ""}${whole}${decimals === 0 ? "" : `.${digits.slice(-decimals)}`}`
}

const styleOf = (currency: string): Intl.NumberFormatOptions =>
  /^[A-Z]{3}$/u.test(currency) ? { style: "currency", currency } : {}

/** In the currency's own format: its symbol, and as many decimals as it has. */
export const money = (amount: number | bigint, currency: string, decimals: number): string => {
  const shown = new Intl.NumberFormat(undefined, {
    ...styleOf(currency),
    // Of many decimals the noughts at the end say nothing.
    minimumFractionDigits: Math.min(decimals, 2),
    maximumFractionDigits: decimals,
  }).format(decimalOf(amount, decimals) as `${number}`)
  return /^[A-Z]{3}$/u.test(currency) ? shown : `${shown} ${currency}`
}

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const

/** How long ago, in its largest unit. */
export const ago = (iso: string, now: number): string => {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1000))
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? ["second", 1]
  return new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(-Math.floor(seconds / size), unit)
}

/** With the reader's time zone: what an operator copies into a message is read elsewhere. */
export const dateTime = (iso: string): string =>
  new Intl.DateTimeFormat(undefined, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  }).format(new Date(iso))

/** The reader's time zone, in short. */
export const zoneName = (): string =>
  new Intl.DateTimeFormat(undefined, { timeZoneName: "short" })
    .formatToParts()
    .find(({ type }) => type === "timeZoneName")?.value ?? "local time"

/** A path as people read it: the colon of an id is not escaped. */
export const pathText = (path: string): string => path.replaceAll(/%3A/giu, ":")

export const count = (value: number): string => new Intl.NumberFormat().format(value)

/** A number with its noun: `1 action`, `2 actions`. */
export const many = (value: number, one: string, more = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : more}`

/** The last part of an id, enough to tell two apart. */
export const shortId = (id: string): string => `…${id.slice(-6)}`

/** A length of time in its two largest units. */
export const lengthText = (millis: number): string => {
  let rest = Math.round(millis / 1000)
  const parts: Array<string> = []
  for (const [unit, size] of units) {
    const many = Math.floor(rest / size)
    rest -= many * size
    if (many > 0 && parts.length < 2) {
      parts.push(new Intl.NumberFormat(undefined, { style: "unit", unit, unitDisplay: "long" }).format(many))
    }
  }
  return parts.join(" ")
}

/** Requests take time: less than two seconds ahead are none. */
export const isRealTime = (aheadMillis: number): boolean => aheadMillis < 1_500

/** How far the time of a sandbox is ahead. */
export const aheadText = (millis: number): string => (isRealTime(millis) ? "real time" : `${lengthText(millis)} ahead`)
