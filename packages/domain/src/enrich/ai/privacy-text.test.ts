import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { privacyText, switchSentence } from './privacy-text.ts';

it.each(['README.md', 'docs/OPERATIONS.md'])(
  '%s says what leaves the machine, in the words of Settings',
  async (name) => {
    const document = await readFile(new URL(`../../../../../${name}`, import.meta.url), 'utf8');
    expect(document).toContain(privacyText({ host: '*host*', model: '*model*' }).join(' '));
  },
);

it('the switch says whether anything can be sent', () => {
  expect(switchSentence(false)).toContain('nothing is sent anywhere');
  expect(switchSentence(true)).toContain('nothing is sent before');
});
