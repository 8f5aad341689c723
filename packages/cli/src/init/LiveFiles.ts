/**
 * The files of a new live deployment, from the templates of the package.
 * Source: D-534.
 */
import { resolve } from "node:path"
import { execPath } from "node:process"
import { environmentFile } from "../EnvironmentFile.ts"
import { manifest, template } from "../Templates.ts"
import { bankServers, isBankServer, type LiveBank } from "./LiveBank.ts"
import { liveReadme } from "./LiveReadme.ts"
import { type LiveOptions, settingsFiles } from "./LiveSettings.ts"
import type { NewFile } from "./NewFiles.ts"

/** The driver of the pools in the ports; the same version as that of the store. */
const driverVersion = "8.23.1"

const packageFile = (bank: LiveBank): string => {
  const { peerDependencies, version } = manifest()
  const own = ["adapter-messages", "adapter-rates", "cli", "core", ...(bank === "files" ? ["adapter-bank-files"] : [])]
  const content = {
    private: true,
    type: "module",
    engines: { node: ">=22.19" },
    scripts: {
      start: "countersign serve",
      migrate: "countersign migrate",
      doctor: "countersign doctor --live",
      pay: `node --env-file=${environmentFile} first-payment.mjs`,
      ...(isBankServer(bank) ? { bank: bankServers[bank].start } : {}),
    },
    dependencies: {
      ...Object.fromEntries(own.toSorted().map((name) => [`@countersign/${name}`, version])),
      effect: peerDependencies.effect,
      pg: driverVersion,
    },
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

const unit = (folder: string, description: string, words: string): string => `[Unit]
Description=${description}
Wants=network-online.target
After=network-online.target postgresql.service

[Service]
WorkingDirectory=${folder}
ExecStart=${words}
# A user who may read this folder and nothing else.
User=countersign
Restart=always
RestartSec=2
LimitNOFILE=65536
NoNewPrivileges=true
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=true
ReadWritePaths=${folder}

[Install]
WantedBy=multi-user.target
`

const portFiles: Readonly<Record<LiveBank, ReadonlyArray<string>>> = {
  typescript: [],
  python: [],
  files: ["ports/BankFiles.ts", "ports/Verification.ts"],
  none: ["ports/Bank.ts", "ports/Verification.ts"],
}

const commonFiles = [
  "ports/Codes.ts",
  "ports/NotWritten.ts",
  "ports/Rates.ts",
  "ports/StrongAuthentication.ts",
  "first-payment.mjs",
]

const bankFiles = (bank: LiveBank, folder: string): ReadonlyArray<NewFile> => {
  if (!isBankServer(bank)) return []
  const { file, start } = bankServers[bank]
  return [
    { name: file, content: template(`bank/${file}`) },
    { name: "systemd/countersign-bank.service", content: unit(folder, "The bank's ports", `/bin/sh -c '${start}'`) },
  ]
}

/** All files of a deployment in this folder. */
export const liveFiles = (folder: string, options: LiveOptions): ReadonlyArray<NewFile> => {
  const { bank } = options
  const at = resolve(folder)
  const ports = isBankServer(bank) ? "ports.http.ts" : `ports.${bank}.ts`
  const serve = `${execPath} node_modules/@countersign/cli/bin/countersign.js serve`
  return [
    ...settingsFiles(options),
    { name: ".gitignore", content: `${environmentFile}\nbank.env\nbank.sqlite*\nnode_modules/\nbank/\n` },
    { name: "README.md", content: liveReadme(options) },
    { name: "package.json", content: packageFile(bank) },
    { name: "ports.ts", content: template(ports) },
    ...[...commonFiles, ...portFiles[bank]].map((name) => ({ name, content: template(name) })),
    ...bankFiles(bank, at),
    { name: "systemd/countersign.service", content: unit(at, "Countersign, live", serve) },
  ]
}
