import type { MappedColumn } from '@draftshelf/contract/reading/mapping';
import { importActions, importStatuses } from '@draftshelf/domain/imports/import-status';
import { expect, test } from 'vitest';
import { extentWords, isRereadWorse, rereadEffectWords } from './reread-effect.tsx';
import { invertDialectChange, invertMappingChange, rereadBlockReason } from './reread-rules.tsx';

const outcomes = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
const undecided = { totalProducts: 2, outcomes };

test('re-read follows the table of actions, and every refusal has its own reason', () => {
  const allowed: readonly string[] = importActions.reread;
  const reasons = importStatuses.map(
    (status) => [status, rereadBlockReason({ ...undecided, status, failedIn: null })] as const,
  );
  for (const [status, reason] of reasons) expect(reason === null, status).toBe(allowed.includes(status));
  const given = reasons.flatMap(([, reason]) => (reason === null ? [] : [reason]));
  expect(new Set(given).size).toBe(given.length);
  expect(rereadBlockReason({ ...undecided, status: 'of a newer server', failedIn: null })).toBe(
    'The file can’t be re-read right now.',
  );
});

test('a failed import can be re-read if it failed in processing, or if its push left nothing in the store', () => {
  expect(rereadBlockReason({ ...undecided, status: 'failed', failedIn: 'parse' })).toBeNull();
  expect(rereadBlockReason({ ...undecided, status: 'failed', failedIn: 'enrich' })).toBeNull();
  const push = { status: 'failed', failedIn: 'push', totalProducts: 2 } as const;
  const after = (counts: Partial<typeof outcomes>) =>
    rereadBlockReason({ ...push, outcomes: { ...outcomes, ...counts } });
  expect(after({})).toContain('Retry it before');
  expect(after({ skipped: 1 })).toContain('Retry it before');
  expect(after({ created: 1, skipped: 1 })).toContain('Retry it before');
  expect(after({ skipped: 2 })).toBeNull();
  expect(after({ skipped: 1, failed: 1 })).toBeNull();
});

const column = (header: string, field: string | null, setBy: MappedColumn['setBy']): MappedColumn => ({
  ...{ header, field, setBy, confidence: 1, reason: '', rememberedFrom: null, samples: [] },
  alternatives: [],
  profile: null,
});

test('a dialect is restored by what was changed of it', () => {
  const dialect = { encoding: 'utf-8', delimiter: ';', quote: '"', headerRecord: 0 };
  expect(invertDialectChange(dialect, { headerRecord: 2, delimiter: ',' })).toEqual({
    dialect: { headerRecord: 0, delimiter: ';' },
  });
});

test('a mapping is restored: detected fields are detected again', () => {
  const columns = [
    column('Price', 'price', null),
    column('Dealer', null, 'operator'),
    column('Name', 'title', 'memory'),
  ];
  expect(invertMappingChange(columns, { Price: null, Dealer: 'price', Name: 'detect', Gone: 'sku' })).toEqual(
    {
      mapping: { Price: 'detect', Dealer: null, Name: 'title', Gone: 'detect' },
    },
  );
});

const counts = (valid: number, warning = 0, error = 0) => ({ rows: 30, valid, warning, error });

test.each([
  [counts(20), counts(0, 0, 20), 'Valid 20 → 0 · Errors 0 → 20'],
  [counts(23_131, 1498), counts(24_629, 0), 'Valid 23,131 → 24,629 · Warnings 1,498 → 0'],
  [counts(98), counts(90), 'Products 98 → 90 · Valid 98 → 90'],
  [counts(20), counts(20), 'Valid 20'],
  [null, counts(3, 1), 'Valid 3 · Warnings 1'],
])('from %o to %o', (before, after, words) => expect(rereadEffectWords(before, after)).toBe(words));

test('a reading is worse with more problems or fewer rows, not if rows become variants', () => {
  expect(isRereadWorse(counts(98), counts(90))).toBe(false);
  expect(isRereadWorse(counts(20), counts(19, 1))).toBe(true);
  expect(isRereadWorse(counts(20), { ...counts(20), rows: 29 })).toBe(true);
  expect(isRereadWorse(null, counts(0, 3))).toBe(false);
});

test('a sample says how many rows it has', () => {
  const after = { ...counts(1), dialect: null as never, headers: [], records: [] };
  expect(extentWords({ isWhole: false, after, added: 0 })).toBe('from the first 30 rows');
  expect(extentWords({ isWhole: true, after, added: 0 })).toBe('');
  expect(extentWords({ isWhole: true, after: null, added: 1 })).toBe('');
});

test('rows that were added from the scanner are counted apart', () => {
  const after = { ...counts(1), rows: 20, dialect: null as never, headers: [], records: [] };
  expect(extentWords({ isWhole: true, after, added: 1 })).toBe('20 rows and 1 added');
  expect(extentWords({ isWhole: false, after, added: 1 })).toBe('from the first 20 rows');
});
