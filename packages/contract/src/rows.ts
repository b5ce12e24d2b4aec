import { canonicalFields } from '@draftshelf/domain/canonical-fields';
import { rowClasses } from '@draftshelf/domain/row-rule';
import { searchCharsMax, searchCharsMin } from '@draftshelf/domain/search-text';
import { isStorable, notStorable } from '@draftshelf/domain/storable-text';
import { type RowIssue, rowIssues } from '@draftshelf/domain/validate-row';
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
  /** The cells in the order of `headers`, as they stand in the file or, with `cellsAsRead` beside, set right. */
  cells: z.array(z.string()),
  /**
   * The cells as they stand in the file, where a separator too many or too few was set right in `cells`, else null. An
   * addition of ours to the specification's row.
   */
  cellsAsRead: z.array(z.string()).nullable(),
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

/** What rows can be found by beside their class: the codes of the domain's issues, a duplicate, or any of these. */
export const IssueFilter = z.enum([...(Object.keys(rowIssues) as RowIssue[]), 'duplicate', 'any']);
export type IssueFilter = z.infer<typeof IssueFilter>;

/** How many rows there are of each kind; rows that take no part count as ignored only. */
export const RowFacets = z.object({
  classes: z.object({ valid: z.number().int(), warning: z.number().int(), error: z.number().int() }),
  /** By filter, those that have any rows. */
  issues: z.partialRecord(IssueFilter, z.number().int()),
  ignored: z.number().int(),
});
export type RowFacets = z.infer<typeof RowFacets>;

/**
 * A page of rows by key: the first `limit` rows after row number `after`, or the last ones before `before`, that meet
 * all filters. `q` finds titles, SKUs, UPCs, vendors and item numbers by any part of them.
 */
export const listRows = route({
  method: 'GET',
  path: '/api/queue/:id/rows',
  params: ImportParams,
  query: z
    .object({
      after: z.coerce.number().int().min(0).max(rowNumberMax).optional(),
      before: z.coerce.number().int().min(1).max(rowNumberMax).optional(),
      limit: z.coerce.number().int().min(1).max(rowPageSizeMax).default(25),
      class: z.enum(rowClasses).optional(),
      issue: IssueFilter.optional(),
      q: z
        .string()
        .trim()
        .max(searchCharsMax)
        .refine(
          (text) => [...text].length >= searchCharsMin,
          `A search needs ${searchCharsMin} letters or more.`,
        )
        .refine(isStorable, notStorable)
        .optional(),
    })
    .refine(({ after, before }) => after === undefined || before === undefined, {
      path: ['before'],
      message: 'Give after or before, not both.',
    }),
  reply: z.object({
    headers: z.array(z.string()),
    rows: z.array(Row),
    totalRows: z.number().int(),
    /** How many rows meet the filters; null where a search does not count them. */
    matching: z.number().int().nullable(),
    /** Whether rows that meet the filters stand before and after these; with a search, before them there may be. */
    earlier: z.boolean(),
    later: z.boolean(),
    /** The row up to which a search has looked when it took too long to fill the page; null when it is whole. */
    searchedTo: z.number().int().nullable(),
    facets: RowFacets,
  }),
});
export type RowPage = z.infer<(typeof listRows)['reply']>;

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
  reply: z.object({
    success: z.literal(true),
    message: z.string(),
    /** The id of this change, for its undo. */
    command: z.uuid(),
    row: Row,
    facets: RowFacets,
  }),
});

/**
 * Undoes a change: its values give way to those before it. What was changed again since stays, and is counted as `left`.
 * The undo is a change too; undoing it is the redo.
 */
export const undoEdits = route({
  method: 'POST',
  path: '/api/queue/:id/edits/:command/undo',
  params: ImportParams.extend({ command: z.string() }),
  reply: z.object({
    success: z.literal(true),
    message: z.string(),
    command: z.uuid(),
    left: z.number().int(),
    rows: z.array(Row),
    facets: RowFacets,
  }),
});
