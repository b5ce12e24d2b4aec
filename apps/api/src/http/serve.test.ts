import { expect, it, test } from 'vitest';
import { z } from 'zod';
import { requestSentence, sharedRuns } from './serve.ts';

const Body = z.strictObject({
  name: z.string().max(3),
  size: z.number().min(2).optional(),
  colour: z.enum(['red', 'blue']).optional(),
  even: z
    .number()
    .refine((value) => value % 2 === 0, 'Give an even number.')
    .optional(),
});

const sentenceOf = (body: unknown): string => {
  const issue = Body.safeParse(body, { reportInput: true }).error?.issues[0];
  return issue ? requestSentence(issue, issue.path.join('.')) : 'nothing is wrong';
};

test.each([
  [undefined, 'The request needs a JSON body.'],
  [[1], 'The request must be an object.'],
  [{}, 'The field name is missing.'],
  [{ name: 1 }, 'The field name must be a string.'],
  [{ name: 'long' }, 'The field name is too long (maximum 3).'],
  [{ name: 'a', size: 1 }, 'The field size is too small (minimum 2).'],
  [{ name: 'a', colour: 'green' }, 'The field colour must be one of red, blue.'],
  [{ name: 'a', shape: 1 }, 'The request has an unknown field: shape.'],
  [{ name: 'a', even: 3 }, 'Give an even number.'],
  [{ name: 'a' }, 'nothing is wrong'],
])('%j', (body, sentence) => {
  expect(sentenceOf(body)).toBe(sentence);
});

it('runs once for all that wait with the same key', async () => {
  const share = sharedRuns<object>();
  const slow = Promise.withResolvers<object>();
  let runs = 0;
  const work = () => {
    runs += 1;
    return slow.promise;
  };
  const waiting = [share('a', work), share('a', work), share('b', work)];
  slow.resolve({});
  const [first, second] = await Promise.all(waiting);
  expect(first).toBe(second);
  expect(runs).toBe(2);
});

it('runs again afterwards, also after a failure', async () => {
  const share = sharedRuns<string>();
  await expect(share('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await share('a', async () => 'back')).toBe('back');
  expect(await share('a', async () => 'newer')).toBe('newer');
});
