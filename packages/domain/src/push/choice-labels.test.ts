import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { choiceLabel } from './choice-labels.ts';
import { choiceAbouts, choicesAbout } from './push-choices.ts';

test('the guide to a store has a line for each question, with the choices as they are on their buttons', () => {
  const guide = readFileSync(new URL('../../../../docs/STORE.md', import.meta.url), 'utf8');
  const [, table = ''] = guide.split(
    '| what was found | choice | what the next push does |\n|---|---|---|\n',
  );
  const lines = table.slice(0, table.indexOf('\n\n')).split('\n');
  const choices: string[][] = [];
  for (const line of lines) {
    const [, found = '', choice = ''] = line.split('|').map((cell) => cell.trim());
    if (found !== '') choices.push([]);
    if (choice !== '–') choices.at(-1)?.push(choice);
  }
  const asked = choiceAbouts.map((about) =>
    choicesAbout[about].filter((one) => one !== 'skip').map((one) => choiceLabel(about, one)),
  );
  expect(choices).toEqual(asked);
});
