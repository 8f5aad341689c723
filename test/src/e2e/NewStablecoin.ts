/** Sets up a stablecoin with a mint at a running server. */

import { type Send, textAt } from "./Client.ts"

/** The accounts of one provider are linked once per platform, and so are its tokens. */
let count = 0

/** A linked provider account, a stablecoin, a mint of it, and the wallet outside that gets the tokens. */
export const newStablecoin = async (platform: Send, { customerId }: { readonly customerId: string }) => {
  count += 1
  const name = `E2E-${count}-100`
  const create = async (path: string, body: object) => {
    const headers = { "idempotency-key": `${name} ${path}` }
    return textAt(await platform("POST", path, { body, headers }), "id")
  }
  const stablecoinProviderAccountId = await create("/stablecoin-provider-accounts", {
    provider: "BRALE",
    apiClientId: name,
    apiClientSecret: "provider_secret_456",
  })
  const stablecoinId = await create("/stablecoins", {
    providerTokenIdentifier: name,
    networkTokenIdentifier: `btkn ${name}`,
    network: "SPARK",
    stablecoinProviderAccountId,
  })
  const address = "spark1pgssy75lcn5suv6c0k3v0mq3xedcpfw2au2rjh5r4rxly9euvxr2h584rg25200"
  const accountInfo = { accountType: "SPARK_WALLET", address }
  const walletOutside = await create("/customers/external-accounts", { customerId, currency: "BTC", accountInfo })
  const stablecoinOperationId = await create(`/stablecoins/${stablecoinId}/mints`, {
    amount: "10000",
    fundingSource: { type: "WIRE" },
    destination: { accountId: walletOutside },
  })
  return { stablecoinProviderAccountId, stablecoinId, stablecoinOperationId, walletOutside }
}
