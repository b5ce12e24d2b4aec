import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isNameOf, nameSeparator, testNamesIn } from './test-names.ts';

type Entry = readonly string[] | { byEye: string };

const root = path.resolve(import.meta.dirname, '../..');
const source = readFileSync(path.join(import.meta.dirname, 'ids.json'), 'utf8');
const entries = Object.entries<Entry>(JSON.parse(source));

const namesOf = new Map<string, readonly string[]>();

/** The names of a file's tests; none if there is no such file. */
function namesIn(file: string): readonly string[] {
  const known = namesOf.get(file);
  if (known) return known;
  let names: string[] = [];
  try {
    names = testNamesIn(readFileSync(path.join(root, file), 'utf8'), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  namesOf.set(file, names);
  return names;
}

function exists(named: string): boolean {
  const at = named.indexOf(nameSeparator);
  const [file, name] = [named.slice(0, at), named.slice(at + nameSeparator.length)];
  return at > 0 && namesIn(file).some((template) => isNameOf(template, name));
}

test('each id is listed once, in order', () => {
  const listed = [...source.matchAll(/^ {2}"([^"]+)":/gm)].map(([, id = '']) => id);
  expect(listed).toEqual([...new Set(listed)].toSorted());
  expect(listed).toEqual(entries.map(([id]) => id));
});

test('each id names tests, or what was seen where no test can assert it', () => {
  const empty = entries.filter(([, entry]) =>
    'byEye' in entry ? entry.byEye.trim() === '' : entry.length === 0 || new Set(entry).size < entry.length,
  );
  expect(empty).toEqual([]);
});

test('each named test exists', () => {
  const missing = entries.flatMap(([id, entry]) =>
    'byEye' in entry ? [] : entry.filter((named) => !exists(named)).map((named) => `${id}: ${named}`),
  );
  expect(missing).toEqual([]);
});

test('tests are named behind their groups, and parametrized ones by a template', () => {
  const file = `
    test('alone', () => {});
    test.beforeAll(() => test('within', () => {}));
    test.skip('never', () => {});
    describe('a group', () => {
      it.each(cases)('shows %s as %s', () => {});
      describe.each(backends)('jobs in $backend', ({ it }) => {
        it(\`of \${count} rows\`, { timeout: 5 }, () => {});
      });
    });
    const own = test.extend('product', { scope: 'file' }, () => {});`;
  const names = testNamesIn(file, 'a.test.ts');
  expect(names).toEqual([
    'alone',
    'within',
    'a group › shows %s as %s',
    'a group › jobs in $backend › of %s rows',
  ]);
  const [, , shows = '', jobs = ''] = names;
  expect(isNameOf(shows, shows)).toBe(true);
  expect(isNameOf(shows, 'a group › shows queued as Queued')).toBe(true);
  expect(isNameOf(jobs, 'a group › jobs in redis › of 5 rows')).toBe(true);
  expect(isNameOf(shows, 'shows queued as Queued')).toBe(false);
  expect(isNameOf('costs $5 (net)', 'costs $5 (net)')).toBe(true);
});
