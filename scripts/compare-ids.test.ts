import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const script = path.join(import.meta.dirname, 'compare-ids.mjs');
const ids = Object.keys(
  JSON.parse(readFileSync(path.join(import.meta.dirname, '../tests/spec/ids.json'), 'utf8')),
);

function compare(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

function compareWith(lines: readonly string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'draftshelf-ids-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'list.jsonl');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return compare(file);
}

const lineOf = (id: string) => JSON.stringify({ id, text: 'Sign In' });

test('a list with the same ids, in any order, has no differences', () => {
  const lines = [...ids.toReversed().map(lineOf), ''];
  expect(compareWith(lines)).toMatchObject({ status: 0, stdout: 'missing: none\nextra: none\n' });
});

test('ids that only one of the two has are named', () => {
  const [first = '', ...others] = ids;
  expect(compareWith([...others, '0-001', '0-001'].map(lineOf))).toMatchObject({
    status: 1,
    stdout: `missing: 0-001\nextra: ${first}\n`,
  });
});

test('a list that cannot be read is refused with a sentence', () => {
  expect(compareWith([lineOf('1-001'), '{"text": "Sign In"}'])).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^Line 2 of .* is not a JSON object with an id\.\n$/),
  });
  expect(compareWith(['Sign In']).stderr).toMatch(/^Line 1 of /);
  expect(compare('no-such-file').stderr).toMatch(/^no-such-file cannot be read: /);
  expect(compare()).toMatchObject({ status: 2, stderr: expect.stringMatching(/^Name one file/) });
});
