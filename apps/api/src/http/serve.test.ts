import type { Route } from '@draftshelf/contract/route';
import { createTallies } from '@draftshelf/domain/operate/tallies';
import fastify from 'fastify';
import { expect, it, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createJsonReplies } from './json-reply.ts';
import { createSharedRuns, invalidRequestSentence, isEtagMatch, serve } from './serve.ts';

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
  return issue ? invalidRequestSentence(issue, issue.path.join('.')) : 'nothing is wrong';
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

const open = new AbortController().signal;

it('runs once for all that wait with the same key', async () => {
  const share = createSharedRuns<object>();
  const slow = Promise.withResolvers<object>();
  let runs = 0;
  const work = () => {
    runs += 1;
    return slow.promise;
  };
  const waiting = [share('a', open, work), share('a', open, work), share('b', open, work)];
  slow.resolve({});
  const [first, second] = await Promise.all(waiting);
  expect(first).toBe(second);
  expect(runs).toBe(2);
});

it('runs again afterwards, also after a failure', async () => {
  const share = createSharedRuns<string>();
  await expect(share('a', open, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await share('a', open, async () => 'back')).toBe('back');
  expect(await share('a', open, async () => 'newer')).toBe('newer');
});

it('stops when none of those that share a run waits any more', async () => {
  const share = createSharedRuns<string>();
  const [one, other] = [new AbortController(), new AbortController()];
  const signals: AbortSignal[] = [];
  const work = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<string>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('stopped'))),
    );
  };
  const waiting = [share('a', one.signal, work), share('a', other.signal, work)];
  one.abort();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  other.abort();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  // Who comes now does not share what was stopped.
  expect(await share('a', open, async () => 'new')).toBe('new');
  for (const stopped of waiting) await expect(stopped).rejects.toThrow('stopped');
});

it('tells a handler that its client has gone, and not that its reply was sent', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  const signals: AbortSignal[] = [];
  const begun = Promise.withResolvers<void>();
  const securityLog = { record: () => {} };
  const api = {
    app,
    checkReplies: false,
    replies: createJsonReplies(),
    tallies: createTallies(),
    securityLog,
  };
  const routeOf = (path: string) => ({ method: 'POST', path, reply: z.object({}) }) as unknown as Route;
  serve(api, routeOf('/answered'), async ({ closed }) => {
    signals.push(closed());
    return {};
  });
  serve(api, routeOf('/held'), ({ closed }) => {
    signals.push(closed());
    begun.resolve();
    return new Promise(() => {});
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  await (await fetch(`${url}/answered`, { method: 'POST' })).text();
  const client = new AbortController();
  const leaving = fetch(`${url}/held`, { method: 'POST', signal: client.signal }).catch(() => 'left');
  await begun.promise;
  client.abort();
  expect(await leaving).toBe('left');
  await new Promise((gone) => signals[1]?.addEventListener('abort', gone));
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
});

test.each([
  [undefined, false],
  ['', false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ['*', true],
  ['a', false],
  ['"ab"', false],
])('If-None-Match %s', (header, matches) => {
  expect(isEtagMatch(header, '"a"')).toBe(matches);
});
