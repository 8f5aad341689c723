/** What the command line needs of Node: files, the terminal and child processes; and how it presents help and wrong invocations. */
import * as NodeChildProcessSpawner from "@effect/platform-node-shared/NodeChildProcessSpawner"
import * as NodeFileSystem from "@effect/platform-node-shared/NodeFileSystem"
import * as NodePath from "@effect/platform-node-shared/NodePath"
import * as NodeStdio from "@effect/platform-node-shared/NodeStdio"
import * as NodeTerminal from "@effect/platform-node-shared/NodeTerminal"
import { Layer } from "effect"
import * as Presenting from "./output/Presenting.ts"

export const platform = Layer.mergeAll(
  NodeStdio.layer,
  NodeTerminal.layer,
  NodeChildProcessSpawner.layer,
  Presenting.layer,
).pipe(Layer.provideMerge(Layer.merge(NodeFileSystem.layer, NodePath.layer)))
