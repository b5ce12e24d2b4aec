import type { JobWithRows } from '@draftshelf/contract/imports/imports';
import { taskLabel } from '@draftshelf/domain/work/task-catalog';
import { expect, it } from 'vitest';
import { findStaleReads } from './rows-api.ts';

type Details = Partial<JobWithRows>;
const before: Details = { status: 'processed', tasks: [], proposals: 2, newestProposal: 8 };
const changes = (now: Details, then: Details = before) =>
  findStaleReads({ ...before, ...then } as JobWithRows, { ...before, ...then, ...now } as JobWithRows);

const task = (over: Partial<JobWithRows['tasks'][number]>) => ({
  ...{ id: 1, label: 'a task', state: 'running' as const, done: 0, total: null, command: null },
  ...{ waitingFor: null, error: null, ...over },
});
const ofStage = ['listRows', 'getMapping', 'getPlan', 'listTables', 'getReport'];

it('reads nothing again while nothing has changed', () => {
  expect(changes({ progress: 40, processedProducts: 400 })).toEqual([]);
});

it('reads what a stage makes stale again in another one, and while rules are applied', () => {
  expect(changes({ status: 'uploading' })).toEqual(ofStage);
  expect(changes({ completedAt: '2026-11-28T12:00:00.000Z' })).toEqual(ofStage);
  expect(changes({ tasks: [task({ label: taskLabel('apply-rules') })] })).toEqual(ofStage);
});

it('reads the history again, too, when a command has begun or ended', () => {
  const command = '0b2a6f3e-7e55-4b7a-9d5e-0e9f5a6c1d11';
  const ofCommand = [
    ...['listRows', 'getMapping', 'getPlan', 'listProposals', 'listCommands', 'listPictures'],
    'getValuesSample',
  ];
  expect(changes({ tasks: [task({ command })] })).toEqual(ofCommand);
  expect(changes({ tasks: [] }, { tasks: [task({ command })] })).toEqual(ofCommand);
  expect(findStaleReads(before as JobWithRows, before as JobWithRows, [command])).toEqual(ofCommand);
});

it('reads the rows again when look-ups have found something, and not when they begin', () => {
  const looking = (found: number) => ({ coverage: [{ found }], waiting: [{ source: 'a' }] });
  const enrichment = (found: number) => ({ enrichment: looking(found) }) as unknown as Details;
  expect(changes(enrichment(2), enrichment(1))).toEqual(['listRows']);
  expect(changes(enrichment(1))).toEqual([]);
});

it('tells new proposals by their number and by the highest id', () => {
  const isNew = (proposals: number, newestProposal: number | null) =>
    changes({ proposals, newestProposal }).includes('listProposals');
  expect(isNew(3, 8)).toBe(true);
  // A rule has replaced one by another value.
  expect(isNew(2, 9)).toBe(true);
  // Fewer of them, with new ones among them.
  expect(isNew(1, 12)).toBe(true);
  // Some were decided, among them the newest.
  expect(isNew(1, 7)).toBe(false);
  expect(isNew(0, null)).toBe(false);
});
