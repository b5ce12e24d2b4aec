import { z } from 'zod';
import { Job } from '../imports/imports.ts';
import { route } from '../route.ts';

/** Lists the imports with status `processed`, which can be pushed: newest first, at most 500. */
export const listCompleted = route('listCompleted', {
  reply: z.array(
    Job.pick({
      id: true,
      filename: true,
      processedProducts: true,
      status: true,
      completedAt: true,
      createdAt: true,
      otherCurrency: true,
      columnQuestions: true,
      asksRecipes: true,
      shop: true,
    }),
  ),
});

const batchMax = 500;

/** Pushes imports. Returns one result per id, in the order of the request. Replies 200 even if some imports fail. */
export const pushBatch = route('pushBatch', {
  body: z.object({ jobIds: z.array(z.string()).min(1, 'Select at least one import.').max(batchMax) }),
  reply: z.object({
    results: z.array(z.object({ jobId: z.string(), success: z.boolean(), message: z.string() })),
  }),
});
