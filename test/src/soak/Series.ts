/**
 * Statistics of a series of measurements: its slope, its spread, and the values of a part of a run.
 * Source: Sen 1968, "Estimates of the regression coefficient based on Kendall's tau" (slope, not disturbed by outliers and single steps).
 */
import { median } from "../bench/Rounds.ts"

export interface Point {
  readonly seconds: number
  readonly value: number
}

/** The median of the slopes between all pairs of points, per second; 0 for fewer than two. */
export const slope = (points: ReadonlyArray<Point>): number => {
  const slopes = points.flatMap((one, index) =>
    points
      .slice(index + 1)
      .flatMap((other) =>
        other.seconds === one.seconds ? [] : [(other.value - one.value) / (other.seconds - one.seconds)],
      ),
  )
  return slopes.length === 0 ? 0 : median(slopes)
}

/** The typical distance of a point from the line through the series; of normal noise its standard deviation. */
export const spread = (points: ReadonlyArray<Point>): number => {
  const perSecond = slope(points)
  const rests = points.map(({ seconds, value }) => value - perSecond * seconds)
  if (rests.length === 0) return 0
  const middle = median(rests)
  return 1.4826 * median(rests.map((rest) => Math.abs(rest - middle)))
}

export const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)

/** The entries from one part of a run to another: 0.5 to 1 is its second half. */
export const within = <A extends { readonly seconds: number }>(
  all: ReadonlyArray<A>,
  runSeconds: number,
  from: number,
  to: number,
): ReadonlyArray<A> => all.filter(({ seconds }) => seconds >= from * runSeconds && seconds < to * runSeconds)
