import { countOf, formatCount } from '../base/format.ts';
import type { Stage } from '../imports/stages.ts';
import type { ConditionId } from './conditions.ts';
import type { TallyName } from './tallies.ts';

/** Facts about the installation. The periods in which facts are counted are the `factWindows` in conditions.ts. */
export type HealthFacts = {
  stages: readonly {
    stage: Stage;
    /** Number of imports that have due work for the stage. They are called due imports below. */
    due: number;
    /** Number of due imports whose run of the stage began before the period. They are called old imports below. */
    old: number;
    /** Number of old imports without running work and without work that ended in the period. */
    standing: number;
    /** Whether a chunk of a due import ended in the stage within the period. */
    moves: boolean;
    slots: number;
    /** Whether a worker of the stage is connected but sends no heartbeat. */
    isBlocked: boolean;
  }[];
  /** Programs that crashed, with the number of minutes in which a crash happened. */
  crashes: readonly { program: string; minutes: number }[];
  /** Programs with a process that is connected but silent for 30 seconds, and the imports claimed by its stage. */
  blocked: readonly { program: string; imports: readonly string[] }[];
  /** Filenames of imports with chunks that were claimed repeatedly and never finished. */
  repeated: readonly string[];
  dead: number;
  counts: Readonly<Record<TallyName, number>>;
  /** Number of imports that wait because the store is locked or unpaid. */
  lockedImports: number;
  /** Free share, from 0 to 1, of the disk with the data. Null if unknown. */
  freeShare: number | null;
  /** Time until the disk is full, at the rate of the last day. Null if that is unknown or the disk is not filling. */
  fullInMs: number | null;
  /** The largest difference between the clock of a live process and that of Postgres. */
  clockSkewMs: number;
  /** The distinct versions of the live processes. */
  versions: readonly string[];
  /** Number of this version's migrations that the database lacks. */
  missingMigrations: number;
  /** State of the newest backup. unneeded: no real store is configured. */
  backup: 'recent' | 'old' | 'never' | 'unneeded';
  /** Why the keeper could not make the last backup, as a sentence. Null if the backup was made. */
  backupProblem: string | null;
  /** Number of differences in the last restored backup, and whether a restore without differences is overdue. */
  proof: { differences: number; isOverdue: boolean };
  /** Number of differences in the last complete audit; whether the last audit broke off; whether one is overdue. */
  audit: { differences: number; brokeOff: boolean; isOverdue: boolean };
  loginFailures: number;
  /** Names of suppliers whose lists are more than a day late. */
  lateLists: readonly string[];
};

/** An observed fact that points to a condition. `atOnce`: the condition begins without its waiting time. */
type Sign = { detail: string; atOnce?: boolean };

const claimsMax = 5;
const crashesMin = 3;
const repairsMax = 10;
const storageErrorsMax = 2;
const throttledShareMax = 0.01;
const storeCallsMin = 100;
const failedShareMax = 0.01;
const failuresMax = 2;
const slowShareMax = 0.01;
const timedMin = 50;
const freeShareMin = 0.1;
const hourMs = 3_600_000;
const fullInMsMin = 72 * hourMs;
const clockSkewMsMax = 2_000;
const loginFailuresMax = 50;

/** Returns the conditions to which the facts point, each with a sentence about the finding. */
export function findSigns(facts: HealthFacts): Map<ConditionId, Sign> {
  const signs = new Map<ConditionId, Sign>();
  const add = (id: ConditionId, isThere: boolean, detail: string, atOnce = false) => {
    if (isThere) signs.set(id, { detail, atOnce });
  };
  const { stages, counts } = facts;
  const without = stages.filter(({ due, slots, isBlocked }) => due > 0 && slots === 0 && !isBlocked);
  const waiting = stages.filter(({ standing, slots }) => standing > 0 && slots > 0);
  const stopped = stages.filter(({ old, slots, moves }) => old > 0 && slots > 0 && !moves);
  const named = (some: typeof stages) => `Stage: ${some.map(({ stage }) => stage).join(', ')}.`;
  add('no-worker', without.length > 0, named(without));
  add('backlog-old', waiting.length > 0, named(waiting));
  add('stage-stands', stopped.length > 0, named(stopped));
  add('dead-work', facts.dead > 0, `${formatCount(facts.dead)} failed for good within the last day.`);
  const { 'claims-repeated': claims, 'queue-repairs': repairs, 'storage-errors': storage } = counts;
  const ofImports = (names: readonly string[]) =>
    names.length === 0 ? '' : ` Imports: ${names.map((name) => `“${name}”`).join(', ')}.`;
  add(
    'workers-die',
    claims > claimsMax,
    `${countOf(claims, 'repeated claim')} in 10 minutes.${ofImports(facts.repeated)}`,
  );
  const crashing = facts.crashes.filter(({ minutes }) => minutes >= crashesMin);
  add(
    'program-crashes',
    crashing.length > 0,
    crashing
      .map(({ program, minutes }) => `Program: ${program}, in ${minutes} minutes of the last 30.`)
      .join(' '),
  );
  add(
    'task-outlives',
    facts.blocked.length > 0,
    facts.blocked.map(({ program, imports }) => `Program: ${program}.${ofImports(imports)}`).join(' '),
  );
  add('queue-loses', repairs > repairsMax, `${countOf(repairs, 'job')} in 10 minutes.`);
  const refusals = counts['database-refusals'];
  add('database-refuses', refusals > 0, `${countOf(refusals, 'refused statement')} in 2 minutes.`);
  const percent = (share: number) => `${Math.floor(share * 100)} %`;
  const { freeShare, fullInMs } = facts;
  add(
    'disk-filling',
    freeShare !== null && freeShare < freeShareMin,
    `${percent(freeShare ?? 0)} of the disk is free.`,
  );
  add(
    'disk-full-soon',
    fullInMs !== null && fullInMs < fullInMsMin,
    `${countOf(Math.floor((fullInMs ?? 0) / hourMs), 'hour')} until the disk is full.`,
  );
  add('storage-errors', storage > storageErrorsMax, `${countOf(storage, 'error')} in 5 minutes.`);
  const { 'store-refusals': refused, 'store-throttled': throttled, 'store-calls': calls } = counts;
  const isThrottled = calls >= storeCallsMin && throttled > calls * throttledShareMax;
  add(
    'store-refuses',
    facts.lockedImports > 0 || refused > 0 || isThrottled,
    `${formatCount(refused)} refused and ${formatCount(throttled)} throttled of ${countOf(calls, 'call')} in 10 minutes; ${countOf(facts.lockedImports, 'import waits', 'imports wait')} for the store.`,
  );
  const otherVersions = counts['store-versions'];
  add('store-version', otherVersions > 0, `${countOf(otherVersions, 'call')} in 10 minutes.`);
  const { 'http-failures': failures, 'http-requests': requests } = counts;
  add(
    'api-errors',
    failures > failuresMax && failures > requests * failedShareMax,
    `${formatCount(failures)} of ${formatCount(requests)} requests in 5 minutes.`,
  );
  const { 'http-slow': slow, 'http-timed': timed } = counts;
  add(
    'api-slow',
    timed >= timedMin && slow > timed * slowShareMax,
    `${formatCount(slow)} of ${formatCount(timed)} reads in 10 minutes.`,
  );
  const { clockSkewMs, versions, missingMigrations, backup, backupProblem, proof, audit, loginFailures } =
    facts;
  const why = backupProblem === null ? '' : ` ${backupProblem}`;
  add('clock-skew', clockSkewMs > clockSkewMsMax, `${(clockSkewMs / 1000).toFixed(1)} seconds.`);
  add(
    'versions-mixed',
    versions.length > 1 || missingMigrations > 0,
    `Versions: ${versions.join(', ')}; missing migrations: ${missingMigrations}.`,
  );
  // This sign becomes a condition after a week, so a new installation has a week to make a backup.
  add('backup-old', backup === 'never', `There is none yet.${why}`);
  add('backup-old', backup === 'old', `The last one is older.${why}`, true);
  add('restore-differs', proof.isOverdue, 'For 35 days, no restored backup has matched the original.');
  add('restore-differs', proof.differences > 0, `${countOf(proof.differences, 'difference')}.`);
  // A later sign replaces an earlier sign, so differences take precedence over problems of the audit.
  add('audit-differs', audit.isOverdue, 'No audit has ended for 2 days.');
  add('audit-differs', audit.brokeOff, 'The last audit stopped before its end.');
  add('audit-differs', audit.differences > 0, `${countOf(audit.differences, 'difference')}.`);
  const { lateLists } = facts;
  add('list-late', lateLists.length > 0, `Supplier: ${lateLists.map((name) => `“${name}”`).join(', ')}.`);
  add('login-guessing', loginFailures > loginFailuresMax, `${countOf(loginFailures, 'wrong key')}.`);
  return signs;
}
