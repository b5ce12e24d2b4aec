import { isRowField, type RowField } from '@draftshelf/domain/base/canonical-fields';
import { allReadingAnswers, readingAnswers } from '@draftshelf/domain/reading/column-questions';
import { z } from 'zod';
import { ChangedJobReply } from '../imports/imports.ts';
import { route } from '../route.ts';
import { count, FieldName, SuccessReply } from '../values.ts';
import { detectFieldValue } from '../wire.ts';

/** Maximum number of columns of a file, and so of columns whose field can be set. */
export const mappedColumnsMax = 2000;
const questionKinds = Object.keys(readingAnswers).length;
const tooManyColumns = `Set the fields of at most ${mappedColumnsMax.toLocaleString('en-US')} columns.`;

/** Fields set by the operator, by column name. Null if a column has no field. Other columns' fields are detected. */
export const MappingChoice = z
  .record(z.string(), FieldName.nullable())
  .refine((choice) => Object.keys(choice).length <= mappedColumnsMax, tooManyColumns);
export type MappingChoice = z.infer<typeof MappingChoice>;

/**
 * Answers about the cells of columns, by column name: whether '.' or ',' is the decimal separator, whether amounts are
 * in cents or units, and whether a price for several pieces is divided, sent as it is, or not sent. Several answers
 * about one column are an array.
 */
export const ReadingAnswers = z
  .record(
    z.string(),
    z.union([z.enum(allReadingAnswers), z.array(z.enum(allReadingAnswers)).max(questionKinds)]),
  )
  .refine((answers) => Object.keys(answers).length <= mappedColumnsMax, tooManyColumns);
export type ReadingAnswers = z.infer<typeof ReadingAnswers>;

const FieldOrDetect = z.custom<RowField | typeof detectFieldValue>(
  (value) => value === detectFieldValue || isRowField(value),
  { error: ({ input }) => `There is no field “${String(input)}”.` },
);

/** New fields of an import's columns, by column name. */
export const MappingChanges = z
  .record(z.string(), FieldOrDetect.nullable())
  .refine((changes) => Object.keys(changes).length > 0, 'Nothing to change.')
  .refine((changes) => Object.keys(changes).length <= mappedColumnsMax, tooManyColumns);
export type MappingChanges = z.infer<typeof MappingChanges>;

/** A column of a file, with its field and the reason for that field. */
export const MappedColumn = z.object({
  /** The column's unique name. */
  header: z.string(),
  field: z.string().nullable(),
  /** From 0 to 1. 0 if the column has no field. */
  confidence: z.number(),
  reason: z.string(),
  /** `operator`: set for this file. `memory`: set by the operator for an earlier similar file. Null if detected. */
  setBy: z.enum(['operator', 'memory']).nullable(),
  rememberedFrom: z.string().nullable(),
  /** Up to three different values of the column, cut to 80 characters. */
  samples: z.array(z.string()),
  /** Up to three other fields that fit the column, best first. */
  alternatives: z.array(z.object({ field: z.string(), confidence: z.number() })),
  /** Statistics of the column's first cells. Shares are from 0 to 1. Null if these cells were not kept. */
  profile: z
    .object({
      rows: z.number().int(),
      filled: z.number(),
      numeric: z.number(),
      distinct: z.number(),
      amounts: z.array(z.number()).nullable(),
    })
    .nullable(),
});
export type MappedColumn = z.infer<typeof MappedColumn>;

/**
 * Lists the columns of an import's current rows, in the order of the file. With `fresh`, the alternatives include
 * metafields that the store defines now, or those read last if the store does not answer in time.
 */
export const getMapping = route('getMapping', {
  aliases: ['/api/jobs/:id/mapping'],
  query: z.object({ fresh: z.literal('true').optional() }),
  reply: z.object({ columns: z.array(MappedColumn) }),
});

/** Re-reads the stored file with these fields, in the next parse run. Edits are kept. 409 while the import runs. */
export const changeMapping = route('changeMapping', {
  aliases: ['/api/jobs/:id/mapping'],
  body: MappingChanges,
  reply: ChangedJobReply,
});

/**
 * Saves answers about the reading of columns, and re-reads the stored file accordingly, in the next parse run. The
 * answers are remembered for files with the same headers. Edits are kept. 409 while the import runs.
 */
export const answerReadings = route('answerReadings', {
  body: ReadingAnswers.refine((answers) => Object.keys(answers).length > 0, 'Nothing to answer.'),
  reply: ChangedJobReply,
});

/** Lists the fields that a column can be mapped to, with the header names that each field is detected by. */
export const listFields = route('listFields', {
  reply: z.array(
    z.object({
      field: z.string(),
      label: z.string(),
      required: z.boolean(),
      aliases: z.array(z.string()),
    }),
  ),
});

/** A metafield of the store to which columns can be mapped. */
export const Metafield = z.object({
  /** The name as a column's field, such as 'm:custom.care'. */
  field: FieldName,
  name: z.string(),
  /** The name in the store, such as 'custom.care'. */
  key: z.string(),
  description: z.string().nullable(),
  /** A label such as 'whole number'. */
  type: z.string(),
});
export type Metafield = z.infer<typeof Metafield>;

/**
 * Lists the product metafields of the connected store by name, without those of apps. Empty without a store. `left`
 * counts metafields that no cell can hold: references, ratings, rich text and JSON. If the store does not answer, the
 * metafields read last are listed.
 */
export const listMetafields = route('listMetafields', {
  reply: z.object({ metafields: z.array(Metafield), left: count }),
});

/** The operator's settings for a file, remembered for files with the same or similar headers. */
export const RememberedMapping = z.object({
  fingerprint: z.string(),
  /** Number of the file's columns that have a name. */
  headers: z.number().int(),
  /** The fields that the operator set, by column name. Null if the operator chose no field for the column. */
  columns: z.record(z.string(), z.string().nullable()),
  readings: ReadingAnswers.default({}),
  filename: z.string(),
  createdAt: z.iso.datetime(),
  /** When an upload last used the mapping. Null if no upload has used it. */
  usedAt: z.iso.datetime().nullable(),
  uses: z.number().int(),
});
export type RememberedMapping = z.infer<typeof RememberedMapping>;

/** Lists remembered mappings, newest first, at most 500. */
export const listMappings = route('listMappings', {
  reply: z.array(RememberedMapping),
});

export const forgetMapping = route('forgetMapping', {
  params: z.object({ fingerprint: z.string().regex(/^[\da-f]{64}$/) }),
  reply: SuccessReply,
});

/** Returns the remembered mapping that an upload of a file with these headers would use. Null if there is none. */
export const recallMapping = route('recallMapping', {
  body: z.object({ headers: z.array(z.string()).max(mappedColumnsMax) }),
  reply: z.object({
    mapping: RememberedMapping.pick({
      fingerprint: true,
      columns: true,
      readings: true,
      filename: true,
    }).nullable(),
  }),
});
