/**
 * The elements that a service's name spells differently, and how.
 * Source: wire contract areas 2.5; D-370.
 */
import { ServiceElements } from "./ServiceElements.ts"
import { isServiceName, serviceNameRule, spelled } from "./ServiceName.ts"

/** Neutral spelling to the deployment's, without the elements that are spelled alike: empty under the default name. */
export type Spellings = ReadonlyMap<string, string>

/** Throws if the name is not valid. */
export const spellingsOf = (serviceName: string): Spellings => {
  if (!isServiceName(serviceName)) throw new TypeError(`The service's name must be ${serviceNameRule}.`)
  return new Map(
    ServiceElements.keys
      .map((element) => [element, spelled(element, serviceName)] as const)
      .filter(([element, spelling]) => element !== spelling),
  )
}

/** Replaces every element in a text of the service's own, where it is a whole word. Texts of callers are never searched. */
export const respellText = (text: string, spellings: Spellings): string =>
  spellings.size === 0 ? text : text.replace(/[A-Za-z][\w-]*/gu, (word) => spellings.get(word) ?? word)
