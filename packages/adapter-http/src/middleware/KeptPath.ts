/**
 * The path of a request as a sandbox keeps it: relative to the base address, with its query, and with masks.
 * Source: D-464.
 */
import { SecretMask } from "@countersign/core"
import type { HttpApiEndpoint } from "effect/http-api"
import type { EndpointMasks } from "./EndpointMasks.ts"
import type { KnownSecrets } from "./KnownSecrets.ts"
import type { MaskedMembers } from "./MaskedMembers.ts"

export const pathMax = 2_048

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return text
  }
}

/** Whether a mask hides the member of this name, which it notes as `at`. */
export const hides = (
  mask: SecretMask.Mask,
  name: string,
  value: string,
  { at, masked, secrets }: { readonly at: string; readonly secrets: KnownSecrets; readonly masked: MaskedMembers },
): boolean => {
  let isHidden = false
  mask({ [name]: value }, (_, secret) => {
    secrets.add(secret)
    masked.add(at, secret)
    isHidden = true
  })
  return isHidden
}

const partsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((part) => part !== "")

const queryOf = (query: string, { query: mask }: EndpointMasks, secrets: KnownSecrets, masked: MaskedMembers): string =>
  query
    .split("&")
    .map((pair) => {
      const [name = "", ...value] = pair.split("=")
      const noted = { at: `query.${decoded(name)}`, secrets, masked }
      return hides(mask, decoded(name), decoded(value.join("=")), noted) ? `${name}=${SecretMask.mask}` : pair
    })
    .join("&")

export const keptPath = (
  url: string,
  { path }: HttpApiEndpoint.Top,
  masks: EndpointMasks,
  secrets: KnownSecrets,
  masked: MaskedMembers,
): string => {
  const [address = "", ...query] = url.split("?")
  const names = partsOf(path)
  const parts = partsOf(address)
  // The base address precedes what the endpoint names.
  const own = parts.slice(parts.length - names.length).map((part, index) => {
    const name = names[index] ?? ""
    const noted = { at: `path.${name.slice(1)}`, secrets, masked }
    return name.startsWith(":") && hides(masks.params, name.slice(1), decoded(part), noted) ? SecretMask.mask : part
  })
  const kept = `/${own.join("/")}`
  return (query.length === 0 ? kept : `${kept}?${queryOf(query.join("?"), masks, secrets, masked)}`).slice(0, pathMax)
}
