import { timelineKinds } from '@draftshelf/domain/imports/import-timeline';
import { outcomes } from '@draftshelf/domain/imports/outcome';
import { z } from 'zod';
import { route } from '../route.ts';
import { count } from '../values.ts';
import { Job } from './imports.ts';

const Period = z.object({ startedAt: z.iso.datetime(), endedAt: z.iso.datetime().nullable() });

/** The product counts of an import, and the results of its last push. */
export const ImportReport = Job.pick({
  id: true,
  filename: true,
  status: true,
  failedIn: true,
  isUndoing: true,
  shop: true,
  errorMessage: true,
  outcomes: true,
  inStore: true,
  draftsUrl: true,
}).extend({
  /** Products by class: valid if they have a title and a valid price. */
  products: z.object({ total: count, valid: count, warning: count, error: count }),
  /** Number of products without an outcome because the last push was undone. */
  undone: count,
  /** Number of products that the last push did not reach. 0 before the first push. */
  undecided: count,
  /** Periods of reading and of the last push. Null before a period began; `endedAt` is null until it has ended. */
  processing: Period.nullable(),
  push: Period.nullable(),
  /** The newest 40 periods of the import, oldest first, without gaps. `endedAt` is null for a period that continues. */
  timeline: z.array(Period.extend({ kind: z.enum(timelineKinds) })),
  /** Why products were skipped or failed: at most 20 causes, the most frequent first. */
  causes: z.array(
    z.object({
      outcome: z.enum(outcomes),
      code: z.string().nullable(),
      message: z.string().nullable(),
      products: count,
      /** The first three products with this cause. */
      examples: z.array(z.object({ product: count, row: count, title: z.string().nullable() })),
    }),
  ),
  /** Number of skipped and failed products that `causes` does not cover. */
  otherCauses: count,
});
export type ImportReport = z.infer<typeof ImportReport>;

/** Replies 409 until the file has been read for the first time. */
export const getReport = route('getReport', { reply: ImportReport });

/** Streams an import's ledger as CSV, a line per product and push. Before the first push there is only the header. */
export const getLedger = route('getLedger', { reply: z.string() });

/**
 * Streams the rows of all skipped and failed products as CSV: the file's own columns, then the reason. Cells that look
 * like formulas are escaped; an upload of the download restores them. 409 if no product was skipped or failed.
 */
export const getFailedRows = route('getFailedRows', { reply: z.string() });

/**
 * Numbers of products that the last push finished, by interval of `stepMs`. Null if there is nothing to show.
 * `products` is empty if only few were finished. `planPerSecond`: how many products with one variant and one picture
 * the store's rate limit allows per second, or null if unknown.
 */
export const PushSeries = z
  .object({
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    stepMs: z.number(),
    products: z.array(count),
    planPerSecond: z.number().nullable(),
  })
  .nullable();
export type PushSeries = z.infer<typeof PushSeries>;

export const getPushSeries = route('getPushSeries', { reply: z.object({ series: PushSeries }) });
