import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('./test.mjs', import.meta.url));

function npmTest(...args: string[]) {
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, stderr };
}

test.each([
  [
    'an unknown path',
    ['packages/gone.test.ts'],
    'There is no test file, folder or step packages/gone.test.ts.',
  ],
  [
    'a file with tests beside it',
    ['packages/domain/src/base/gtin.ts'],
    'packages/domain/src/base/gtin.ts is not a test file. Its tests are in packages/domain/src/base/gtin.test.ts.',
  ],
  ['a file without tests', ['package.json'], 'package.json is not a test file.'],
  ['a name without tests to look in', ['-t', 'price'], '-t also needs a test file, a folder or a project'],
  ['no name after -t', ['unit', '-t'], '-t needs the name of a test'],
])('%s is refused with a sentence', (_, args, sentence) => {
  const { status, stderr } = npmTest(...args);
  expect(stderr).toContain(sentence);
  expect(status).toBe(1);
});
