import { timelineKinds } from '@draftshelf/domain/imports/import-timeline';
import { outcomes } from '@draftshelf/domain/imports/outcome';
import { z } from 'zod';
import { route } from '../route.ts';
import { count } from '../values.ts';
import { Job } from './imports.ts';

const Period = z.object({ startedAt: z.iso.datetime(), endedAt: z.iso.datetime().nullable() });

/** The contents of an import, and the results of its last push. */
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
  /** Products by class: the specification's title and price rule. */
  products: z.object({ total: count, valid: count, warning: count, error: count }),
  /** Products without an outcome, because the last push was undone. */
  undone: count,
  /** Products that the last push did not reach; 0 before the first push. */
  undecided: count,
  /** When the file was read, and when the last push ran; null if it has not. `endedAt` null: it still runs. */
  processing: Period.nullable(),
  push: Period.nullable(),
  /** The import's life in spans, one behind the other: the newest 40. `endedAt` null: it goes on. */
  timeline: z.array(Period.extend({ kind: z.enum(timelineKinds) })),
  /** Why products were skipped or have failed: at most 20 causes, the most frequent first. */
  causes: z.array(
    z.object({
      outcome: z.enum(outcomes),
      code: z.string().nullable(),
      message: z.string().nullable(),
      products: count,
      /** The first of these products, at most three. */
      examples: z.array(z.object({ product: count, row: count, title: z.string().nullable() })),
    }),
  ),
  /** Skipped and failed products that `causes` does not cover. */
  otherCauses: count,
});
export type ImportReport = z.infer<typeof ImportReport>;

/** 409 until the file has been read for the first time. */
export const getReport = route('getReport', { reply: ImportReport });

/** Streams an import's ledger as CSV, a line per product and push; before the first push only the header. */
export const getLedger = route('getLedger', { reply: z.string() });

/**
 * The rows of all skipped and failed products as CSV: the file's own columns, then the reason. No cell is a formula; in
 * an upload of the download the cells are read as they were. The reply is streamed text. 409 if no product was skipped
 * or has failed.
 */
export const getFailedRows = route('getFailedRows', { reply: z.string() });

/**
 * Products that the last push decided in equal steps of time; null if there is none to show. `products` is empty while
 * there are few. `planPerSecond`: products of one variant and one picture that the store's plan allows per second, null
 * if it is not known.
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
