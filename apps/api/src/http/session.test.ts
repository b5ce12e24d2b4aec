import { expect, it, test } from 'vitest';
import { clientOf, sessionValidity } from './session.ts';

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

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:2::6', '2001:db8:1:2::/64'],
  ['2001:db8:1::5', '2001:db8:1:0::/64'],
  ['2001:db8:1:3::6', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4::/64'],
])('%s counts as %s', (address, client) => {
  expect(clientOf(address)).toBe(client);
});
