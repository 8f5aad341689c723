/** Returns an object with one optional member, which is absent if the value is `undefined`. */
export const optionalField = <const K extends string, A>(name: K, value: A | undefined): { readonly [key in K]?: A } =>
  value === undefined ? {} : ({ [name]: value } as { readonly [key in K]?: A })

interface Times {
  readonly createdAfter?: number
  readonly createdBefore?: number
  readonly updatedAfter?: number
  readonly updatedBefore?: number
}

/** Renames a query's time bounds as the services take them. */
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

/** Renames a query's date range as the services take it. */
export const withDates = <Query extends { readonly startDate?: number; readonly endDate?: number }>({
  endDate,
  startDate,
  ...query
}: Query) => ({ ...query, ...optionalField("from", startDate), ...optionalField("to", endDate) })
