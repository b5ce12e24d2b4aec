const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** `forMs`: how long a sign of the condition must last. Absent: the condition begins with its first sign. */
type ConditionEntry = { forMs?: number; sentence: string; todo: string };

/** Conditions that operators have to know about. docs/OPERATIONS.md has a section on each. */
export const conditionCatalog = {
  'no-worker': {
    forMs: minuteMs,
    sentence: 'Work is waiting, and no worker of its stage is running.',
    todo: 'Start a worker of the stage. If one should be running, its log says why it stopped.',
  },
  'backlog-old': {
    forMs: minuteMs,
    sentence: 'An import has waited for a worker for more than 5 minutes.',
    todo: 'Start more workers of the stage, or find out what the running ones wait for.',
  },
  'stage-stands': {
    forMs: 5 * minuteMs,
    sentence: 'Workers are running, but no part of any import has been completed for 5 minutes.',
    todo: 'Check Postgres and the object storage, and read the logs of the workers.',
  },
  'dead-work': {
    sentence: 'A part of an import failed too often and is not tried any more.',
    todo: 'Read the cause in Settings › Debug › Failed work, then retry or give up the work.',
  },
  'workers-die': {
    sentence: 'Workers were killed repeatedly while they worked.',
    todo: 'If the same import stays listed for several minutes, delete that import. Otherwise raise the memory limit of the workers.',
  },
  'program-crashes': {
    sentence: 'A program crashed repeatedly, and was restarted each time.',
    todo: 'Read the log lines before each crash. If a file causes the crashes, find its name in Settings › OneDrive or on the import, and remove that file.',
  },
  'task-outlives': {
    sentence: 'A running process has not responded for 30 seconds, because its work blocks it.',
    todo: 'Delete the listed import, or wait until it ends. If nothing changes, restart the workers of its stage.',
  },
  'queue-loses': {
    sentence: 'The queue lost jobs. They were queued again, so nothing is missing.',
    todo: 'Check that Redis keeps its data and evicts nothing.',
  },
  'database-refuses': {
    sentence: 'Postgres refused to work: its disk, memory or connections are used up, or it was stopped.',
    todo: 'Check the disk of Postgres and its max_connections.',
  },
  'disk-filling': {
    sentence: 'The disk with Draftshelf’s data is nearly full.',
    todo: 'Free space, or use a larger disk.',
  },
  'disk-full-soon': {
    sentence: 'At the rate of the last day, the disk with Draftshelf’s data will be full within 3 days.',
    todo: 'Remove old imports, shorten how long files and rows are kept, or use a larger disk.',
  },
  'storage-errors': {
    sentence: 'The object storage failed or did not answer.',
    todo: 'Check that it is running and has space.',
  },
  'store-refuses': {
    sentence: 'The store refuses calls, or slows too many of them down.',
    todo: 'Check the access token in Settings › Connections, the store’s plan, and other apps that use it.',
  },
  'store-version': {
    sentence: 'The store answers with a different version of its Admin API than Draftshelf requests.',
    todo: 'Update Draftshelf: Shopify has retired the version. docs/STORE.md lists the dates of versions.',
  },
  'api-errors': {
    sentence: 'More than 1 % of the requests failed because of an internal error.',
    todo: 'Find the failed requests in the log of the api.',
  },
  'api-slow': {
    sentence: 'More than 1 % of the requests that read data took longer than a second.',
    todo: 'Check the load of the machine and of Postgres.',
  },
  'clock-skew': {
    sentence: 'The clock of a process and that of Postgres differ by more than 2 seconds.',
    todo: 'Check the time service of both machines.',
  },
  'versions-mixed': {
    forMs: hourMs,
    sentence:
      'Processes of different versions have run together for an hour, or the database lacks a migration.',
    todo: 'Finish the update: migrate, then restart the processes of the older version.',
  },
  'backup-old': {
    forMs: 7 * dayMs,
    sentence: 'There is no backup of the last 26 hours.',
    todo: 'Check that the keeper runs and that its folder can be written, or run a backup yourself.',
  },
  'restore-differs': {
    sentence: 'A restored backup differed from the original, or no restore was tried for 35 days.',
    todo: 'Read in Settings › Debug › Backups what differs. Make a backup, and keep the earlier ones until a restore succeeds.',
  },
  'audit-differs': {
    sentence: 'The daily audit did not finish, or found counters or outcomes that do not match.',
    todo: 'Read the result of the audit in Settings › Debug. If it found differences, stop pushing.',
  },
  'login-guessing': {
    sentence: 'More than 50 wrong access keys were tried within 15 minutes.',
    todo: 'Block the addresses at the proxy, and change the access key if somebody may know it.',
  },
  'list-late': {
    sentence: 'A list from a supplier’s address is more than a day late.',
    todo: 'Find the cause on the supplier’s page, fix it, then press Fetch Now. Nothing is pushed until then.',
  },
} as const satisfies Record<string, ConditionEntry>;

export type ConditionId = keyof typeof conditionCatalog;
export const conditionIds = Object.keys(conditionCatalog) as ConditionId[];

/** Returns the time in ms for which a sign must be present before its condition is in effect. */
export function signDurationMsOf(id: ConditionId): number {
  const { forMs = 0 }: ConditionEntry = conditionCatalog[id];
  return forMs;
}

/** Periods in ms in which facts are counted, or after which something is late. */
export const factWindows = {
  /** An import is at a standstill if it has work and has made no progress for this long. */
  standsMs: 5 * minuteMs,
  /** Dead work is reported for this long, unless it is retried or given up. */
  deadMs: dayMs,
  claimsMs: 10 * minuteMs,
  crashesMs: 30 * minuteMs,
  repairsMs: 10 * minuteMs,
  databaseMs: 2 * minuteMs,
  storageMs: 5 * minuteMs,
  storeMs: 10 * minuteMs,
  failuresMs: 5 * minuteMs,
  slowMs: 10 * minuteMs,
  loginsMs: 15 * minuteMs,
  /** A list is late if it has been due for longer than this. */
  listsMs: dayMs,
  backupMs: 26 * hourMs,
  /** The weekly restore is overdue if the last success was longer ago than this. */
  proofMs: 35 * dayMs,
  /** An audit is overdue if it has been running for longer than this. */
  auditMs: 2 * dayMs,
};
export type FactWindows = typeof factWindows;
