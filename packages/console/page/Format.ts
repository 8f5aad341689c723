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

export const dateTime = (iso: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(iso))

export const count = (value: number): string => new Intl.NumberFormat().format(value)

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

/** How far the time of a sandbox is ahead. Requests take time: less than two seconds are none. */
export const aheadText = (millis: number): string => (millis < 1_500 ? "real time" : `${lengthText(millis)} ahead`)
