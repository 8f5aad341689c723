/** The few of many simulated runs that together reach what all of them did: what everyone runs after a search that only one had the time for. */

/** What a run is known by, and what it reached. */
export interface Reach {
  readonly seed: number
  readonly features: ReadonlyArray<number>
}

/**
 * Returns at most `max` seeds, each the one that adds most to those before it. `isName`: whether a feature stands for itself, and is worth more
 * than any number of those that combine several.
 */
export const coverOf = (
  runs: ReadonlyArray<Reach>,
  max: number,
  isName: (feature: number) => boolean,
): ReadonlyArray<number> => {
  const covered = new Set<number>()
  const gainOf = ({ features }: Reach): number =>
    features.reduce((gain, each) => (covered.has(each) ? gain : gain + (isName(each) ? nameWeight : 1)), 0)
  // What a run adds only becomes less: a run whose last gain is below the best one of now need not be looked at.
  const left = runs.map((run) => ({ run, gain: gainOf(run) }))
  const chosen: Array<number> = []
  while (chosen.length < max) {
    let best: (typeof left)[number] | undefined
    for (const each of left) {
      if (best !== undefined && each.gain <= best.gain) continue
      each.gain = gainOf(each.run)
      if (each.gain > (best?.gain ?? 0)) best = each
    }
    if (best === undefined) break
    chosen.push(best.run.seed)
    for (const each of best.run.features) covered.add(each)
    best.gain = 0
  }
  return chosen
}

const nameWeight = 100_000
