import { openCandidates } from '@draftshelf/core/enrich/ai/collect-asks';
import { currentRows } from '@draftshelf/core/work/runs';
import { expect } from 'vitest';
import { csvOf } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(readers);
const { upload, reach } = importSteps(() => stack);

const header = ['Handle', 'Title', 'SKU', 'Price', 'Option1 Name', 'Option1 Value', 'Note', 'Note'];
const line = (handle: string, title: string, color: string, note = '') => [
  ...[handle, title, `${handle}-${color}`, '48.00', 'Color', color],
  ...['ask ann@example.com', note],
];

test('a product is asked about once and as a whole, however its rows are read', async () => {
  const csv = csvOf([
    header,
    line('tall-vase', 'Tall Vase', 'White', 'dry clean'),
    line('wool-throw', 'Wool Throw', 'Rust'),
    header,
    line('wool-throw', '', 'Grey'),
    line('oak-tray', 'Oak Tray', 'Brown'),
    line('tall-vase', '', 'Black'),
    line('oak-tray', '', 'Red'),
  ]);
  const record = await reach(await upload(csv), 'queued', 'processed');
  const candidates = await openCandidates(stack.database.db, currentRows(record));
  const whole = await candidates.ofRows([4, 1, 6, 7]);
  expect(whole.map(({ row, sent }) => [row.row, sent.options?.[0]?.values])).toEqual([
    [1, ['White', 'Black']],
    [2, ['Rust', 'Grey']],
    [5, ['Brown', 'Red']],
  ]);
  expect(whole[0]?.sent.columns).toEqual([{ name: 'Note (2)', value: 'dry clean' }]);
  for (const limit of [1, 2, 3, 4, 7]) {
    const read: typeof whole = [];
    for (let after: number | null = 0; after !== null; ) {
      const page: { candidates: typeof whole; last: number | null } = await candidates.page(after, limit);
      read.push(...page.candidates);
      after = page.last;
    }
    expect(read, `pages of ${limit}`).toEqual(whole);
  }
});
