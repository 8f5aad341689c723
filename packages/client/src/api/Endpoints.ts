/**
 * The endpoints of an interface as a list. The list is cached, because building it costs more than starting a service in memory.
 * Source: architecture, "One table per concept; everything else is derived".
 */
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"

/** An endpoint, and the group that it belongs to. */
export interface ListedEndpoint {
  /** The group's name. */
  readonly group: string
  readonly endpoint: HttpApiEndpoint.Top
}

const lists = new WeakMap<object, ReadonlyArray<ListedEndpoint>>()

/** Returns the endpoints of an API in the order of its definition. */
export const endpointsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
): ReadonlyArray<ListedEndpoint> => {
  const cached = lists.get(api)
  if (cached !== undefined) return cached
  const all: Array<ListedEndpoint> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => all.push({ group: group.identifier, endpoint }),
  })
  lists.set(api, all)
  return all
}
