import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type ConditionId, conditionIds } from './conditions.ts';
import { findSigns, type HealthFacts } from './find-signs.ts';
import { createTallies, tallyNames } from './tallies.ts';

const counts = Object.fromEntries(tallyNames.map((name) => [name, 0])) as HealthFacts['counts'];
const stage = {
  stage: 'parse' as const,
  due: 0,
  old: 0,
  standing: 0,
  moves: false,
  slots: 2,
  isBlocked: false,
};
const audit = { differences: 0, brokeOff: false, isOverdue: false };
const quiet: HealthFacts = {
  stages: [stage],
  ...{ crashes: [], blocked: [], repeated: [] },
  dead: 0,
  counts,
  lockedImports: 0,
  freeShare: null,
  fullInMs: null,
  clockSkewMs: 0,
  versions: ['1'],
  missingMigrations: 0,
  backup: 'unneeded',
  backupProblem: null,
  proof: { differences: 0, isOverdue: false },
  audit,
  loginFailures: 0,
  lateLists: [],
};

/** Facts in which nothing is wrong just yet, and facts that are a little worse. */
const edges: [ConditionId, Partial<HealthFacts>, Partial<HealthFacts>][] = [
  ['no-worker', { stages: [{ ...stage, slots: 0 }] }, { stages: [{ ...stage, due: 1, slots: 0 }] }],
  [
    'no-worker',
    { stages: [{ ...stage, due: 1, slots: 0, isBlocked: true }] },
    { stages: [{ ...stage, due: 1, slots: 0 }] },
  ],
  [
    'program-crashes',
    { crashes: [{ program: 'api', minutes: 2 }] },
    { crashes: [{ program: 'api', minutes: 3 }] },
  ],
  ['task-outlives', {}, { blocked: [{ program: 'enrich-worker', imports: ['a.csv'] }] }],
  [
    'backlog-old',
    { stages: [{ ...stage, due: 2, old: 2, moves: true }] },
    { stages: [{ ...stage, due: 2, old: 2, standing: 1, moves: true }] },
  ],
  [
    'stage-stands',
    { stages: [{ ...stage, due: 1, old: 1, moves: true }] },
    { stages: [{ ...stage, due: 1, old: 1, moves: false }] },
  ],
  // Imports that have just begun.
  ['stage-stands', { stages: [{ ...stage, due: 9 }] }, { stages: [{ ...stage, due: 9, old: 1 }] }],
  ['dead-work', {}, { dead: 1 }],
  [
    'workers-die',
    { counts: { ...counts, 'claims-repeated': 5 } },
    { counts: { ...counts, 'claims-repeated': 6 } },
  ],
  [
    'queue-loses',
    { counts: { ...counts, 'queue-repairs': 10 } },
    { counts: { ...counts, 'queue-repairs': 11 } },
  ],
  ['database-refuses', {}, { counts: { ...counts, 'database-refusals': 1 } }],
  ['disk-filling', { freeShare: 0.1 }, { freeShare: 0.099 }],
  ['disk-full-soon', { fullInMs: 72 * 3_600_000 }, { fullInMs: 72 * 3_600_000 - 1 }],
  [
    'storage-errors',
    { counts: { ...counts, 'storage-errors': 2 } },
    { counts: { ...counts, 'storage-errors': 3 } },
  ],
  [
    'store-refuses',
    { counts: { ...counts, 'store-calls': 99, 'store-throttled': 99 } },
    { counts: { ...counts, 'store-calls': 100, 'store-throttled': 2 } },
  ],
  [
    'store-refuses',
    { counts: { ...counts, 'store-calls': 100, 'store-throttled': 1 } },
    { counts: { ...counts, 'store-refusals': 1 } },
  ],
  ['store-refuses', {}, { lockedImports: 1 }],
  ['store-version', {}, { counts: { ...counts, 'store-versions': 1 } }],
  [
    'api-errors',
    { counts: { ...counts, 'http-requests': 10, 'http-failures': 2 } },
    { counts: { ...counts, 'http-requests': 299, 'http-failures': 3 } },
  ],
  [
    'api-slow',
    { counts: { ...counts, 'http-timed': 49, 'http-slow': 49 } },
    { counts: { ...counts, 'http-timed': 199, 'http-slow': 2 } },
  ],
  ['clock-skew', { clockSkewMs: 2_000 }, { clockSkewMs: 2_001 }],
  ['versions-mixed', {}, { versions: ['1', '2'] }],
  ['versions-mixed', {}, { missingMigrations: 1 }],
  ['backup-old', { backup: 'recent' }, { backup: 'old' }],
  ['backup-old', {}, { backup: 'never' }],
  ['restore-differs', {}, { proof: { differences: 1, isOverdue: false } }],
  ['restore-differs', {}, { proof: { differences: 0, isOverdue: true } }],
  ['audit-differs', {}, { audit: { ...audit, differences: 1 } }],
  ['audit-differs', {}, { audit: { ...audit, brokeOff: true } }],
  ['audit-differs', {}, { audit: { ...audit, isOverdue: true } }],
  ['login-guessing', { loginFailures: 50 }, { loginFailures: 51 }],
  ['list-late', {}, { lateLists: ['Acme'] }],
];

test.each(edges)('%s has a sign from its limit on', (id, before, after) => {
  expect([...findSigns({ ...quiet, ...before }).keys()]).toEqual([]);
  const signs = findSigns({ ...quiet, ...after });
  expect([...signs.keys()]).toEqual([id]);
  expect(signs.get(id)?.detail).toMatch(/^[A-Z\d].*\.$/);
});

test('several problems at once are counted in words, also one of each', () => {
  const signs = findSigns({
    ...quiet,
    counts: { ...counts, 'database-refusals': 1, 'store-refusals': 1, 'store-versions': 1 },
    ...{
      fullInMs: 3_600_000,
      lockedImports: 1,
      proof: { ...quiet.proof, differences: 1 },
      audit: { ...audit, differences: 2 },
    },
  });
  expect(Object.fromEntries([...signs].map(([id, { detail }]) => [id, detail]))).toEqual({
    'database-refuses': '1 refused statement in 2 minutes.',
    'disk-full-soon': '1 hour until the disk is full.',
    'store-refuses': '1 refused and 0 throttled of 0 calls in 10 minutes; 1 import waits for the store.',
    'store-version': '1 call in 10 minutes.',
    'restore-differs': '1 difference.',
    'audit-differs': '2 differences.',
  });
});

test('an old backup says why there is no newer one', () => {
  const signs = findSigns({ ...quiet, backup: 'old', backupProblem: 'The disk is full.' });
  expect(signs.get('backup-old')?.detail).toBe('The last one is older. The disk is full.');
});

test('each condition has a sign', () => {
  expect(new Set(edges.map(([id]) => id))).toEqual(new Set(conditionIds));
});

test('docs/OPERATIONS.md has a heading for each condition, and for no other', async () => {
  const text = await readFile(new URL('../../../../docs/OPERATIONS.md', import.meta.url), 'utf8');
  const [, section = ''] = /\n## Conditions\n([\s\S]*?)\n## /.exec(text) ?? [];
  expect([...section.matchAll(/^### (.+)$/gm)].map(([, id]) => id)).toEqual(conditionIds);
});

test('counts are taken once, and again if they were given back', () => {
  const tallies = createTallies();
  tallies.add('http-requests');
  tallies.add('http-requests', 2);
  const taken = tallies.take();
  expect([taken, tallies.take()]).toEqual([{ 'http-requests': 3 }, {}]);
  tallies.add('http-requests');
  tallies.giveBack(taken);
  expect([tallies.take(), tallies.total('http-requests')]).toEqual([{ 'http-requests': 4 }, 4]);
});
