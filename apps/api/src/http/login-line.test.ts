import { expect, it } from 'vitest';
import { type LoginResult, openLoginLine } from './login-line.ts';

/** A line in which pauses end when the test says so. */
function lineWith(options: { many: boolean }) {
  const pauses: (() => void)[] = [];
  const seen = { slow: 0 };
  const line = openLoginLine({
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
