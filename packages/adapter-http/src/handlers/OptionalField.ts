/** An optional member under another name: left out when it has no value. */
export const optionalField = <const K extends string, A>(name: K, value: A | undefined): { readonly [key in K]?: A } =>
  value === undefined ? {} : ({ [name]: value } as { readonly [key in K]?: A })

interface Times {
  readonly createdAfter?: number
  readonly createdBefore?: number
  readonly updatedAfter?: number
  readonly updatedBefore?: number
}

/** A query with its bounds on times as the services name them. */
export const withTimes = <Query extends Times>({
  createdAfter,
  createdBefore,
  updatedAfter,
  updatedBefore,
  ...query
}: Query) => ({
  ...query,
  ...optionalField("createdFrom", createdAfter),
  ...optionalField("createdTo", createdBefore),
  ...optionalField("updatedFrom", updatedAfter),
  ...optionalField("updatedTo", updatedBefore),
})
