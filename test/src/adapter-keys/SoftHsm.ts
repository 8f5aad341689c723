/** The library of SoftHSM 2, where Debian and its relatives install it. */
import { existsSync } from "node:fs"

const places = [
  "/usr/lib/softhsm/libsofthsm2.so",
  "/usr/lib64/softhsm/libsofthsm2.so",
  "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
  "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so",
  "/opt/homebrew/lib/softhsm/libsofthsm2.so",
]

/** `""` where it is not installed. */
export const softHsm = places.find((place) => existsSync(place)) ?? ""
