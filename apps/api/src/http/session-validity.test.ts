import { expect, it } from 'vitest';
import { sessionValidity } from './session-validity.ts';

it('asks once for each of 2,000 browsers that poll in turns', async () => {
  let asked = 0;
  const validity = sessionValidity(async () => {
    asked += 1;
    return true;
  });
  for (let round = 0; round < 3; round += 1) {
    for (let browser = 0; browser < 2_000; browser += 1)
      expect(await validity.get(`cookie ${browser}`)).toBe(true);
  }
  expect(asked).toBe(2_000);
});

it('asks again for a cookie without a session', async () => {
  const answers = [false, true];
  const validity = sessionValidity(async () => answers.shift() ?? false);
  expect(await validity.get('cookie')).toBe(false);
  expect(await validity.get('cookie')).toBe(true);
});
