/**
 * The folder of the embedded server, in DATA_DIR. When we are root it belongs to another user: root creates it empty and
 * after that touches nothing inside, so that a link planted there leads nowhere. Programs that run as its owner do the
 * rest. The password stays outside, in DATA_DIR.
 */
import { join } from 'node:path'
import { bundledMajorVersion, dataPathFor, findBinaries } from './embedded-binaries.ts'
import type { ServerUser } from './embedded-user.ts'
import { runProgram } from './run-program.ts'

export interface Cluster {
  dataDir: string
  pgData: string
  /** The user who owns the folder and runs the server; undefined for the current user. */
  user: ServerUser | undefined
}

export const SERVICE_ROLE = 'quoting'
export const DATABASE = 'quoting'
const SCRIPT_TIMEOUT_MS = 10_000
const STOP_TIMEOUT_SECONDS = 15

/** Of the role the service connects as. The superuser has no password, so it cannot connect over TCP. */
export function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres-password')
}

/**
 * The service's role, which owns its database and schema and has no other rights, and a superuser without a password.
 * Running it again changes nothing. The previous release connected as the superuser that initdb creates, under the same
 * name: that one cannot be demoted, so it is renamed, and a new role gets what it owned.
 */
export async function setUpRoles(cluster: Cluster, password: string, args: string[] = []): Promise<void> {
  // Fails where it exists, and then the next session still finds it.
  await runAsSuperuser(cluster, 'postgres', `CREATE DATABASE ${DATABASE};`, args)
  const sql = `
    DO $$ BEGIN
      IF EXISTS (SELECT 1 FROM pg_roles WHERE oid = 10 AND rolname = '${SERVICE_ROLE}') THEN
        CREATE ROLE renaming SUPERUSER;
        SET SESSION AUTHORIZATION renaming;
        ALTER ROLE ${SERVICE_ROLE} RENAME TO postgres;
        SET SESSION AUTHORIZATION postgres;
        DROP ROLE renaming;
      END IF;
      IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${SERVICE_ROLE}') THEN
        CREATE ROLE ${SERVICE_ROLE};
      END IF;
    END $$;
    ALTER ROLE ${SERVICE_ROLE} LOGIN PASSWORD '${password}';
    ALTER ROLE postgres PASSWORD NULL;
    -- Imports check foreign keys for all rows at once (world-references.ts).
    GRANT SET ON PARAMETER session_replication_role TO ${SERVICE_ROLE};
    ALTER DATABASE ${DATABASE} OWNER TO ${SERVICE_ROLE};
    ALTER SCHEMA public OWNER TO ${SERVICE_ROLE};
    ${GIVE_ALL_TO_SERVICE}`
  await runAsSuperuser(cluster, DATABASE, sql, ['-c', 'exit_on_error=on', ...args])
}

/** Sequences and indexes follow their tables. */
const GIVE_ALL_TO_SERVICE = `
    DO $$ DECLARE change text; BEGIN
      FOR change IN
        SELECT format('ALTER TABLE %s OWNER TO ${SERVICE_ROLE}', oid::regclass) FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
        UNION ALL SELECT format('ALTER ROUTINE %s OWNER TO ${SERVICE_ROLE}', oid::regprocedure) FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace
        UNION ALL SELECT format('ALTER TYPE %s OWNER TO ${SERVICE_ROLE}', oid::regtype) FROM pg_type
        WHERE typnamespace = 'public'::regnamespace AND typtype IN ('d', 'e')
      LOOP EXECUTE change; END LOOP;
    END $$;`

/** Runs SQL as one transaction while no server runs: this mode of PostgreSQL needs no password, only the folder. */
export async function runAsSuperuser(
  cluster: Cluster,
  database: string,
  sql: string,
  args: string[] = [],
): Promise<void> {
  const quiet = ['-c', 'log_min_messages=fatal', '-c', 'log_min_error_statement=panic']
  const path = dataPathFor(cluster.user, cluster.pgData)
  await runProgram(
    join(findBinaries(cluster.user), 'postgres'),
    ['--single', '-j', ...quiet, ...args, '-D', path, database],
    // With -j an empty line ends a command.
    { cwd: cluster.pgData, user: cluster.user, input: `${sql.trim().replaceAll(/\n\s*\n/g, '\n')}\n\n` },
  )
}

/** Before the server starts: a clear message for a folder of another version, and no left-over process id in the way. */
export async function checkCluster(cluster: Cluster): Promise<void> {
  const version = (await runScript(cluster, CHECK)).trim()
  if (version === bundledMajorVersion()) return
  throw new Error(
    `${cluster.pgData} was created by PostgreSQL ${version}, but version ${bundledMajorVersion()} is bundled: back it up with the release that created it, then restore into an empty DATA_DIR`,
  )
}

/**
 * PostgreSQL trusts the process id in its file too readily: after a crash another program may have that id. Shell
 * built-ins only. The file test avoids blocking on a FIFO.
 */
const CHECK = `
  if [ -f postmaster.pid ] && [ ! -L postmaster.pid ]; then
    read -r pid < postmaster.pid
    if [ -r "/proc/$pid/comm" ] && read -r name < "/proc/$pid/comm" && [ "$name" != postgres ]; then
      rm -f postmaster.pid
    fi
  elif [ -e postmaster.pid ] || [ -L postmaster.pid ]; then
    rm -f postmaster.pid
  fi
  if [ -f PG_VERSION ]; then read -r version < PG_VERSION; echo "$version"; fi`

/**
 * Stops a server that another process started. The owner of the folder can write any process id into its file, so the
 * program that signals it runs as that user: the system refuses to signal processes of others.
 */
export async function stopByPidFile(cluster: Cluster): Promise<void> {
  const program = join(findBinaries(cluster.user), 'pg_ctl')
  const stop = (mode: string) =>
    runProgram(
      'sh',
      ['-c', IF_PID_FILE, program, 'stop', '-D', '.', '-m', mode, '-t', `${STOP_TIMEOUT_SECONDS}`],
      {
        cwd: cluster.pgData,
        user: cluster.user,
        timeoutMs: (STOP_TIMEOUT_SECONDS + 5) * 1000,
      },
    )
  // A server that hangs is stopped at once; it recovers at its next start.
  await stop('fast').catch(() => stop('immediate'))
}

/** Anything but a file could block the program. */
const IF_PID_FILE = '[ -f postmaster.pid ] && exec "$0" "$@"'

/** In the data folder, as its owner. */
export function runScript({ pgData, user }: Cluster, script: string, input = ''): Promise<string> {
  return runProgram('sh', ['-c', script], { cwd: pgData, user, input, timeoutMs: SCRIPT_TIMEOUT_MS })
}
