/**
 * The endpoints of an interface as a list, made once: reading an interface costs more than a service in memory otherwise takes to begin.
 * Source: architecture, "A table per concept".
 */
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"

export interface Listed {
  /** The group's name. */
  readonly group: string
  readonly endpoint: HttpApiEndpoint.Top
}

const lists = new WeakMap<object, ReadonlyArray<Listed>>()

export const endpointsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
): ReadonlyArray<Listed> => {
  const known = lists.get(api)
  if (known !== undefined) return known
  const all: Array<Listed> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => all.push({ group: group.identifier, endpoint }),
  })
  lists.set(api, all)
  return all
}
