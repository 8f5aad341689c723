/** The roots of wallet keys: opened, added, rotated to another secret, retired, and refused. What they return is written. */
import {
  addWalletRoot,
  openWalletRoots,
  retireWalletRoot,
  rotateWalletSecret,
  walletRoots,
  walletVault,
} from "@countersign/core"
import { KeyVault } from "@countersign/core/ports"
import { Operator } from "@countersign/core/store"
import { Effect, Redacted } from "effect"
import type { Written } from "./TranscriptWorld.ts"

const secretOf = (letter: string) => Redacted.make(letter.repeat(40))
const asOperator = Effect.provideService(Operator, { _tag: "Operator" })
const [a, b, c] = [secretOf("a"), secretOf("b"), secretOf("c")]

export const walletRootSteps = async ({ pay, run }: Written) => {
  const list = () => run("list", asOperator(walletRoots))
  const keyBy = (...secrets: readonly [typeof a, ...ReadonlyArray<typeof a>]) =>
    run(
      "key",
      Effect.provide(
        KeyVault.use(({ derive }) => derive("wallet", "an account")),
        walletVault(secrets),
      ),
    )
  await run("add", addWalletRoot([a], "Grace"))
  await run("rotate", rotateWalletSecret([b, a], "Grace"))
  await run("retire", asOperator(retireWalletRoot("0123456789abcdef", "Grace")))
  await run("open", Effect.asVoid(openWalletRoots([a])))
  await run("open again", Effect.asVoid(openWalletRoots([a])))
  await run("open with another", Effect.asVoid(openWalletRoots([b, c])))
  await list()
  await keyBy(a)
  await pay.clock.advance("10 seconds")
  await run("add", addWalletRoot([a], "Grace"))
  await run("add with another", addWalletRoot([b], "Grace"))
  await keyBy(a)
  await list()
  const { 0: first, 1: second } = await pay.run(asOperator(walletRoots))
  const retire = (rootId: string | undefined) => run("retire", asOperator(retireWalletRoot(rootId ?? "", "Ada")))
  await retire("0123456789abcdef")
  await retire(second?.rootId)
  await retire(first?.rootId)
  await run("rotate", rotateWalletSecret([b, a], "Ada"))
  await run("rotate again", rotateWalletSecret([b, a], "Ada"))
  await run("rotate with another", rotateWalletSecret([c, a], "Ada"))
  await keyBy(b)
  await run("key by the secret before", Effect.flip(Effect.provide(KeyVault, walletVault([a]))))
  await pay.clock.advance("2 days")
  await retire(first?.rootId)
  await list()
  for (let number = 2; number < 17; number++) await run("add", addWalletRoot([b], "Grace"))
  await list()
}
