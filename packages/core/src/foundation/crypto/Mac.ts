/**
 * HMAC-SHA256 in any JavaScript, compared in constant time.
 * Source: RFC 2104; https://www.standardwebhooks.com (`v1` signatures).
 */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"

/** Whether `mac` authenticates the message. The duration does not reveal where it differs. */
export const isAuthentic = (key: Uint8Array, message: Uint8Array, mac: Uint8Array): boolean => {
  const own = hmac(sha256, key, message)
  let difference = own.length ^ mac.length
  for (let at = 0; at < own.length; at++) difference |= (own[at] ?? 0) ^ (mac[at] ?? 0)
  return difference === 0
}
