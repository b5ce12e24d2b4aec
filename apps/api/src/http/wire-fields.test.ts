import { expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { createWireMapper } from './wire-fields.ts';

const Shown = z.object({
  id: z.number(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  words: z.string(),
});

it('reads the fields of a reply, with times as texts, and nothing else', () => {
  const record: { id: number; created_at: Date; ended_at: Date | null; secret: string } = {
    ...{ id: 1, created_at: new Date(0), ended_at: null, secret: 'key' },
  };
  const fields = createWireMapper(Shown)(record);
  expectTypeOf(fields).toEqualTypeOf<{ id: number; createdAt: string; endedAt: string | null }>();
  expect(fields).toEqual({ id: 1, createdAt: '1970-01-01T00:00:00.000Z', endedAt: null });
});

it('reads fields that a record has under their own names', () => {
  expect(createWireMapper(Shown)({ createdAt: new Date(0) })).toEqual({
    createdAt: '1970-01-01T00:00:00.000Z',
  });
});
