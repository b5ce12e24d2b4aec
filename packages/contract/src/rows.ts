import { canonicalFields } from '@draftshelf/domain/canonical-fields';
import { isStorable, notStorable } from '@draftshelf/domain/storable-text';
import { z } from 'zod';
import { ImportParams } from './imports.ts';
import { route } from './route.ts';

export const rowPageSizeMax = 200;

/** The largest row number that the database can be asked for; no file has so many. */
const rowNumberMax = 2_147_483_647;

/** What became of a row's product in the latest push. */
const Outcome = z.enum(['created', 'updated', 'unchanged', 'skipped', 'failed']);

export const Row = z.object({
  /** Ordinal of the data record in the file, from 1. */
  row: z.number().int(),
  /** Physical line of its first byte, from 1. */
  line: z.number().int(),
  /** Number of the draft product that the row belongs to. */
  product: z.number().int(),
  class: z.enum(['valid', 'warning', 'error']),
  /** Why the row takes no part (a repeated header, a totals line), or null. */
  ignored: z.string().nullable(),
  /** Effective values by canonical field: edit ?? found ?? parsed. */
  values: z.record(z.string(), z.string()),
  /** Where a value is not simply the file's: field → its source. */
  sources: z.record(z.string(), z.enum(['edit', 'found'])),
  /** The original cells in the order of `headers`. */
  cells: z.array(z.string()),
  issues: z.array(z.object({ code: z.string(), field: z.string().nullable(), message: z.string() })),
  outcome: z
    .object({
      result: Outcome,
      message: z.string().nullable(),
      storeUrl: z.string().nullable(),
    })
    .nullable(),
});
export type Row = z.infer<typeof Row>;

/** A page of rows by key: the rows after row number `after`, at most `limit`. */
export const listRows = route({
  method: 'GET',
  path: '/api/queue/:id/rows',
  params: ImportParams,
  query: z.object({
    after: z.coerce.number().int().min(0).max(rowNumberMax).default(0),
    limit: z.coerce.number().int().min(1).max(rowPageSizeMax).default(25),
  }),
  reply: z.object({ headers: z.array(z.string()), rows: z.array(Row), totalRows: z.number().int() }),
});

/** Edits of one row: canonical field → new value; null takes the edit back. */
export const editRow = route({
  method: 'PATCH',
  path: '/api/queue/:id/rows/:row',
  params: ImportParams.extend({ row: z.coerce.number().int().min(1).max(rowNumberMax) }),
  body: z.object({
    values: z
      .partialRecord(
        z.enum(canonicalFields),
        z.string().max(100_000).refine(isStorable, notStorable).nullable(),
      )
      .refine((values) => Object.keys(values).length > 0, 'Name at least one field to change.'),
  }),
  reply: z.object({ success: z.literal(true), message: z.string(), row: Row }),
});
