import { expect, test } from 'vitest';
import { z } from 'zod';
import { requestSentence } from './request-sentence.ts';

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
