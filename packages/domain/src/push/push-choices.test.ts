import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { choiceLabel, choiceSubjects, choicesBySubject, hasChoiceChanged } from './push-choices.ts';

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
  const asked = choiceSubjects.map((about) =>
    choicesBySubject[about].filter((one) => one !== 'skip').map((one) => choiceLabel(about, one)),
  );
  expect(choices).toEqual(asked);
});

test.each([
  ['nothing was decided', null, null, false],
  ['it is skipped as without a choice', null, 'skip', false],
  ['it was decided', null, 'use-ours', true],
  ['its choice stayed', 'use-ours', 'use-ours', false],
  ['its choice was taken back', 'use-ours', null, true],
  ['another choice was made', 'use-ours', 'keep-store', true],
  ['it is skipped instead', 'use-ours', 'skip', true],
  ['the choice to skip it was taken back', 'skip', null, false],
] as const)('a line whose plan does not count a choice: %s', (_, plannedChoice, choice, isSince) => {
  expect(hasChoiceChanged({ about: 'drifted', plannedChoice, choice })).toBe(isSince);
});

test('a line about which nothing is to be decided', () => {
  expect(hasChoiceChanged({ about: null, plannedChoice: null, choice: null })).toBe(false);
});
