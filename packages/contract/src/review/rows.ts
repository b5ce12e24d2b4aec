import { choiceProblem } from '@draftshelf/domain/base/field-choices';
import { parseFieldValue } from '@draftshelf/domain/base/field-value';
import { searchCharsMax, searchCharsMin } from '@draftshelf/domain/base/search-text';
import { isStorable, notStorable, valueCharsMax } from '@draftshelf/domain/base/storable-text';
import { outcomes } from '@draftshelf/domain/imports/outcome';
import { issueFilters } from '@draftshelf/domain/review/issues';
import type { RowFilterName } from '@draftshelf/domain/review/row-filters';
import { classFilters } from '@draftshelf/domain/review/row-rule';
import { parseRowSort, type RowSort } from '@draftshelf/domain/review/row-sort';
import { rowChanges } from '@draftshelf/domain/suppliers/list';
import { z } from 'zod';
import { route } from '../route.ts';
import { Done, FieldName } from '../values.ts';

export const rowPageSizeMax = 200;

/** The length of the longest listed value and of its field's name. */
const fieldValueCharsMax = 540;

/** The database's largest integer. No file has that many rows. */
export const rowNumberMax = 2_147_483_647;

/** The outcome of a row's product in the latest push. */
export const Outcome = z.enum(outcomes);

/** The difference of a row from the supplier's earlier list, with its price (decimal text) and quantity there. */
const ListedRow = z.object({
  changes: z.array(z.string()),
  priceBefore: z.string().nullable(),
  quantityBefore: z.number().int().nullable(),
});

/** A carried value: when and where the operator set it, and the file's value now. */
export const CarriedValue = z.object({
  /** Its key, to forget it; null: it was forgotten. */
  subject: z.string().nullable(),
  since: z.iso.datetime(),
  filename: z.string(),
  theirs: z.string().nullable(),
});

/** 'invalid': no web address, or its host is not allowed. */
const KnownPicture = z.object({
  state: z.enum(['none', 'invalid', 'failed', 'ok', 'unchecked']),
  reason: z.string().nullable(),
});

export const Row = z.object({
  /** 1-based ordinal of the data record in the file. */
  row: z.number().int(),
  /** 1-based physical line of its first byte; 0 for a row that was added from the scanner's library. */
  line: z.number().int(),
  /** Number of the product that the row belongs to. */
  product: z.number().int(),
  /** The row's place among the rows of its product, from 1; null if it is the only one, or ignored. */
  ofProduct: z.object({ place: z.number().int(), rows: z.number().int() }).nullable(),
  /** The title of its product, where the product's first row is not among the rows of the reply. */
  productTitle: z.string().optional(),
  class: z.enum(['valid', 'warning', 'error']),
  /** Why the row is ignored (a repeated header, a totals line), or null. */
  ignored: z.string().nullable(),
  /** Effective values by canonical field: edit ?? cell ?? found. `compareAtPieces`: as in `RowValues`. */
  values: z.record(z.string(), z.string()),
  /** Field → source, for values that do not come from the field's own column. */
  sources: z.record(z.string(), z.enum(['edit', 'found'])),
  /** The operator has left the row out of the push. */
  leftOut: z.boolean(),
  /** The cells in the order of `headers`: as in the file, or repaired if there is `cellsAsRead`. */
  cells: z.array(z.string()),
  /** The file's cells if a separator was repaired in `cells`, else null. */
  cellsAsRead: z.array(z.string()).nullable(),
  /** `other`: the import that the issue is about besides this one, and when it was found. */
  issues: z.array(
    z.object({
      code: z.string(),
      field: z.string().nullable(),
      message: z.string(),
      other: z.object({ id: z.uuid(), filename: z.string(), foundAt: z.iso.datetime() }).optional(),
    }),
  ),
  /** Explanations of amounts that were read differently from their text, as sentences by field; absent: none. */
  readAs: z.record(z.string(), z.string()).optional(),
  /** The row's first picture. `lookup`: the wait of a row without one. */
  image: KnownPicture.extend({
    lookup: z.object({ until: z.iso.datetime().nullable(), because: z.string().nullable() }).nullable(),
  }).optional(),
  /** For a row that was added from the scanner's library: its product, null if that was deleted. */
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
  /** By field; absent without carried values. */
  carried: z.record(z.string(), CarriedValue).optional(),
  outcome: z
    .object({
      result: Outcome,
      message: z.string().nullable(),
      storeUrl: z.string().nullable(),
    })
    .nullable(),
  /** The result of the undo of its product's push, until the next push. */
  undone: z
    .object({ effect: z.enum(['restored', 'deleted', 'archived']), storeUrl: z.string().nullable() })
    .optional(),
});
export type Row = z.infer<typeof Row>;

export const IssueFilter = z.enum(issueFilters);
export type IssueFilter = z.infer<typeof IssueFilter>;

/** The number of rows by class and issue. Ignored rows only count as ignored. */
export const RowFacets = z.object({
  classes: z.object({ valid: z.number().int(), warning: z.number().int(), error: z.number().int() }),
  /** Warnings and errors that are neither left out of the push nor parents without a price of their own. */
  needsYou: z.number().int(),
  /** By filter; filters without rows are absent. */
  issues: z.partialRecord(IssueFilter, z.number().int()),
  ignored: z.number().int(),
});
export type RowFacets = z.infer<typeof RowFacets>;

/** A text that rows are searched for. */
const SearchText = z
  .string()
  .trim()
  .max(searchCharsMax)
  .refine((text) => [...text].length >= searchCharsMin, `Type at least ${searchCharsMin} characters.`)
  .refine(isStorable, notStorable);

/** A field and its value, by which rows are filtered: 'vendor:Nike'; 'vendor:' are rows without one. */
const FieldValueText = z
  .string()
  .max(fieldValueCharsMax)
  .refine((text) => parseFieldValue(text) !== null, 'Name a field and its value, as in “vendor:Nike”.')
  .refine(isStorable, notStorable);

/**
 * The filters of an import's rows; those that are given must all match. `outcome`: of the product in the last push. `q`
 * matches any part of titles, SKUs, UPCs, vendors and item numbers; `value` matches one field exactly.
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
 * A page of rows: the first `limit` rows after row number `after`, or the last ones before `before`, that match all
 * filters. With `sort`, `after` and `before` are places in its order. `rows`: only these, by number, whatever the
 * filters are.
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
    /** The reading of the file that numbered the rows. */
    run: z.number().int(),
    rows: z.array(Row),
    totalRows: z.number().int(),
    /** The number of rows that match the filters; null for a search, an outcome and a value, which count none. */
    matching: z.number().int().nullable(),
    /** Whether rows exist before and after this page; with a search or outcome, `earlier` may be wrong. */
    earlier: z.boolean(),
    later: z.boolean(),
    /** The places of the first and the last row in the order of `sort`, from 1; null: the order of the file. */
    sorted: z.object({ first: z.number().int(), last: z.number().int() }).nullable(),
    facets: RowFacets,
  }),
});
export type RowPage = z.infer<(typeof listRows)['reply']>;

/** A row with the values it has without edits. */
const ProductRow = Row.extend({
  /** Field → its value without edits and the column that it comes from; null: it was filled in. */
  unedited: z.record(z.string(), z.object({ value: z.string(), column: z.string().nullable() })),
});
export type ProductRow = z.infer<typeof ProductRow>;

/**
 * The rows of a product from row number `from` on, in file order: at most 250, and fewer if they are very long. `first`
 * is the product's first row, which holds the fields that a product has only once.
 */
export const getProduct = route('getProduct', {
  params: z.object({ product: z.coerce.number().int().min(1).max(rowNumberMax) }),
  query: z.object({ from: z.coerce.number().int().min(1).max(rowNumberMax).default(1) }),
  reply: z.object({
    product: z.number().int(),
    first: ProductRow,
    rows: z.array(ProductRow),
    totalRows: z.number().int(),
    /** Stored facts about the pictures of these rows, by address. `name`: of the file of one of our photos. */
    pictures: z.record(z.string(), KnownPicture.extend({ name: z.string().optional() })),
  }),
});
export type ShownProduct = z.infer<(typeof getProduct)['reply']>;

/** Field → new value; null removes the edit, '' clears the field. */
const EditedValues = z
  .partialRecord(FieldName, z.string().max(valueCharsMax).refine(isStorable, notStorable).nullable())
  .superRefine((values, context) => {
    for (const [field, value] of Object.entries(values)) {
      const message = choiceProblem(field, value ?? '');
      if (message !== null) context.addIssue({ code: 'custom', path: [field], message });
    }
  });

/**
 * Edits one row. `leaveOut`: whether it is left out of the push. `expected`: field → the value that was shown, null for
 * none. If one differs from the value now, nothing is saved and the reply is 409 with the values now as `current`.
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
  reply: Done.extend({
    /** The id of this change, to undo it. */
    command: z.uuid(),
    row: Row,
    facets: RowFacets,
  }),
});

/** The most rows in the reply to an undo. */
export const undoneRowsMax = 200;

/**
 * Undoes a change: restores the values before it. Values that were changed again since then are kept and counted as
 * `left`. The undo is a change too; undoing it is a redo. A change that is still being applied is stopped and undone.
 * `rows`: the first 200 rows that it changed. `inBackground`: a task of the import does it; `rows` and `left` are not
 * known yet.
 */
export const undoEdits = route('undoEdits', {
  reply: Done.extend({
    command: z.uuid(),
    left: z.number().int(),
    inBackground: z.boolean(),
    rows: z.array(Row),
    facets: RowFacets,
  }),
});
