/** A PostgreSQL server that archives its log, backups of it while it runs, and their restore to a time. Source: docs/guides/backup.md. */
import { appendFile, chown, cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { startServer, unprivileged, urlOf } from "../../adapter-postgres/PostgresServer.ts"

const own = async (path: string): Promise<void> => {
  const { gid, uid } = unprivileged
  if (uid === undefined || gid === undefined) return
  await chown(path, uid, gid)
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => [])
  for (const entry of entries) await chown(join(entry.parentPath, entry.name), uid, gid)
}

/** Asks the server of a folder in one session. */
export const ask = async <A>(folder: string, work: (client: pg.Client) => Promise<A>): Promise<A> => {
  const client = new pg.Client({ connectionString: urlOf(folder, "postgres") })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export const startArchived = async () => {
  const kept = await mkdtemp(join(tmpdir(), "countersign-archive-"))
  const archive = join(kept, "archive")
  await mkdir(archive)
  await own(kept)
  const server = await startServer([
    "archive_mode=on",
    `archive_command=test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  ])
  const base = join(kept, "base")

  /** What `pg_basebackup` does: the files as they are while the server writes, and the label that says where their replay begins. */
  const backUp = () =>
    ask(server.folder, async (client) => {
      await client.query("select pg_backup_start('base', true)")
      const isLeftOut = (path: string) => /\/(?:pg_wal\/.+|postmaster\.\w+)$/u.test(path)
      await cp(join(server.folder, "data"), base, { recursive: true, filter: (path) => !isLeftOut(path) })
      const { rows } = await client.query<{ readonly labelfile: string }>("select labelfile from pg_backup_stop(true)")
      await writeFile(join(base, "backup_label"), rows[0]?.labelfile ?? "")
    })

  /** Replaces the data of the server by the backup and the log up to `time`. */
  const restore = (time: string) =>
    server.restart("fast", async () => {
      const data = join(server.folder, "data")
      await rm(data, { recursive: true })
      await cp(base, data, { recursive: true })
      await writeFile(join(data, "recovery.signal"), "")
      const settings = [
        `restore_command = 'cp ${archive}/%f %p'`,
        `recovery_target_time = '${time}'`,
        "recovery_target_action = 'promote'",
        "archive_mode = 'off'",
      ]
      await appendFile(join(data, "postgresql.auto.conf"), `${settings.join("\n")}\n`)
      await own(data)
    })

  return {
    folder: server.folder,
    options: ["--store", urlOf(server.folder, "postgres")],
    backUp,
    restore,
    [Symbol.asyncDispose]: async () => {
      await server.stop()
      await rm(kept, { recursive: true, force: true })
    },
  }
}
