import { expect, it, test } from 'vitest';
import { clientNetworkOf, createSessionCheckCache, type LoginResult, openLoginQueue } from './session.ts';

it('asks once for each of 2,000 browsers that poll in turns', async () => {
  let asked = 0;
  const validity = createSessionCheckCache(async () => {
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
  const validity = createSessionCheckCache(async () => answers.shift() ?? false);
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
  expect(clientNetworkOf(address)).toBe(client);
});

/** A line in which pauses end when the test says so. */
function lineWith(options: { many: boolean }) {
  const pauses: (() => void)[] = [];
  const seen = { slow: 0 };
  const line = openLoginQueue({
    hasManyFailures: async () => options.many,
    pause: () => new Promise<void>((resolve) => pauses.push(resolve)),
  });
  const onSlow = () => {
    seen.slow += 1;
  };
  const ended: string[] = [];
  const run = (name: string, result: LoginResult) =>
    line.run({ attempt: async () => result, onSlow }).then((known) => {
      ended.push(`${name}: ${known}`);
      return known;
    });
  return { run, pauses, ended, seen, options };
}

/** Lets everything run that does not wait for a pause. */
const allPossible = () => new Promise((resolve) => setImmediate(resolve));

it('does not wait after wrong keys while there are few', async () => {
  const { run, pauses, seen } = lineWith({ many: false });
  await Promise.all(Array.from({ length: 50 }, (_, i) => run(`guess ${i}`, 'wrong key')));
  expect(pauses).toHaveLength(0);
  expect(seen.slow).toBe(0);
});

it('tests two wrong keys per pause while there are many, and says so once', async () => {
  const { run, pauses, ended, seen } = lineWith({ many: true });
  const guesses = Array.from({ length: 5 }, (_, i) => run(`guess ${i}`, 'wrong key'));
  const known = run('operator', 'in');
  await allPossible();
  expect(pauses).toHaveLength(2);
  expect(ended).toEqual([]);
  for (const count of [2, 2, 1]) {
    for (const end of pauses.splice(0, count)) end();
    await allPossible();
  }
  expect(await known).toBe('in');
  await Promise.all(guesses);
  expect(seen.slow).toBe(1);
});

it('a correct key and a client that is locked out never pause', async () => {
  const { run, pauses } = lineWith({ many: true });
  expect(await run('operator', 'in')).toBe('in');
  expect(await run('locked', 'too many failures')).toBe('too many failures');
  expect(pauses).toHaveLength(0);
});

it('keeps a short line while there are many failures, and a long one again afterwards', async () => {
  const { run, pauses, options } = lineWith({ many: true });
  const first = [run('a', 'wrong key'), run('b', 'wrong key')];
  await allPossible();
  const waiting = Array.from({ length: 30 }, (_, i) => run(`guess ${i}`, 'wrong key'));
  expect(await run('one too many', 'in')).toBe('too many at once');
  options.many = false;
  for (const end of pauses) end();
  await Promise.all([...first, ...waiting]);
  expect(await Promise.all(Array.from({ length: 40 }, () => run('later', 'in')))).not.toContain(
    'too many at once',
  );
});
