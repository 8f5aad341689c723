/**
 * Durations of ISO 8601, as far as they have one length: weeks, days, hours, minutes and seconds.
 * Source: D-100.
 */

const form = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/u

const seconds = [604_800, 86_400, 3600, 60, 1]

/** The milliseconds of a duration; `NaN` for any other text. */
export const durationMillis = (text: string): number => {
  const [, ...amounts] = form.exec(text) ?? []
  if (amounts.length === 0) return Number.NaN
  const total = seconds.reduce((sum, unit, index) => sum + unit * Number(amounts[index] ?? 0), 0)
  return Math.round(total * 1000)
}
