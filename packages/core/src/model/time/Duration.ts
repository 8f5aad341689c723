/**
 * ISO 8601 durations of fixed length: weeks, days, hours, minutes and seconds.
 * Source: D-100.
 */

const pattern = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/u

const seconds = [604_800, 86_400, 3600, 60, 1]

/** Returns the duration in milliseconds; `NaN` for any other text. */
export const durationMillis = (text: string): number => {
  const [, ...amounts] = pattern.exec(text) ?? []
  if (amounts.length === 0) return Number.NaN
  const total = seconds.reduce((sum, unit, index) => sum + unit * Number(amounts[index] ?? 0), 0)
  return Math.round(total * 1000)
}
