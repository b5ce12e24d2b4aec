import { findChoiceProblem } from '@draftshelf/domain/base/field-choices';
import { parseFieldValue } from '@draftshelf/domain/base/field-value';
import { searchCharsMax, searchCharsMin } from '@draftshelf/domain/base/search-text';
import { isStorable, notStorableMessage, valueCharsMax } from '@draftshelf/domain/base/storable-text';
import { outcomes } from '@draftshelf/domain/imports/outcome';
import { issueFilters } from '@draftshelf/domain/review/issues';
import type { RowFilterName } from '@draftshelf/domain/review/row-filters';
import { classFilters } from '@draftshelf/domain/review/row-rule';
import { parseRowSort, type RowSort } from '@draftshelf/domain/review/row-sort';
import { rowChanges } from '@draftshelf/domain/suppliers/list';
import { z } from 'zod';
import { route } from '../route.ts';
import { FieldName, SuccessReply } from '../values.ts';

export const rowPageSizeMax = 200;

/** Maximum length of a listed value together with its field's name, as in 'vendor:Nike'. */
const fieldValueCharsMax = 540;

/** The largest value of Postgres's integer type. Files have fewer rows. */
export const rowNumberMax = 2_147_483_647;

/** The outcome of a row's product in the latest push. */
export const Outcome = z.enum(outcomes);

/** Differences of a row from the supplier's earlier list, with the price (decimal text) and quantity in that list. */
const ListedRow = z.object({
  changes: z.array(z.string()),
  priceBefore: z.string().nullable(),
  quantityBefore: z.number().int().nullable(),
});

/** A carried value: when and in which file the operator set it, and the supplier's value in the current list. */
export const CarriedValue = z.object({
  /** The id by which the value can be forgotten. Null if the value was forgotten. */
  subject: z.string().nullable(),
  since: z.iso.datetime(),
  filename: z.string(),
  theirs: z.string().nullable(),
});

/** 'invalid': the picture's address is no web address, or its host is not allowed. */
const KnownPicture = z.object({
  state: z.enum(['none', 'invalid', 'failed', 'ok', 'unchecked']),
  reason: z.string().nullable(),
});

export const Row = z.object({
  /** 1-based number of the data record in the file. */
  row: z.number().int(),
  /** 1-based line of the row's first byte in the file. 0 for a row that was added from the scanner's library. */
  line: z.number().int(),
  /** Number of the product that the row belongs to. */
  product: z.number().int(),
  /** The row's 1-based position among its product's rows. Null for the only row of a product and for ignored rows. */
  ofProduct: z.object({ place: z.number().int(), rows: z.number().int() }).nullable(),
  /** The product's title. Set if the product's first row is not in the reply. */
  productTitle: z.string().optional(),
  class: z.enum(['valid', 'warning', 'error']),
  /** Why the row is ignored, such as a repeated header or a totals line. Null if it is not ignored. */
  ignored: z.string().nullable(),
  /** Effective values by field: the edit, else the cell, else the found value. `compareAtPieces`: as in `RowValues`. */
  values: z.record(z.string(), z.string()),
  /** Sources by field, for values that do not come from the field's own column. */
  sources: z.record(z.string(), z.enum(['edit', 'found'])),
  /** Whether the operator left the row out of the push. */
  leftOut: z.boolean(),
  /** The cells in the order of `headers`: as in the file, or repaired if `cellsAsRead` is set. */
  cells: z.array(z.string()),
  /** The file's cells if `cells` has a repaired separator, else null. */
  cellsAsRead: z.array(z.string()).nullable(),
  /** `other`: the other import that the issue refers to, and when its matching row was found. */
  issues: z.array(
    z.object({
      code: z.string(),
      field: z.string().nullable(),
      message: z.string(),
      other: z.object({ id: z.uuid(), filename: z.string(), foundAt: z.iso.datetime() }).optional(),
    }),
  ),
  /** Explanations of amounts that were read differently from their text, as sentences by field. Absent if empty. */
  readAs: z.record(z.string(), z.string()).optional(),
  /** The row's first picture. `lookup`: the look-up that a row without a picture waits for, or null. */
  image: KnownPicture.extend({
    lookup: z.object({ until: z.iso.datetime().nullable(), because: z.string().nullable() }).nullable(),
  }).optional(),
  /** Set for a row added from the scanner's library. `productId` is null if its scanned product was deleted. */
  scanned: z.object({ productId: z.uuid().nullable() }).optional(),
  /** Sources of found values, by field. */
  found: z
    .record(
      z.string(),
      z.object({ source: z.string(), at: z.iso.datetime(), attribution: z.string().nullable() }),
    )
    .optional(),
  /** Absent if the import was not compared with an earlier list. */
  listed: ListedRow.optional(),
  /** Carried values by field. Absent if there are none. */
  carried: z.record(z.string(), CarriedValue).optional(),
  outcome: z
    .object({
      result: Outcome,
      message: z.string().nullable(),
      storeUrl: z.string().nullable(),
    })
    .nullable(),
  /** The effect that the undo of a push had on the row's product. Absent after the next push. */
  undone: z
    .object({ effect: z.enum(['restored', 'deleted', 'archived']), storeUrl: z.string().nullable() })
    .optional(),
});
export type Row = z.infer<typeof Row>;

export const IssueFilter = z.enum(issueFilters);
export type IssueFilter = z.infer<typeof IssueFilter>;

/** Numbers of rows by class and issue. Ignored rows are counted only in `ignored`. */
export const RowFacets = z.object({
  classes: z.object({ valid: z.number().int(), warning: z.number().int(), error: z.number().int() }),
  /** Number of rows with warnings or errors, except rows left out of the push and parent rows without a price. */
  needsYou: z.number().int(),
  /** Numbers of rows by issue. Issues without rows are absent. */
  issues: z.partialRecord(IssueFilter, z.number().int()),
  ignored: z.number().int(),
});
export type RowFacets = z.infer<typeof RowFacets>;

const SearchText = z
  .string()
  .trim()
  .max(searchCharsMax)
  .refine((text) => [...text].length >= searchCharsMin, `Type at least ${searchCharsMin} characters.`)
  .refine(isStorable, notStorableMessage);

/** A field and its value to filter rows by, such as 'vendor:Nike'. 'vendor:' matches rows without a vendor. */
const FieldValueText = z
  .string()
  .max(fieldValueCharsMax)
  .refine((text) => parseFieldValue(text) !== null, 'Name a field and its value, as in “vendor:Nike”.')
  .refine(isStorable, notStorableMessage);

/**
 * The filters of an import's rows. A row must match all of them. `outcome`: the outcome of the row's product in the
 * last push. `q` matches any part of titles, SKUs, UPCs, vendors and item numbers; `value` matches one field exactly.
 */
export const RowFilters = z.object({
  class: z.enum(classFilters).optional(),
  issue: IssueFilter.optional(),
  outcome: Outcome.optional(),
  change: z.enum(rowChanges).optional(),
  value: FieldValueText.optional(),
  q: SearchText.optional(),
} satisfies Record<RowFilterName, z.ZodType>);
export type RowFilters = z.infer<typeof RowFilters>;

const Sort = z.custom<RowSort>(
  (text) => typeof text === 'string' && parseRowSort(text) !== null,
  'Rows can’t be sorted by this field.',
);

/**
 * Returns a page of the rows that match all filters: the first `limit` rows after row number `after`, or the last ones
 * before row number `before`. With `sort`, `after` and `before` are positions in the sorted rows. `rows` returns the
 * rows with these numbers instead and ignores the filters.
 */
export const listRows = route('listRows', {
  query: z
    .object({
      after: z.coerce.number().int().min(0).max(rowNumberMax).optional(),
      before: z.coerce.number().int().min(1).max(rowNumberMax).optional(),
      limit: z.coerce.number().int().min(1).max(rowPageSizeMax).default(25),
      sort: Sort.optional(),
      rows: z
        .string()
        .regex(/^[1-9]\d{0,8}(,[1-9]\d{0,8}){0,199}$/)
        .optional(),
      ...RowFilters.shape,
    })
    .refine(({ after, before }) => after === undefined || before === undefined, {
      path: ['before'],
      message: 'Use either after or before, not both.',
    }),
  reply: z.object({
    headers: z.array(z.string()),
    /** The parse run to which the row numbers belong. */
    run: z.number().int(),
    rows: z.array(Row),
    totalRows: z.number().int(),
    /** Number of matching rows. Null with the filter `q`, `outcome` or `value`, whose matches are not counted. */
    matching: z.number().int().nullable(),
    /** Whether rows come before and after this page. With the filter `q` or `outcome`, `earlier` may be wrong. */
    earlier: z.boolean(),
    later: z.boolean(),
    /** Positions of the first and last row among the sorted rows, from 1. Null if the rows are in file order. */
    sorted: z.object({ first: z.number().int(), last: z.number().int() }).nullable(),
    facets: RowFacets,
  }),
});
export type RowPage = z.infer<(typeof listRows)['reply']>;

/** A row, with its values before any edit. */
const ProductRow = Row.extend({
  /** Values before edits by field, with the column of each value. `column` is null if the value was filled in. */
  unedited: z.record(z.string(), z.object({ value: z.string(), column: z.string().nullable() })),
});
export type ProductRow = z.infer<typeof ProductRow>;

/**
 * Returns the rows of a product from row number `from` on, in file order: at most 250, or fewer if they are very long.
 * `first` is the product's first row, which holds the fields that a product has only once.
 */
export const getProduct = route('getProduct', {
  params: z.object({ product: z.coerce.number().int().min(1).max(rowNumberMax) }),
  query: z.object({ from: z.coerce.number().int().min(1).max(rowNumberMax).default(1) }),
  reply: z.object({
    product: z.number().int(),
    first: ProductRow,
    rows: z.array(ProductRow),
    totalRows: z.number().int(),
    /** Stored checks of these rows' pictures, by address. `name`: the filename, if the picture is one of our photos. */
    pictures: z.record(z.string(), KnownPicture.extend({ name: z.string().optional() })),
  }),
});
export type ShownProduct = z.infer<(typeof getProduct)['reply']>;

/** New values by field. Null removes the field's edit; '' clears the field. */
const EditedValues = z
  .partialRecord(FieldName, z.string().max(valueCharsMax).refine(isStorable, notStorableMessage).nullable())
  .superRefine((values, context) => {
    for (const [field, value] of Object.entries(values)) {
      const message = findChoiceProblem(field, value ?? '');
      if (message !== null) context.addIssue({ code: 'custom', path: [field], message });
    }
  });

/**
 * Edits one row. `leaveOut`: whether the push leaves the row out. `expected`: the shown values by field, null for an
 * empty field. If a current value differs, nothing is saved and the reply is 409 with the current values as `current`.
 */
export const editRow = route('editRow', {
  params: z.object({ row: z.coerce.number().int().min(1).max(rowNumberMax) }),
  body: z
    .object({
      values: EditedValues.default({}),
      leaveOut: z.boolean().optional(),
      expected: z.partialRecord(FieldName, z.string().nullable()).optional(),
    })
    .refine(({ values, leaveOut }) => leaveOut !== undefined || Object.keys(values).length > 0, {
      path: ['values'],
      message: 'Nothing to change.',
    }),
  reply: SuccessReply.extend({
    /** The id of the edit, for `undoEdits`. */
    command: z.uuid(),
    row: Row,
    facets: RowFacets,
  }),
});

export const undoneRowsMax = 200;

/**
 * Undoes a command by restoring the values before it. Values that were edited since are kept and counted in `left`.
 * The undo is a command too; undoing it is a redo. A command that is still being applied is stopped first. `rows`: the
 * first 200 changed rows. `inBackground`: a task does the undo, so `rows` and `left` are not yet known.
 */
export const undoEdits = route('undoEdits', {
  reply: SuccessReply.extend({
    command: z.uuid(),
    left: z.number().int(),
    inBackground: z.boolean(),
    rows: z.array(Row),
    facets: RowFacets,
  }),
});
