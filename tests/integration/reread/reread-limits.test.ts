import { findImport } from '@draftshelf/core/imports/imports';
import { expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { until } from '../../support/fixture.ts';
import { testOnStack } from '../../support/test.ts';

const test = testOnStack({
  names: ['api', 'parse-worker', 'enrich-worker'],
  env: { CELL_BYTES_MAX: '40', COLUMNS_MAX: '6' },
});

test.for([
  ['a longer cell', { delimiter: ',' }, 'x', 'Row at line 2 has a cell of more than 40 bytes.'],
  ['more columns', { delimiter: '|' }, 'x|', 'Row at line 2 has more than 6 columns.'],
] as const)(
  'a reading in another dialect has the limits of an upload: %s',
  async ([, choice, text, sentence], { stack, client }) => {
    const rows = ['A', text.repeat(20), text.repeat(20), 'Vase', '1'].join(';');
    const csv = ['SKU;Title;Brand;Type;Price', ...Array.from({ length: 4 }, () => rows)].join('\n');
    const uploaded = await client.upload(csvForm(csv, { before: { dialect: '{"delimiter":";"}' } }));
    const { id } = uploaded.body as { id: string };
    expect(uploaded.status, JSON.stringify(uploaded.body)).toBe(200);
    const ended = async (run: number) => {
      const record = await findImport(stack.database.db, id);
      const isAtRest = record?.status === 'processed' || record?.status === 'queued';
      return isAtRest && (run === 1 || record.error_count > 0);
    };
    await until('read', () => ended(1));
    expect((await client.call('POST', `/api/queue/${id}/dialect`, { body: choice })).status).toBe(200);
    await until('re-read', () => ended(2));
    const record = await findImport(stack.database.db, id);
    expect(record?.error_message).toContain(sentence);
    expect(record).toMatchObject({ rows_run: 1, total_rows: 4 });
  },
);
