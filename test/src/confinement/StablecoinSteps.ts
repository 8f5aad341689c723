/** Requests of every operation about stablecoins, each of which succeeds for its owner. */
import { burnBody, credentials, mintBody, token, wallet } from "../stablecoin/StablecoinWorld.ts"
import { externalAccountBody, idAt } from "./Bodies.ts"
import type { StepWorld } from "./ConfinedWorld.ts"

export const stablecoinSteps = async ({ call, callers, pay, prepare }: StepWorld) => {
  const keyed = (path: string, body: object) => call("POST", path, { body, isKeyed: true })
  const accounts = "/stablecoin-provider-accounts"
  const stablecoinProviderAccountId = idAt(await keyed(accounts, credentials()), "id")
  await call("GET", accounts)
  await call("GET", `${accounts}/${stablecoinProviderAccountId}`)
  const id = idAt(await keyed("/stablecoins", token("ACME", { stablecoinProviderAccountId })), "id")
  await call("GET", "/stablecoins")
  await call("GET", `/stablecoins/${id}`)
  const minted = await keyed(`/stablecoins/${id}/mints`, mintBody(await wallet(Object.assign(pay, callers))))
  const bank = await prepare("POST", "/customers/external-accounts", externalAccountBody(callers, "100", "4444444"))
  await keyed(`/stablecoins/${id}/burns`, burnBody(idAt(bank, "id")))
  await call("GET", `/stablecoins/${id}/operations`)
  await call("GET", `/stablecoin-operations/${idAt(minted, "id")}`)
}
