/** The processes that do leased tasks. */
export type TaskPlace = 'api' | 'parse-worker' | 'enrich-worker' | 'push-worker' | 'folder-worker' | 'keeper';

type LeasedEntry = {
  /** What it belongs to; one task of a kind belongs to each. */
  subject: 'installation' | 'shop' | 'folder' | 'supplier';
  /** The process that does it: that one has the access it needs. */
  place: TaskPlace;
  /** What operators and ops read. */
  label: string;
  /** The pause between two runs. Absent: it runs when it is requested. */
  everyMs?: number;
  /** Another process does it when its process was silent for this long. */
  leaseMs: number;
  /**
   * After this many failed attempts in a row it fails: a periodic one waits for its next run, another one for a retry.
   * Absent: it is tried again until it succeeds.
   */
  attemptsMax?: number;
};

const minuteMs = 60_000;

/** Work in the background that belongs to no import. Imports have the tasks of task-catalog.ts. */
export const leasedTasks = {
  'watch-conditions': {
    subject: 'installation',
    place: 'api',
    label: 'Watching conditions',
    everyMs: 10_000,
    leaseMs: 30_000,
  },
  'sync-store': {
    subject: 'shop',
    place: 'api',
    label: 'Copying the store',
    attemptsMax: 1,
    leaseMs: 30_000,
  },
  audit: {
    subject: 'installation',
    place: 'parse-worker',
    label: 'Comparing counters with the ledger',
    everyMs: 10 * minuteMs,
    attemptsMax: 1,
    leaseMs: 30_000,
  },
  'remove-old': {
    subject: 'installation',
    place: 'parse-worker',
    label: 'Removing what was kept long enough',
    everyMs: 60 * minuteMs,
    leaseMs: 30_000,
  },
  'remove-left-overs': {
    subject: 'installation',
    place: 'parse-worker',
    label: 'Removing files of interrupted uploads',
    everyMs: 60 * minuteMs,
    leaseMs: 30_000,
  },
  'remove-orphan-rows': {
    subject: 'installation',
    place: 'parse-worker',
    label: 'Removing rows of deleted imports',
    everyMs: 10 * minuteMs,
    leaseMs: 30_000,
  },
  'fold-counts': {
    subject: 'installation',
    place: 'parse-worker',
    label: 'Adding up old counts',
    everyMs: minuteMs,
    leaseMs: 30_000,
  },
  'summarize-folders': {
    subject: 'installation',
    place: 'parse-worker',
    label: 'Adding files of folders to the activity',
    everyMs: 5_000,
    leaseMs: 30_000,
  },
  'merge-supplier': {
    subject: 'supplier',
    place: 'parse-worker',
    label: 'Merging a supplier into another one',
    leaseMs: 30_000,
  },
  'delete-supplier': {
    subject: 'supplier',
    place: 'parse-worker',
    label: 'Deleting a supplier',
    leaseMs: 30_000,
  },
  'auto-push': {
    subject: 'installation',
    place: 'push-worker',
    label: 'Pushing imports of full-auto',
    everyMs: 5_000,
    leaseMs: 30_000,
  },
  'poll-folder': {
    subject: 'folder',
    place: 'folder-worker',
    label: 'Looking for files',
    everyMs: 5_000,
    leaseMs: 60_000,
  },
  'take-files': {
    subject: 'folder',
    place: 'folder-worker',
    label: 'Reading files',
    everyMs: 5_000,
    leaseMs: 60_000,
  },
  'move-files': {
    subject: 'folder',
    place: 'folder-worker',
    label: 'Moving and deleting files',
    everyMs: 5_000,
    leaseMs: 60_000,
  },
  'sign-in': {
    subject: 'folder',
    place: 'folder-worker',
    label: 'Signing in to OneDrive',
    attemptsMax: 1,
    leaseMs: 20_000,
  },
  'back-up': {
    subject: 'installation',
    place: 'keeper',
    label: 'Backing up',
    everyMs: 5 * minuteMs,
    leaseMs: 60_000,
  },
  'check-backup': {
    subject: 'installation',
    place: 'keeper',
    label: 'Restoring and comparing a backup',
    everyMs: 60 * minuteMs,
    leaseMs: 60_000,
  },
} as const satisfies Record<string, LeasedEntry>;

export type LeasedKind = keyof typeof leasedTasks;

/** The kinds that one process does. */
export type KindsAt<P extends TaskPlace> = {
  [K in LeasedKind]: (typeof leasedTasks)[K]['place'] extends P ? K : never;
}[LeasedKind];

export const leasedTask = (kind: LeasedKind): LeasedEntry => leasedTasks[kind];

export const leasedKinds = Object.keys(leasedTasks) as LeasedKind[];

/** The label of a kind; of one that only another version has, its name. */
export const leasedLabel = (kind: string): string =>
  Object.hasOwn(leasedTasks, kind) ? leasedTasks[kind as LeasedKind].label : kind;
