import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import { chooseTable } from '@draftshelf/reading/choose-table';
import { openBytes } from '@draftshelf/workbooks/testing/read-all';
import { expect, test } from 'vitest';
import { readTables, scoreTable, trueSheet } from './workbook-score.ts';

const folder = fileURLToPath(new URL('../fixtures/workbooks/', import.meta.url));
const names = readdirSync(folder).filter((name) => /\.(?:xlsx|ods)$/.test(name));
const open = (name: string) => openBytes(new Uint8Array(readFileSync(folder + name)));

test.each(names)('each cell of %s is read right', async (name) => {
  const tables = await readTables(await open(name));
  const scored = tables.flatMap(({ n, rows }) => {
    const sheet = trueSheet(folder + name, n);
    if (!sheet) throw new Error(`Nobody says what is in table ${n}`);
    return scoreTable(String(n), rows, sheet);
  });
  expect(scored.length).toBeGreaterThan(10);
  expect(scored.filter(({ isRight }) => !isRight).map(({ sentence }) => sentence)).toEqual([]);
});

test('their files have all classes of cells', () => {
  const texts = names.map((name) => readFileSync(`${folder}${name}.0.tsv`, 'utf8')).join('');
  const classes = 'text number date duration percent currency padded boolean error formula';
  for (const name of classes.split(' ')) expect(texts).toContain(`\t${name}\t`);
});

test.each([
  ['three-sheets.xlsx', 'Preise 2026'],
  ['libreoffice-three-sheets.xlsx', 'Preise 2026'],
  ['libreoffice-three-sheets.ods', 'Preise 2026'],
  ['numbers.xlsx', 'Sheet 1'],
])('the list of %s is its sheet %s', async (name, sheet) => {
  expect((await chooseTable(await open(name), { limits: readLimitsDefault })).table.name).toBe(sheet);
});

test.each(['pictures-anchored.xlsx', 'pictures-in-cells.xlsx', 'libreoffice-pictures.xlsx'])(
  'the pictures of %s are in their rows',
  async (name) => {
    const { pictures } = await (await open(name)).pictures();
    expect(pictures.map(({ sheet, line, toLine }) => [sheet, line, toLine])).toEqual(
      [2, 3, 5].map((line) => [0, line, undefined]),
    );
  },
);
