import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { canonicalFields } from '@draftshelf/domain/base/canonical-fields';
import { afterAll, expect, test } from 'vitest';
import { type MappingFile, ownMappingFiles, readMappingFiles } from './mapping-files.ts';
import { scoreFile, scoreOf } from './mapping-score.ts';

const files = readMappingFiles(ownMappingFiles);
const folder = mkdtempSync(path.join(tmpdir(), 'draftshelf-mapping-'));
afterAll(() => rmSync(folder, { recursive: true }));

const answered = (headers: string[], accepted: MappingFile['accepted']): MappingFile => ({
  name: 'file',
  group: 'tuned',
  headerless: false,
  accepted,
  hasOptions: true,
  headers,
  sample: [],
  isReadRight: true,
});

test('the mapping of the tuned files is at least as good as it was', () => {
  const tuned = files.filter((file) => file.group === 'tuned').map((file) => scoreFile(file));
  const score = scoreOf(tuned);
  expect(score.f1.core).toBeGreaterThanOrEqual(0.97);
  expect(score.bothRight).toBeGreaterThanOrEqual(53);
});

test('every file has a group, is read as its answers say, and has answers that can be met', () => {
  const groups = JSON.parse(readFileSync(path.join(ownMappingFiles, 'groups.json'), 'utf8'));
  const names = readdirSync(ownMappingFiles).filter((file) => file.endsWith('.csv'));
  const grouped = [...groups.tuned, ...groups.unseen, ...groups.fresh, ...groups.blind];
  expect(grouped.map((name) => `${name}.csv`).sort()).toEqual(names.sort());
  expect(files.filter((file) => !file.isReadRight).map((file) => file.name)).toEqual([]);
  const fields = new Set<string | null>([...canonicalFields, null]);
  for (const { name, accepted } of files) {
    expect(accepted.flat().filter((field) => !fields.has(field))).toEqual([]);
    const must = accepted.flatMap((of) => (of.length === 1 && !/image/i.test(`${of[0]}`) ? of : []));
    const repeated = must.filter((field, at) => field !== null && must.indexOf(field) !== at);
    expect({ name, repeated }).toEqual({ name, repeated: [] });
  }
});

test('a wrong field, a missing one and one that is not needed', () => {
  const file = answered(
    ['Name', 'Price', 'Meta title', 'Stok', 'Colour', 'Tags'],
    [['title'], ['cost'], [null], ['quantity'], ['option1Value'], ['tags', null]],
  );
  const score = scoreFile(file);
  expect(score.columns.core).toEqual({ right: 2, wrong: 1, missing: 0 });
  expect(score.columns.further).toEqual({ right: 3, wrong: 1, missing: 2 });
  expect(score.wrongColumns.map(({ header, got }) => [header, got])).toEqual([
    ['Price', 'price'],
    ['Colour', null],
  ]);
});

test('products that look ready although the price is wrong', () => {
  const headers = ['Item name', 'Price', 'Sale price'];
  const [right, wrong, none] = [
    answered(headers, [['title'], ['price'], [null, 'price']]),
    answered(headers, [['title'], [null, 'price'], ['price']]),
    answered(headers, [['title'], [null], [null]]),
  ].map((file) => scoreFile(file));
  expect(right).toMatchObject({ offersBoth: true, areBothRight: true, isWronglyReady: false });
  expect(wrong).toMatchObject({ offersBoth: true, areBothRight: false, isWronglyReady: true });
  expect(none).toMatchObject({ offersBoth: false, areBothRight: false, isWronglyReady: true });
});

test('answers in the folder expected, with names in snake case', () => {
  mkdirSync(path.join(folder, 'expected'));
  writeFileSync(
    path.join(folder, 'shop.csv'),
    'Name,Was,Collection\nOak stool,49.00,Stools\nOak bench,99.00,Benches\n',
  );
  const columns = [
    { index: 1, expected: ['compare_at_price', null] },
    { index: 2, expected: ['collection'] },
    { index: 0, expected: ['title'] },
  ];
  writeFileSync(
    path.join(folder, 'expected/shop.json'),
    JSON.stringify({ file: 'shop.csv', headerRow: 0, columns }),
  );
  expect(readMappingFiles(folder)).toEqual([
    {
      name: 'shop',
      group: 'other',
      headerless: false,
      accepted: [['title'], ['compareAtPrice', null], ['collections']],
      hasOptions: false,
      headers: ['Name', 'Was', 'Collection'],
      sample: [
        ['Oak stool', '49.00', 'Stools'],
        ['Oak bench', '99.00', 'Benches'],
      ],
      isReadRight: true,
    },
  ]);
});
