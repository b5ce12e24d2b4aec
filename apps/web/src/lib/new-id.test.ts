import { expect, it } from 'vitest';
import { z } from 'zod';
import { newId } from './new-id.ts';

it('ids are different UUIDs of version 4', () => {
  const ids = Array.from({ length: 100 }, newId);
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(z.uuidv4().parse(id)).toBe(id);
});
