/** The fake handlers of stablecoins. */
import { Api } from "@countersign/client/api"
import { HttpApiBuilder } from "effect/http-api"
import { read, wrote } from "./FakeAnswers.ts"

export const Stablecoins = HttpApiBuilder.group(Api, "stablecoins", (handlers) =>
  handlers.handleAll({
    linkProviderAccount: wrote("stablecoins.linkProviderAccount", 201),
    listProviderAccounts: read("stablecoins.listProviderAccounts"),
    getProviderAccount: read("stablecoins.getProviderAccount"),
    registerStablecoin: wrote("stablecoins.registerStablecoin", 201),
    listStablecoins: read("stablecoins.listStablecoins"),
    getStablecoin: read("stablecoins.getStablecoin"),
    mint: wrote("stablecoins.mint", 201),
    burn: wrote("stablecoins.burn", 201),
    listOperations: read("stablecoins.listOperations"),
    getOperation: read("stablecoins.getOperation"),
  }),
)
