/** The fake handlers of stablecoins. */
import { Api } from "@countersign/client/api"
import { HttpApiBuilder } from "effect/http-api"
import { read, wrote } from "./FakeAnswers.ts"

export const Stablecoins = HttpApiBuilder.group(Api, "stablecoins", (handlers) =>
  handlers.handleAll({
    linkStablecoinProviderAccount: wrote("stablecoins.linkStablecoinProviderAccount", 201),
    listStablecoinProviderAccounts: read("stablecoins.listStablecoinProviderAccounts"),
    getStablecoinProviderAccount: read("stablecoins.getStablecoinProviderAccount"),
    registerStablecoin: wrote("stablecoins.registerStablecoin", 201),
    listStablecoins: read("stablecoins.listStablecoins"),
    getStablecoin: read("stablecoins.getStablecoin"),
    createStablecoinMint: wrote("stablecoins.createStablecoinMint", 201),
    createStablecoinBurn: wrote("stablecoins.createStablecoinBurn", 201),
    listStablecoinOperations: read("stablecoins.listStablecoinOperations"),
    getStablecoinOperation: read("stablecoins.getStablecoinOperation"),
  }),
)
