import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { aiSwitchSentence, privacySentences } from './privacy-text.ts';

const read = (name: string) => readFile(new URL(`../../../../../${name}`, import.meta.url), 'utf8');

it('docs/OPERATIONS.md says what leaves the machine, in the words of Settings, and README.md leads there', async () => {
  const [operations, readme] = await Promise.all([read('docs/OPERATIONS.md'), read('README.md')]);
  expect(operations).toContain(privacySentences({ host: '*host*', model: '*model*' }).join(' '));
  expect(readme).toContain('[what is sent](docs/OPERATIONS.md#requests-to-the-outside)');
});

it('the switch says whether anything can be sent', () => {
  expect(aiSwitchSentence(false)).toContain('nothing is sent anywhere');
  expect(aiSwitchSentence(true)).toContain('nothing is sent before');
});
